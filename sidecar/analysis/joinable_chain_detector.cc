#include "sidecar/analysis/joinable_chain_detector.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/join_chains.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// From this version on a hint merges the joins it names and no other one.
constexpr FlinkVersion kFirstMultiJoinHint{2, 3};

// What the one multi-join would read: both inputs of the first join, the right ones of the others.
std::vector<InputOrigin> InputsOf(const PlanGraph& graph, const JoinChain& chain) {
  std::vector<InputOrigin> inputs{OriginOf(graph, graph.Inputs(chain.joins[0])[0])};
  for (std::size_t join : chain.joins) inputs.push_back(OriginOf(graph, graph.Inputs(join)[1]));
  return inputs;
}

std::string Message(const PlanGraph& graph, const JoinChain& chain) {
  std::vector<std::string> joins;
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < chain.joins.size(); ++i) {
    const std::string label = NodeLabel(graph.node(chain.joins[i]));
    joins.push_back(label);
    if (i > 0) {
      kept.push_back("the result of " + joins[i - 1]);
      kept.back().append(" in leftState of ").append(label);
    }
  }
  const std::vector<InputOrigin> origins = InputsOf(graph, chain);
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < origins.size(); ++i)
    inputs.push_back(OriginWithTables(origins[i], i));
  return Listed(joins) + " join " + Listed(inputs) + " on one key, " + chain.key +
         ": each intermediate result is kept in state beside the inputs it is made of (" +
         Listed(kept) + "); one multi-join would keep the inputs alone.";
}

// The tables for a hint, in quotes where something follows each. A plan does not know aliases.
std::string HintNames(const std::vector<InputOrigin>& inputs, std::string_view after_each) {
  std::map<std::string_view, int> reads;
  for (const InputOrigin& input : inputs) ++reads[input.table];
  std::string names;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& table = inputs[i].table;
    const bool repeated = reads[table] > 1;
    const bool quoted = !after_each.empty();
    std::string name = quoted ? table : SqlName(table);
    if (table.empty() || repeated) {
      name = "<alias of ";
      name.append(table).append(table.empty() ? "input " : ", input ");
      name.append(std::to_string(i + 1)).append(">");
    }
    const std::string_view quote = quoted ? "'" : "";
    names.append(i == 0 ? "" : ", ").append(quote).append(name).append(quote).append(after_each);
  }
  return names;
}

std::string Advice(const PlanGraph& graph, const JoinChain& chain, FlinkVersion version) {
  const std::vector<InputOrigin> inputs = InputsOf(graph, chain);
  std::string advice =
      "Set this before the plan is compiled, or the INSERT submitted, anew:\n"
      "    SET 'table.optimizer.multi-join.enabled' = 'true';\n"
      "It makes a MultiJoin of every other inner or left outer join of the statement too.";
  if (!(version < kFirstMultiJoinHint)) {
    advice +=
        " A hint names the joins that are meant, and leaves the others alone:\n"
        "    SELECT /*+ MULTI_JOIN(" +
        HintNames(inputs, "") + ") */ … FROM …;\n";
  } else {
    advice += "\n";
  }
  advice += "Look for one MultiJoin with " + std::to_string(inputs.size()) +
            " inputs in the new plan. A view or a subquery with a column list of its own keeps its "
            "join apart: then write all joins into one FROM clause.\n"
            "Each input has an entry of its own then, and a hint for each input reaches it:\n"
            "    SELECT /*+ STATE_TTL(" +
            HintNames(inputs, " = '7d'") +
            ") */ … FROM …;\n"
            "The hints name tables, or their aliases if the query gives any.\n"
            "What it costs: results that were kept are computed again for each row, which takes "
            "more CPU where many rows share one key.\n" +
            ReplaceSentence("a multi-join");
  return advice;
}

}  // namespace

void JoinableChainDetector::Inspect(const PlanContext& context,
                                    std::vector<Finding>* findings) const {
  const auto version = ParseFlinkVersion(context.flink_version.empty() ? context.plan.flink_version
                                                                       : context.flink_version);
  if (!version || *version < kFirstMultiJoin) return;
  const PlanGraph graph(context.plan);
  for (const JoinChain& chain : FindJoinChains(graph)) {
    Finding finding =
        NodeFinding("joinable-chain", Severity::kInfo, graph.node(chain.joins.back()));
    finding.message = Message(graph, chain);
    finding.advice = Advice(graph, chain, *version);
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
