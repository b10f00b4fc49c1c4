#include "sidecar/analysis/ttl_mismatch_detector.h"

#include <optional>
#include <string>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/analysis/ttl_from_job_default_detector.h"

namespace fss {
namespace {

// `longer` is for ever, or longer by the ratio. Divides, so that no product overflows.
bool FarLonger(std::int64_t longer, std::int64_t shorter) {
  if (shorter == 0) return false;
  return longer == 0 || longer / shorter >= kMismatchRatio;
}

// "for 1 d", "for ever".
std::string For(std::int64_t ttl_ms) {
  return ttl_ms == 0 ? TtlText(ttl_ms) : "for " + TtlText(ttl_ms);
}

std::string RestoreText(const PlanContext& context, bool for_ever_involved) {
  return for_ever_involved ? SwitchSentence(context.flink_version, context.state_backend)
                           : ChangeSentence();
}

Finding SidesFinding(const PlanContext& context, const PlanGraph& graph, std::size_t join,
                     std::size_t shorter) {
  const PlanNode& node = graph.node(join);
  const StateEntry& less = *EntryOfInput(node, shorter);
  const StateEntry& more = *EntryOfInput(node, 1 - shorter);
  const auto origins = OriginsOf(graph, join);
  const auto name = [&](std::size_t input) {
    return input < origins.size() ? OriginName(origins[input], input)
                                  : "input " + std::to_string(input + 1);
  };
  Finding finding = NodeFinding("ttl-mismatch", Severity::kWarning, node, less.name);
  finding.message = finding.operator_label + " keeps " + name(1 - shorter) + " " +
                    For(*more.ttl_ms) + " but " + name(shorter) + " " + For(*less.ttl_ms) +
                    ": a row of " + name(1 - shorter) + " that comes more than " +
                    TtlText(*less.ttl_ms) + " after its match finds nothing, and " +
                    LossOfJoin(node) + ".";
  finding.advice =
      "Give both sides the time in which a match can still come, or bound it in the "
      "query (an interval join).\n" +
      MeasureAdvice(graph, join) + HintAdvice(graph, join) +
      PlanEditAdvice(node, less.name, *more.ttl_ms == 0 ? "7 d" : TtlText(*more.ttl_ms)) +
      RestoreText(context, *more.ttl_ms == 0);
  return finding;
}

void InspectSides(const PlanContext& context, const PlanGraph& graph, std::size_t join,
                  std::vector<Finding>* findings) {
  const StateEntry* left = EntryOfInput(graph.node(join), 0);
  const StateEntry* right = EntryOfInput(graph.node(join), 1);
  if (graph.node(join).kind != "join" || left == nullptr || right == nullptr) return;
  if (TookJobDefault(graph, join, 0) || TookJobDefault(graph, join, 1)) return;
  if (FarLonger(*left->ttl_ms, *right->ttl_ms)) {
    findings->push_back(SidesFinding(context, graph, join, 1));
  } else if (FarLonger(*right->ttl_ms, *left->ttl_ms)) {
    findings->push_back(SidesFinding(context, graph, join, 0));
  }
}

// The entry that keeps what `input` brings: a join's own slot, else the only one there is.
const StateEntry* EntryFor(const PlanNode& node, std::size_t input) {
  if (node.kind == "join") return EntryOfInput(node, input);
  const std::string slot = "input-state-" + std::to_string(input);
  for (const StateEntry& entry : node.state) {
    const bool own = node.kind != "multi-join" || entry.name == slot;
    if (own && entry.ttl_ms) return &entry;
  }
  return nullptr;
}

// The entry that keeps longest what the operator needs for its output.
const StateEntry* LongestEntry(const PlanNode& node) {
  const StateEntry* longest = nullptr;
  for (const StateEntry& entry : node.state) {
    if (!entry.ttl_ms) continue;
    if (longest == nullptr || ShorterTtl(*longest->ttl_ms, *entry.ttl_ms)) longest = &entry;
  }
  return longest;
}

// The nearest operator below with state by TTL, through those that only pass rows on.
std::optional<std::size_t> StatefulBelow(const PlanGraph& graph, std::size_t node) {
  for (std::size_t step = 0; step < graph.size(); ++step) {
    if (!graph.node(node).state.empty()) return node;
    if (!PassesRows(graph.node(node)) || graph.Inputs(node).size() != 1) return std::nullopt;
    node = graph.Inputs(node)[0];
  }
  return std::nullopt;
}

std::string ExpiryOf(const PlanNode& node) {
  if (node.kind == "join") return LossOfJoin(node);
  const OperatorKind* row = FindOperatorKind(node.kind);
  return row == nullptr ? std::string() : std::string(row->expiry);
}

Finding ChainFinding(const PlanContext& context, const PlanNode& lower, const StateEntry& low,
                     const PlanNode& upper, const StateEntry& high) {
  const bool lower_is_shorter = ShorterTtl(*low.ttl_ms, *high.ttl_ms);
  const PlanNode& node = lower_is_shorter ? lower : upper;
  const StateEntry& entry = lower_is_shorter ? low : high;
  Finding finding = NodeFinding("ttl-mismatch", Severity::kWarning, node, entry.name);
  const std::string expiry = ExpiryOf(node);
  finding.message = NodeLabel(lower) + " keeps " + low.name + " " + For(*low.ttl_ms) + ", and " +
                    NodeLabel(upper) + ", which takes its result, keeps " + high.name + " " +
                    For(*high.ttl_ms) + ": the shorter one decides" +
                    (expiry.empty() ? "" : " (" + expiry + ")") + ".";
  finding.advice =
      "Give both the time in which a row can still change the result; what the longer one keeps "
      "beyond that is of no use.\n" +
      PlanEditAdvice(node, entry.name,
                     lower_is_shorter || *low.ttl_ms != 0
                         ? TtlText(lower_is_shorter ? *high.ttl_ms : *low.ttl_ms)
                         : "7 d") +
      RestoreText(context, *low.ttl_ms == 0 || *high.ttl_ms == 0);
  return finding;
}

void InspectChain(const PlanContext& context, const PlanGraph& graph, std::size_t node,
                  std::vector<Finding>* findings) {
  const PlanNode& upper = graph.node(node);
  if (upper.state.empty()) return;
  for (std::size_t input = 0; input < graph.Inputs(node).size(); ++input) {
    const auto below = StatefulBelow(graph, graph.Inputs(node)[input]);
    const StateEntry* high = EntryFor(upper, input);
    if (!below || *below == node || high == nullptr) continue;
    const StateEntry* low = LongestEntry(graph.node(*below));
    if (low == nullptr || TookJobDefault(graph, node, input)) continue;
    // Totals kept for ever over a join that forgets are no contradiction: the totals stand, and
    // forever-state speaks of their size.
    const bool upper_for_ever = *high->ttl_ms == 0;
    const bool far = FarLonger(*low->ttl_ms, *high->ttl_ms) ||
                     (!upper_for_ever && FarLonger(*high->ttl_ms, *low->ttl_ms));
    if (far) {
      findings->push_back(ChainFinding(context, graph.node(*below), *low, upper, *high));
    }
  }
}

}  // namespace

void TtlMismatchDetector::Inspect(const PlanContext& context,
                                  std::vector<Finding>* findings) const {
  const PlanGraph graph(context.plan);
  for (std::size_t node = 0; node < graph.size(); ++node) {
    InspectSides(context, graph, node, findings);
    InspectChain(context, graph, node, findings);
  }
}

}  // namespace fss
