#include "sidecar/analysis/plan_lint.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sidecar/analysis/detector.h"
#include "sidecar/analysis/entry_sources.h"
#include "sidecar/analysis/finding_order.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/policy_detector.h"
#include "sidecar/base/murmur3.h"

namespace fss {
namespace {

// The finding that says an entry's TTL is not what its author meant; the table marks the entry.
constexpr std::string_view kSuspectTtlCode = "ttl-from-job-default";

// EntryPlaces of one code: node and state entry.
using EntryPlaces = std::set<std::pair<std::int64_t, std::string>>;

EntryPlaces SuspectEntries(const std::vector<Finding>& findings) {
  EntryPlaces places;
  for (const Finding& finding : findings) {
    if (finding.code == kSuspectTtlCode && finding.node_id) {
      places.emplace(*finding.node_id, finding.state);
    }
  }
  return places;
}

LintedOperator Judge(const PlanGraph& graph, std::size_t index, const EntryPlaces& suspect) {
  const PlanNode& node = graph.node(index);
  LintedOperator judged;
  judged.node_id = node.id;
  judged.type = node.type;
  judged.kind = node.kind;
  judged.label = NodeLabel(node);
  judged.cleanup = CleanupOf(node);
  const OperatorKind* kind = FindOperatorKind(node.kind);
  if (kind != nullptr && judged.cleanup == Cleanup::kTtl) judged.expiry = kind->expiry;
  judged.line = node.line;
  judged.identity = OperatorIdFromUid(node.kind + "\n" + node.description);
  for (const StateEntry& entry : node.state) {
    EntrySources sources = SourcesOf(graph, index, entry.name);
    judged.state.push_back({entry.index, entry.name, entry.ttl, entry.ttl_ms,
                            suspect.contains({node.id, entry.name}), std::move(sources.tables),
                            std::move(sources.keys)});
  }
  return judged;
}

}  // namespace

std::vector<Finding> EvaluatePlan(const CompiledPlan& plan) {
  const PlanContext context{plan, plan.flink_version, {}, false};
  std::vector<Finding> findings;
  for (const auto& detector : AllPlanDetectors()) detector->Inspect(context, &findings);
  SortAndDedupe(&findings);
  return findings;
}

LintedPlan LintPlan(const CompiledPlan& plan, const Policy* policy) {
  LintedPlan judged;
  judged.file = plan.file;
  judged.flink_version = plan.flink_version;
  judged.findings = EvaluatePlan(plan);
  if (policy != nullptr) JudgeByPolicy(plan, *policy, &judged.findings);
  const EntryPlaces suspect = SuspectEntries(judged.findings);
  judged.operators.reserve(plan.nodes.size());
  const PlanGraph graph(plan);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    judged.operators.push_back(Judge(graph, i, suspect));
  }
  return judged;
}

}  // namespace fss
