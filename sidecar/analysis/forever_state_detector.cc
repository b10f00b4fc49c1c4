#include "sidecar/analysis/forever_state_detector.h"

#include <array>
#include <string>
#include <string_view>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/entry_reason.h"
#include "sidecar/analysis/entry_sources.h"
#include "sidecar/analysis/entry_standing.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/window_rank.h"

namespace fss {
namespace {

// What an entry holds, by its name; ", by <key>" follows where there is a key.
struct Holding {
  std::string_view entry;
  std::string_view what;
  std::string_view without_key;  // where the operator has no key at all
};
constexpr std::array<Holding, 7> kHoldings = {{
    {"groupAggregateState", "the totals of every group it ever saw", "the totals of all rows"},
    {"globalGroupAggregateState", "the totals of every group it ever saw",
     "the totals of all rows"},
    {"incrementalGroupAggregateState", "the distinct values of every group it ever saw",
     "the distinct values of all rows"},
    {"deduplicateState", "an entry for every key it ever saw", ""},
    {"rankState", "the ranked rows of every partition it ever saw", "the rows that it ranks"},
    {"changelogNormalizeState", "the last row of every key it ever saw", ""},
    {"sinkMaterializeState", "the rows of every key it ever wrote", ""},
}};

// A Top-N over all rows: how many of them.
std::string AllRows(const PlanNode& top_n) {
  if (RanksChangingRows(top_n)) return "every row of its input";
  const auto last = LastRank(top_n);
  return last ? "the first " + std::to_string(*last) + " rows"
              : std::string("the rows that it ranks");
}

std::string WhatItHolds(const PlanNode& node, const StateEntry& entry) {
  if (RanksAllRows(node)) return AllRows(node);
  if (RanksChangingRows(node)) return "every row of every partition it ever saw";
  for (const Holding& holding : kHoldings) {
    if (holding.entry != entry.name) continue;
    const bool keyless = KeyOf(node.description).empty();
    return std::string(keyless && !holding.without_key.empty() ? holding.without_key
                                                               : holding.what);
  }
  return "what it was given for every key";
}

// "every row of orders, its left input"; of a multi-join "…, its input 3".
std::string RowsOfInput(const PlanGraph& graph, std::size_t node, std::size_t input) {
  const auto inputs = graph.Inputs(node);
  const std::string number = "input " + std::to_string(input + 1);
  if (input >= inputs.size()) return "every row of " + number;
  const bool join = graph.node(node).kind == "join";
  return "every row of " + OriginWithTables(OriginOf(graph, inputs[input]), input) + ", its " +
         (join ? std::string(input == 0 ? "left" : "right") + " input" : number);
}

// ", by user_id": what the state is kept by; without columns the description's own text, such as a
// join's condition.
std::string ByKey(const PlanNode& node, const EntrySources& sources) {
  constexpr std::size_t kMaxKey = 120;
  std::string key;
  for (const std::string& column : sources.keys) {
    key.append(key.empty() ? "" : ", ").append(column);
    if (key.size() > kMaxKey) return {};
  }
  if (key.empty()) key = KeyOf(node.description).substr(0, kMaxKey + 1);
  return key.empty() || key.size() > kMaxKey ? std::string() : ", by " + key;
}

std::string Message(const PlanGraph& graph, std::size_t i, const StateEntry& entry,
                    const std::string& clause) {
  const PlanNode& node = graph.node(i);
  const auto input = InputOfEntry(entry.name);
  const EntrySources sources = SourcesOf(graph, i, entry.name);
  std::string message = NodeLabel(node) + " keeps " + entry.name + " for ever (TTL 0): " +
                        (input ? RowsOfInput(graph, i, *input) : WhatItHolds(node, entry)) +
                        ByKey(node, sources);
  if (!input && !sources.tables.empty()) message += ", from " + TablesText(sources.tables);
  return message + clause + ".";
}

}  // namespace

void ForeverStateDetector::Inspect(const PlanContext& context,
                                   std::vector<Finding>* findings) const {
  const PlanGraph graph(context.plan);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const PlanNode& node = graph.node(i);
    for (const StateEntry& entry : node.state) {
      if (!entry.Forever()) continue;
      Finding finding = NodeFinding("forever-state", Severity::kWarning, node, entry.name);
      finding.message = Message(graph, i, entry, ReasonOf(graph, i, context.flink_version).clause);
      finding.advice =
          BoundAdvice(graph, i, entry.name, context.flink_version, context.state_backend);
      findings->push_back(std::move(finding));
    }
  }
}

void ForeverStateDetector::Refine(const JobContext& context, const OperatorReport& op,
                                  Finding* finding) const {
  const Standing standing = StandingOf(op, finding->state);
  finding->severity = SeverityOfForever(standing, context.thresholds);
  finding->message += StandingSentence(standing);
  if (standing.verdict == Verdict::kGrowing && standing.rate) {
    finding->advice += "\n" + SettleSentence(*standing.rate);
  }
}

}  // namespace fss
