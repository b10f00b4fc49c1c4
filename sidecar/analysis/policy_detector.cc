#include "sidecar/analysis/policy_detector.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/entry_sources.h"
#include "sidecar/analysis/finding_order.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/model/rules.h"

namespace fss {
namespace {

using TableNames = std::vector<std::string>;

bool FitsAny(const std::string& glob, const TableNames& tables) {
  return glob.empty() || std::any_of(tables.begin(), tables.end(), [&](const std::string& table) {
           return GlobFits(glob, table);
         });
}

// Rows of other tables beside those of `glob` are not what was allowed.
bool FitsAll(const std::string& glob, const TableNames& tables) {
  return glob.empty() || (!tables.empty() &&
                          std::all_of(tables.begin(), tables.end(), [&](const std::string& table) {
                            return GlobFits(glob, table);
                          }));
}

// What one entry breaks: clauses, and a TTL that would be allowed.
struct Breach {
  std::string text;
  std::int64_t allowed_ms = 0;

  void Add(const std::string& clause, const std::string& reason, std::int64_t ttl_ms) {
    text.append(text.empty() ? "" : "; ").append(clause).append(" (").append(reason).append(")");
    allowed_ms = ttl_ms;
  }
};

Breach BreachOf(const Policy& policy, const PlanNode& node, std::int64_t ttl_ms,
                const TableNames& tables) {
  Breach breach;
  for (const LongestTtl& rule : policy.longest) {
    // What is kept for ever has a finding of its own.
    const bool longer = ttl_ms != 0 && ttl_ms > rule.ttl_ms;
    if (!longer || !GlobFits(rule.kind, node.kind) || !FitsAny(rule.table, tables)) continue;
    breach.Add("the policy allows " + TtlText(rule.ttl_ms), rule.reason, rule.ttl_ms);
  }
  const OperatorKind* row = FindOperatorKind(node.kind);
  if (row == nullptr || !row->takes_hint) return breach;
  for (const RequiredHint& rule : policy.hints) {
    const bool kept = rule.ttl_ms ? ttl_ms == *rule.ttl_ms : ttl_ms != 0;
    // A hint names one input: what comes out of a join of several tables has another name.
    const bool fits = rule.table.empty() || (tables.size() == 1 && FitsAll(rule.table, tables));
    if (kept || !fits || !GlobFits(rule.kind, node.kind)) continue;
    constexpr std::int64_t kExampleMs = 7LL * 24 * 3600 * 1000;
    breach.Add("the policy requires a STATE_TTL hint" +
                   (rule.ttl_ms ? " of " + TtlText(*rule.ttl_ms) : std::string()),
               rule.reason, rule.ttl_ms.value_or(kExampleMs));
  }
  return breach;
}

Finding FindingOf(const CompiledPlan& plan, const PlanGraph& graph, std::size_t index,
                  const StateEntry& entry, const TableNames& tables, const Breach& breach) {
  const PlanNode& node = graph.node(index);
  Finding finding = NodeFinding("policy", Severity::kWarning, node, entry.name);
  const std::string of = TablesText(tables);
  const bool forever = *entry.ttl_ms == 0;
  finding.message = finding.operator_label + " keeps " + entry.name +
                    (of.empty() ? "" : ", rows of " + of + ",") + (forever ? " " : " for ") +
                    TtlText(*entry.ttl_ms) + ": " + breach.text + ".";
  const std::string hint = HintAdvice(graph, index);
  finding.advice = "Keep to the policy, or have it changed: its reasons stand beside its rules.\n" +
                   (hint.empty() ? JobWideAdvice(graph, index) : hint) +
                   PlanEditAdvice(node, entry.name, TtlText(breach.allowed_ms)) +
                   (forever ? SwitchSentence(plan.flink_version, "") : ChangeSentence());
  return finding;
}

void Acknowledge(const PlanGraph& graph, const Policy& policy, Finding* finding) {
  if (finding->code != "forever-state" || !finding->node_id) return;
  const auto index = graph.IndexOf(*finding->node_id);
  if (!index) return;
  const std::string& kind = graph.node(*index).kind;
  const TableNames tables = SourcesOf(graph, *index, finding->state).tables;
  for (const AllowedForever& rule : policy.forever) {
    if (!GlobFits(rule.kind, kind) || !FitsAll(rule.table, tables)) continue;
    finding->acknowledged = true;
    finding->acknowledged_reason = rule.reason;
    return;
  }
}

}  // namespace

void JudgeByPolicy(const CompiledPlan& plan, const Policy& policy, std::vector<Finding>* findings) {
  const PlanGraph graph(plan);
  for (Finding& finding : *findings) Acknowledge(graph, policy, &finding);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const StateEntry& entry : graph.node(i).state) {
      if (!entry.ttl_ms) continue;
      const TableNames tables = SourcesOf(graph, i, entry.name).tables;
      const Breach breach = BreachOf(policy, graph.node(i), *entry.ttl_ms, tables);
      if (breach.text.empty()) continue;
      findings->push_back(FindingOf(plan, graph, i, entry, tables, breach));
    }
  }
  SortAndDedupe(findings);
}

}  // namespace fss
