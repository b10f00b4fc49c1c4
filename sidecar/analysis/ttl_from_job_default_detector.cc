#include "sidecar/analysis/ttl_from_job_default_detector.h"

#include <optional>
#include <string>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// A join's input that is another join's result.
struct FedSlot {
  std::size_t join = 0;
  std::size_t input = 0;
  std::size_t below = 0;
  std::int64_t ttl = 0;
  std::int64_t longest_below = 0;  // 0: for ever
};

// The join that feeds `node` through operators that only pass rows on.
std::optional<std::size_t> JoinBelow(const PlanGraph& graph, std::size_t node) {
  for (std::size_t step = 0; step < graph.size(); ++step) {
    if (graph.node(node).kind == "join") return node;
    if (!PassesRows(graph.node(node)) || graph.Inputs(node).size() != 1) return std::nullopt;
    node = graph.Inputs(node)[0];
  }
  return std::nullopt;
}

std::optional<std::int64_t> LongestTtl(const PlanNode& join) {
  std::optional<std::int64_t> longest;
  for (std::size_t input = 0; input < 2; ++input) {
    const StateEntry* entry = EntryOfInput(join, input);
    if (entry == nullptr) return std::nullopt;
    if (!longest || ShorterTtl(*longest, *entry->ttl_ms)) longest = *entry->ttl_ms;
  }
  return longest;
}

// Hints were given when one of the slots that they reach differs from this one.
bool HintsGiven(const FedSlot& slot, const PlanNode& join, const PlanNode& below) {
  const StateEntry* slots[] = {EntryOfInput(join, 1 - slot.input), EntryOfInput(below, 0),
                               EntryOfInput(below, 1)};
  for (const StateEntry* entry : slots) {
    if (entry != nullptr && *entry->ttl_ms != slot.ttl) return true;
  }
  return false;
}

std::optional<FedSlot> FindSlot(const PlanGraph& graph, std::size_t join, std::size_t input) {
  const PlanNode& node = graph.node(join);
  if (node.kind != "join" || graph.Inputs(join).size() != 2) return std::nullopt;
  const auto below = JoinBelow(graph, graph.Inputs(join)[input]);
  const StateEntry* entry = EntryOfInput(node, input);
  if (!below || *below == join || entry == nullptr) return std::nullopt;
  const auto longest = LongestTtl(graph.node(*below));
  if (!longest) return std::nullopt;
  FedSlot slot{join, input, *below, *entry->ttl_ms, *longest};
  const bool suspicious = slot.ttl == 0 || ShorterTtl(slot.ttl, slot.longest_below);
  if (!suspicious || !HintsGiven(slot, node, graph.node(*below))) return std::nullopt;
  return slot;
}

// "orders are kept 1 d, payments 2 h": the inputs of the join below.
std::string KeptBelow(const PlanGraph& graph, std::size_t below) {
  const auto origins = OriginsOf(graph, below);
  std::string text;
  for (std::size_t input = 0; input < 2; ++input) {
    const StateEntry* entry = EntryOfInput(graph.node(below), input);
    if (entry == nullptr || input >= origins.size()) continue;
    text += (text.empty() ? "" : ", ") + OriginWithTables(origins[input], input) +
            (*entry->ttl_ms == 0 ? " " : " for ") + TtlText(*entry->ttl_ms);
  }
  return text;
}

std::string Message(const PlanGraph& graph, const FedSlot& slot, const Finding& finding) {
  const std::string below = NodeLabel(graph.node(slot.below));
  const std::string head =
      finding.operator_label + " " + finding.state + " keeps the result of " + below + " ";
  const std::string why = "the job's default: STATE_TTL hints do not reach the result of a join (" +
                          below + " keeps " + KeptBelow(graph, slot.below) + ")";
  if (slot.ttl == 0) return head + "for ever, " + why + ".";
  return head + "for " + TtlText(slot.ttl) + ", " + why + "; after " + TtlText(slot.ttl) +
         " without an update a row there is forgotten, and " + LossOfJoin(graph.node(slot.join)) +
         ".";
}

// "30 min" as hints are mostly written: "30min".
std::string HintTtl(std::int64_t ttl_ms) {
  std::string text = ttl_ms == 0 ? "0 ms" : TtlText(ttl_ms);
  std::erase(text, ' ');
  return text;
}

std::string HintOf(const InputOrigin& origin, const char* word, std::int64_t ttl_ms) {
  const std::string name = origin.table.empty() ? std::string("<") + word + ">" : origin.table;
  return "'" + name + "' = '" + HintTtl(ttl_ms) + "'";
}

// Of an input that a broken plan lacks nothing is known.
InputOrigin OriginAt(const std::vector<InputOrigin>& origins, std::size_t input) {
  return input < origins.size() ? origins[input] : InputOrigin();
}

std::string ViewAdvice(const PlanGraph& graph, const FedSlot& slot) {
  const auto below = OriginsOf(graph, slot.below);
  const auto above = OriginsOf(graph, slot.join);
  const auto ttl = [&](std::size_t node, std::size_t input) {
    const StateEntry* entry = EntryOfInput(graph.node(node), input);
    return entry == nullptr ? 0 : *entry->ttl_ms;
  };
  const std::size_t other = 1 - slot.input;
  // With a join below that keeps for ever there is no TTL to take over: one has to be chosen.
  constexpr std::int64_t kExampleMs = 7LL * 24 * 3600 * 1000;
  const std::int64_t view_ttl = slot.longest_below == 0 ? kExampleMs : slot.longest_below;
  const std::string view = "'below' = '" + HintTtl(view_ttl) + "'";
  const std::string rest = HintOf(OriginAt(above, other), "the other input", ttl(slot.join, other));
  return "Put " + NodeLabel(graph.node(slot.below)) +
         " into a view with its own hint, then hint the view (names are tables; where the query "
         "gives an alias, the alias):\n"
         "    CREATE VIEW below AS SELECT /*+ STATE_TTL(" +
         HintOf(OriginAt(below, 0), "left input", ttl(slot.below, 0)) + ", " +
         HintOf(OriginAt(below, 1), "right input", ttl(slot.below, 1)) +
         ") */ … ;\n"
         "    SELECT /*+ STATE_TTL(" +
         (slot.input == 0 ? view + ", " + rest : rest + ", " + view) +
         ") */ … FROM below JOIN … ;\n"
         "Compile the plan and look at the slot: the plan shows what each input really got.\n";
}

std::string MultiJoinAdvice(const PlanContext& context) {
  const auto version = ParseFlinkVersion(context.flink_version);
  if (version && *version < kFirstMultiJoin) return {};
  return std::string("Where the joins share one key, ") +
         (version ? "" : "on Flink 2.1 and later, ") +
         "one multi-join has a slot for each table, and hints reach all of them:\n"
         "    SET 'table.optimizer.multi-join.enabled' = 'true';\n";
}

std::string Advice(const PlanContext& context, const PlanGraph& graph, const FedSlot& slot,
                   const Finding& finding) {
  std::string advice = ViewAdvice(graph, slot) + MultiJoinAdvice(context);
  const std::int64_t ttl = slot.longest_below == 0 ? 0 : slot.longest_below;
  advice += PlanEditAdvice(graph.node(slot.join), finding.state, ttl == 0 ? "7 d" : TtlText(ttl));
  const bool switches = slot.ttl == 0;
  return advice + (switches ? SwitchSentence(context.flink_version, context.state_backend)
                            : ChangeSentence());
}

}  // namespace

void TtlFromJobDefaultDetector::Inspect(const PlanContext& context,
                                        std::vector<Finding>* findings) const {
  const PlanGraph graph(context.plan);
  for (std::size_t join = 0; join < graph.size(); ++join) {
    for (std::size_t input = 0; input < 2; ++input) {
      const auto slot = FindSlot(graph, join, input);
      if (!slot) continue;
      Finding finding = NodeFinding("ttl-from-job-default", Severity::kWarning, graph.node(join),
                                    EntryOfInput(graph.node(join), input)->name);
      finding.message = Message(graph, *slot, finding);
      finding.advice = Advice(context, graph, *slot, finding);
      findings->push_back(std::move(finding));
    }
  }
}

bool TookJobDefault(const PlanGraph& graph, std::size_t node, std::size_t input) {
  return FindSlot(graph, node, input).has_value();
}

}  // namespace fss
