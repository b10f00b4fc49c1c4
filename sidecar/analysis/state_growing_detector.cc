#include "sidecar/analysis/state_growing_detector.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/plan_graph.h"

namespace fss {
namespace {

// Why nothing will stop it: a clause.
std::string Why(const OperatorReport& op, const EntryReport* entry) {
  const std::string what = entry != nullptr ? entry->name : "its state";
  switch (op.cleanup) {
    case Cleanup::kTtl:
      if (entry != nullptr && entry->ttl_ms) return what + " is kept for ever (TTL 0)";
      return "the TTL of " + what + " is not known, and it has no end that shows";
    case Cleanup::kWatermark:
      return "the watermark that should clean it lags or stands still, or a key's window never "
             "ends";
    case Cleanup::kConnector:
      return "it is a connector's own state, which no TTL reaches";
    case Cleanup::kBounded:
      return "it should be bounded by its definition, and is not";
    case Cleanup::kStateless:
      return "an operator of its vertex that should keep nothing does";
    case Cleanup::kUnknown:
      break;
  }
  return "how its state is cleaned is not known";
}

// What is advised against state that is kept for ever is advised here too, and known already.
const Finding* ForeverFinding(const std::vector<Finding>& findings, const Finding& finding) {
  const auto found = std::ranges::find_if(findings, [&](const Finding& other) {
    return other.code == "forever-state" && other.vertex_id == finding.vertex_id &&
           other.operator_label == finding.operator_label && other.state == finding.state;
  });
  return found == findings.end() ? nullptr : &*found;
}

std::string Advice(const JobContext& context, const OperatorReport& op, const EntryReport* entry) {
  std::string advice;
  switch (op.cleanup) {
    case Cleanup::kTtl: {
      if (context.plan == nullptr || !op.node_id) {
        advice =
            "Save the plan that the job runs (COMPILE PLAN) into --plan_dir: then the TTL and what "
            "to change are said here.\n";
        break;
      }
      const PlanGraph graph(*context.plan);
      const auto node = graph.IndexOf(*op.node_id);
      if (!node) break;
      const std::string backend =
          context.job.config ? context.job.config->state_backend : std::string();
      advice = BoundAdvice(graph, *node, entry != nullptr ? entry->name : std::string(),
                           context.flink_version, backend) +
               "\n";
      break;
    }
    case Cleanup::kWatermark:
      return "Look at the watermarks of the operator's inputs in Flink's web UI: the slowest one "
             "decides. A source partition without rows holds it back: set\n"
             "    table.exec.source.idle-timeout = 1 min\n"
             "If the watermark is well, look for more keys or longer windows than there used to "
             "be.";
    case Cleanup::kConnector:
      return "Look at the connector: transactions that are not committed, files that are not "
             "closed, splits that are added and never finished. Its documentation says what it "
             "keeps in state.";
    case Cleanup::kBounded:
    case Cleanup::kStateless:
    case Cleanup::kUnknown:
      return "The state of this operator is in the hands of its code (a function, a DataStream "
             "operator): have it clear what it no longer needs, or give its state a TTL "
             "(StateTtlConfig).";
  }
  const Trend& trend = entry != nullptr && entry->trend.bytes_per_second ? entry->trend : op.trend;
  if (trend.bytes_per_second) advice += SettleSentence(*trend.bytes_per_second);
  return advice;
}

}  // namespace

void StateGrowingDetector::Inspect(const JobContext& context,
                                   std::vector<Finding>* findings) const {
  for (const OperatorReport& op : context.report.operators) {
    if (op.trend.verdict != Verdict::kGrowing) continue;
    // A TTL that does not hold is growing-past-ttl.
    if (op.trend.past_ttl && op.cleanup == Cleanup::kTtl) continue;
    const EntryReport* entry = CulpritOf(op);
    Finding finding = OperatorFinding("state-growing", Severity::kWarning, op,
                                      entry != nullptr ? entry->name : std::string());
    finding.message =
        GrowthClause(op, entry) + ", and nothing will stop it: " + Why(op, entry) + ".";
    const Finding* forever = ForeverFinding(*findings, finding);
    if (forever != nullptr) {
      finding.advice = forever->advice;
    } else {
      finding.advice = Advice(context, op, entry);
    }
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
