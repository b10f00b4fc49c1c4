#include "sidecar/analysis/forever_state_detector.h"

#include <array>
#include <string>
#include <string_view>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/entry_standing.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"

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

constexpr std::string_view kInputStatePrefix = "input-state-";

// Which input of a join or multi-join the entry belongs to.
std::optional<std::size_t> InputOfEntry(std::string_view entry) {
  if (entry == "leftState") return 0;
  if (entry == "rightState") return 1;
  if (!entry.starts_with(kInputStatePrefix)) return std::nullopt;
  std::size_t input = 0;
  for (char c : entry.substr(kInputStatePrefix.size())) {
    constexpr std::size_t kMoreThanAnyJoin = 10000;
    if (c < '0' || c > '9' || input > kMoreThanAnyJoin) return std::nullopt;
    input = input * 10 + static_cast<std::size_t>(c - '0');
  }
  return input;
}

std::string WhatItHolds(const PlanGraph& graph, std::size_t node, const StateEntry& entry) {
  const auto input = InputOfEntry(entry.name);
  if (input) {
    const auto inputs = graph.Inputs(node);
    const std::string name = *input < inputs.size()
                                 ? OriginName(OriginOf(graph, inputs[*input]), *input)
                                 : "input " + std::to_string(*input + 1);
    return "every row of " + name;
  }
  for (const Holding& holding : kHoldings) {
    if (holding.entry != entry.name) continue;
    const bool keyless = KeyOf(graph.node(node).description).empty();
    return std::string(keyless && !holding.without_key.empty() ? holding.without_key
                                                               : holding.what);
  }
  return "what it was given for every key";
}

// ", by user_id": what the state is kept by, where the description shows it.
std::string ByKey(const PlanNode& node) {
  constexpr std::size_t kMaxKey = 120;
  std::string_view key = KeyOf(node.description);
  if (key.empty() || key.size() > kMaxKey) return {};
  return ", by " + std::string(key);
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
      finding.message = finding.operator_label + " keeps " + entry.name +
                        " for ever (TTL 0): " + WhatItHolds(graph, i, entry) + ByKey(node) + ".";
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
