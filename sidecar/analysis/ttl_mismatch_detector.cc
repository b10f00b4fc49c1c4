#include "sidecar/analysis/ttl_mismatch_detector.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/entry_sources.h"
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
  // Where an input is named first: which one it is, and the tables behind it.
  const auto full_name = [&](std::size_t input) {
    const std::string side = input == 0 ? "its left input, " : "its right input, ";
    return side + (input < origins.size() ? OriginWithTables(origins[input], input) : name(input)) +
           ",";
  };
  Finding finding = NodeFinding("ttl-mismatch", Severity::kWarning, node, less.name);
  finding.message = finding.operator_label + " keeps " + full_name(1 - shorter) + " " +
                    For(*more.ttl_ms) + " but " + full_name(shorter) + " " + For(*less.ttl_ms) +
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

// Two TTLs on one path, of which the shorter one decides. Totals kept for ever over a join that
// forgets are no contradiction: the totals stand, and forever-state speaks of their size.
bool AreFarApart(std::int64_t low, std::int64_t high) {
  return FarLonger(low, high) || (high != 0 && FarLonger(high, low));
}

std::string ExpiryOf(const PlanNode& node) {
  if (node.kind == "join") return LossOfJoin(node);
  const OperatorKind* row = FindOperatorKind(node.kind);
  return row == nullptr ? std::string() : std::string(row->expiry);
}

// Two operators with state, one below the other.
struct Pair {
  std::size_t lower;
  std::size_t upper;
  std::optional<std::size_t> between;  // the operator with state that gives `upper` its input
  const StateEntry* low;
  const StateEntry* high;
};

Finding ChainFinding(const PlanContext& context, const PlanGraph& graph, const Pair& pair) {
  const PlanNode& lower = graph.node(pair.lower);
  const PlanNode& upper = graph.node(pair.upper);
  const StateEntry& low = *pair.low;
  const StateEntry& high = *pair.high;
  const bool lower_is_shorter = ShorterTtl(*low.ttl_ms, *high.ttl_ms);
  const PlanNode& node = lower_is_shorter ? lower : upper;
  const StateEntry& entry = lower_is_shorter ? low : high;
  Finding finding = NodeFinding("ttl-mismatch", Severity::kWarning, node, entry.name);
  const std::string expiry = ExpiryOf(node);
  const std::string tables = TablesText(TablesBelow(graph, pair.lower));
  finding.message = NodeLabel(lower) + " keeps " + low.name + " " + For(*low.ttl_ms) + ", and " +
                    NodeLabel(upper) + ", which takes its result" +
                    (pair.between ? " through " + NodeLabel(graph.node(*pair.between)) : "") +
                    ", keeps " + high.name + " " + For(*high.ttl_ms) + ": " +
                    (tables.empty() ? "" : "for rows of " + tables + " ") +
                    "the shorter one decides" + (expiry.empty() ? "" : " (" + expiry + ")") + ".";
  finding.advice =
      "Give both the time in which a row can still change the result; what the longer one keeps "
      "beyond that is of no use.\n" +
      HintAdvice(graph, lower_is_shorter ? pair.lower : pair.upper) +
      PlanEditAdvice(node, entry.name,
                     lower_is_shorter || *low.ttl_ms != 0
                         ? TtlText(lower_is_shorter ? *high.ttl_ms : *low.ttl_ms)
                         : "7 d") +
      RestoreText(context, *low.ttl_ms == 0 || *high.ttl_ms == 0);
  return finding;
}

// Walks down from one input of an operator, through those that only pass rows on and those with
// state by TTL, and finds the ones whose TTL does not fit. Where two others on the way do not fit,
// theirs is the finding.
class PathWalk {
 public:
  PathWalk(const PlanGraph& graph, std::size_t upper, const StateEntry& high)
      : graph_(graph), upper_(upper), high_(high) {}

  std::vector<Pair> From(std::size_t input) {
    open_ = {{input, std::nullopt, &high_}};
    seen_ = {upper_, input};
    while (!open_.empty()) {
      const Step step = open_.back();
      open_.pop_back();
      const PlanNode& here = graph_.node(step.node);
      if (!here.state.empty()) {
        Meet(step);
      } else if (PassesRows(here)) {
        for (std::size_t next : graph_.Inputs(step.node)) Open({next, step.between, step.above});
      }
    }
    return std::move(pairs_);
  }

 private:
  struct Step {
    std::size_t node;
    std::optional<std::size_t> between;  // the operator with state that is met next above
    const StateEntry* above;             // its entry for these rows
  };

  void Open(const Step& step) {
    if (seen_.size() <= kMaxBelow && seen_.insert(step.node).second) open_.push_back(step);
  }

  void Meet(const Step& step) {
    constexpr int kMaxMet = 32;
    const StateEntry* low = LongestEntry(graph_.node(step.node));
    if (low == nullptr || ++met_ > kMaxMet) return;
    const bool neighbours = !step.between.has_value();
    if (!neighbours && AreFarApart(*low->ttl_ms, *step.above->ttl_ms)) return;
    if (AreFarApart(*low->ttl_ms, *high_.ttl_ms)) {
      pairs_.push_back({step.node, upper_, step.between, low, &high_});
      return;
    }
    for (std::size_t input = 0; input < graph_.Inputs(step.node).size(); ++input) {
      const StateEntry* above = EntryFor(graph_.node(step.node), input);
      // A slot that hints missed has a finding of its own.
      if (above == nullptr || TookJobDefault(graph_, step.node, input)) continue;
      Open({graph_.Inputs(step.node)[input], step.between ? step.between : step.node, above});
    }
  }

  const PlanGraph& graph_;
  const std::size_t upper_;
  const StateEntry& high_;
  std::vector<Step> open_;
  std::unordered_set<std::size_t> seen_;
  int met_ = 0;
  std::vector<Pair> pairs_;
};

void InspectChain(const PlanContext& context, const PlanGraph& graph, std::size_t node,
                  std::vector<Finding>* findings) {
  const PlanNode& upper = graph.node(node);
  if (upper.state.empty()) return;
  for (std::size_t input = 0; input < graph.Inputs(node).size(); ++input) {
    const StateEntry* high = EntryFor(upper, input);
    if (high == nullptr || TookJobDefault(graph, node, input)) continue;
    for (const Pair& pair : PathWalk(graph, node, *high).From(graph.Inputs(node)[input])) {
      findings->push_back(ChainFinding(context, graph, pair));
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
