#include "sidecar/analysis/forever_state_detector.h"

#include <array>
#include <string>
#include <string_view>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/base/text.h"

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

// The entry's own trend where RocksDB tells its live bytes, else its operator's.
struct Standing {
  Verdict verdict = Verdict::kUnknown;
  std::optional<double> rate;
  std::optional<std::int64_t> bytes;
  bool of_entry = false;  // the figures are this entry's alone
  std::optional<std::int64_t> seconds_until_full;
};

Standing StandingOf(const OperatorReport& op, const std::string& entry_name) {
  Standing standing{op.trend.verdict, op.trend.bytes_per_second, op.size_bytes,
                    op.state.size() == 1, op.seconds_until_full};
  for (const EntryReport& entry : op.state) {
    if (entry.name != entry_name || entry.trend.verdict == Verdict::kUnknown) continue;
    standing = {entry.trend.verdict, entry.trend.bytes_per_second, entry.live_bytes, true,
                entry.seconds_until_full};
  }
  return standing;
}

// Flat and small harms nobody; what grows will; what is about to fill its place is an emergency. A
// trend that is not known yet is judged as the plan alone is.
Severity SeverityOf(const Standing& standing, const Thresholds& thresholds) {
  constexpr std::int64_t kSecond = 1000;
  if (standing.seconds_until_full &&
      *standing.seconds_until_full < thresholds.capacity_critical_ms / kSecond) {
    return Severity::kCritical;
  }
  const bool harmless =
      standing.verdict != Verdict::kGrowing && standing.verdict != Verdict::kUnknown;
  return harmless && standing.bytes.value_or(0) < thresholds.large_bytes ? Severity::kInfo
                                                                         : Severity::kWarning;
}

// " It grows by 2.1 KiB/s." and the like; empty while nothing is known.
std::string StandingSentence(const Standing& standing) {
  const std::string who = standing.of_entry ? " It " : " The operator ";
  const std::string holds =
      standing.bytes ? "holds " + FormatBytes(*standing.bytes) + " and " : std::string();
  switch (standing.verdict) {
    case Verdict::kGrowing:
      return who + holds + "grows by " + FormatRate(standing.rate.value_or(0)) +
             (standing.seconds_until_full
                  ? ", full in " + FormatAge(*standing.seconds_until_full * 1000)
                  : "") +
             ".";
    case Verdict::kFilling:
      return who + holds + "grows ever slower.";
    case Verdict::kFlat:
      return who + holds + "does not grow.";
    case Verdict::kShrinking:
      return who + holds + "shrinks.";
    case Verdict::kUnknown:
      break;
  }
  return {};
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
  finding->severity = SeverityOf(standing, context.thresholds);
  finding->message += StandingSentence(standing);
  if (standing.verdict == Verdict::kGrowing && standing.rate) {
    finding->advice += "\n" + SettleSentence(*standing.rate);
  }
}

}  // namespace fss
