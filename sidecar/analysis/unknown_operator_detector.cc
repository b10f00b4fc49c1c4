#include "sidecar/analysis/unknown_operator_detector.h"

#include <string>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/entry_sources.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/base/text.h"

namespace fss {

void UnknownOperatorDetector::Inspect(const PlanContext& context,
                                      std::vector<Finding>* findings) const {
  constexpr std::size_t kMaxType = 100;
  const PlanGraph graph(context.plan);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const PlanNode& node = graph.node(i);
    if (FindOperatorKind(node.kind) != nullptr) continue;
    const std::string tables = TablesText(TablesBelow(graph, i));
    Finding finding = NodeFinding("unknown-operator", Severity::kWarning, node);
    finding.message = "Node " + std::to_string(node.id) +
                      " is of a kind that this version does "
                      "not know (" +
                      OneLine(node.type, kMaxType) + ")" +
                      (tables.empty() ? "" : " and reads " + tables) + ", so it is not known " +
                      (node.state.empty() ? "whether it keeps state." : "how its state goes away.");
    finding.advice =
        "Judge this operator by hand: look for its state in a checkpoint's sizes and in Flink's "
        "documentation. A newer flink-state-sidecar may know it; if not, please report the type "
        "and the Flink version.";
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
