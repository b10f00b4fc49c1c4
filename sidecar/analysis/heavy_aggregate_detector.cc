#include "sidecar/analysis/heavy_aggregate_detector.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_columns.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// Flink writes it behind the name of a function that has to take rows back (1.20.5 and 2.3.0).
constexpr std::string_view kRetract = "_RETRACT";
// A function of Flink's with such a suffix that keeps values; the others keep sums and counts.
struct HeavyFunction {
  std::string_view in_plan;
  std::string_view in_sql;
};
constexpr std::array<HeavyFunction, 12> kHeavy = {{
    {"ARRAY_AGG", "ARRAY_AGG"},
    {"COLLECT", "COLLECT"},
    {"FIRST_VALUE", "FIRST_VALUE"},
    {"JSON_ARRAYAGG_ABSENT_ON_NULL", "JSON_ARRAYAGG"},
    {"JSON_ARRAYAGG_NULL_ON_NULL", "JSON_ARRAYAGG"},
    {"JSON_OBJECTAGG_ABSENT_ON_NULL", "JSON_OBJECTAGG"},
    {"JSON_OBJECTAGG_NULL_ON_NULL", "JSON_OBJECTAGG"},
    {"LAST_VALUE", "LAST_VALUE"},
    {"LISTAGG", "LISTAGG"},
    {"MAX", "MAX"},
    {"MIN", "MIN"},
    {"PERCENTILE", "PERCENTILE"},
}};
constexpr std::string_view kDistinct = "DISTINCT ";
// Two-phase plans call a set of distinct values so: "COUNT_RETRACT(distinct$0 count$0)".
constexpr std::string_view kDistinctSet = "distinct$";
// Steps from a global aggregation to its local one: an exchange, an incremental one, an exchange.
constexpr int kStepsToLocal = 4;

// "MAX_RETRACT(amount) FILTER $f2" → "MAX", "amount".
struct Call {
  std::string_view function;
  std::string_view arguments;
};

std::optional<Call> RetractingCall(std::string_view expression) {
  const std::size_t open = expression.find('(');
  if (open == std::string_view::npos || open < kRetract.size()) return std::nullopt;
  std::string_view function = expression.substr(0, open);
  if (!function.ends_with(kRetract)) return std::nullopt;
  function.remove_suffix(kRetract.size());
  // An accumulator of several fields stands in brackets of its own: SUM_RETRACT((sum$0, count$1)).
  int depth = 0;
  for (std::size_t i = open; i < expression.size(); ++i) {
    if (expression[i] == '(') ++depth;
    if (expression[i] == ')' && --depth == 0) {
      return Call{function, expression.substr(open + 1, i - open - 1)};
    }
  }
  return std::nullopt;
}

// The items of the local aggregation that feeds `node`, where there is one: it knows the columns
// that a global aggregation calls max$0.
std::vector<SelectItem> LocalItems(const PlanGraph& graph, std::size_t node) {
  for (int step = 0; step < kStepsToLocal && graph.Inputs(node).size() == 1; ++step) {
    node = graph.Inputs(node)[0];
    const PlanNode& here = graph.node(node);
    if (here.kind == "local-group-aggregate") {
      return SelectItems(Attribute(here.description, "select").value_or(""));
    }
  }
  return {};
}

// The column behind a name of a two-phase plan: "amount" for "max$0", which is there
// "MAX_RETRACT(amount) AS max$0", and for "distinct$0": "DISTINCT(amount) AS distinct$0". The name
// itself elsewhere.
std::string_view ColumnBehind(const std::vector<SelectItem>& local, std::string_view name) {
  for (const SelectItem& item : local) {
    if (item.name != name || item.expression == item.name) continue;
    if (const auto call = RetractingCall(item.expression)) return call->arguments;
    constexpr std::string_view kSet = "DISTINCT(";
    if (item.expression.starts_with(kSet) && item.expression.ends_with(")")) {
      return item.expression.substr(kSet.size(), item.expression.size() - kSet.size() - 1);
    }
  }
  return name;
}

// Names that Flink made up ("$f2") say nothing to a reader.
std::string ArgumentsAsSql(std::string_view arguments) {
  std::string text;
  for (const SelectItem& item : SelectItems(arguments)) {
    const bool made_up = item.name.find('$') != std::string_view::npos;
    text.append(text.empty() ? "" : ", ").append(made_up ? "…" : std::string(item.name));
  }
  return text;
}

// As SQL has it, "MAX(amount)" or "COUNT(DISTINCT user_id)", where the call keeps values.
std::optional<std::string> HeavyCall(const Call& call, const std::vector<SelectItem>& local,
                                     bool distinct_alone) {
  const bool set = call.arguments.starts_with(kDistinctSet);
  if (set || call.arguments.starts_with(kDistinct)) {
    const std::string_view column =
        set ? ColumnBehind(local, call.arguments.substr(0, call.arguments.find(' ')))
            : call.arguments.substr(kDistinct.size());
    return std::string(call.function) + "(DISTINCT " + ArgumentsAsSql(column) + ")";
  }
  if (distinct_alone) return std::nullopt;
  for (const HeavyFunction& heavy : kHeavy) {
    if (heavy.in_plan != call.function) continue;
    return std::string(heavy.in_sql) + "(" + ArgumentsAsSql(ColumnBehind(local, call.arguments)) +
           ")";
  }
  return std::nullopt;
}

std::vector<std::string> HeavyCalls(const PlanGraph& graph, std::size_t node) {
  // An incremental aggregation keeps the distinct values; the global one behind it the others.
  const bool distinct_alone = graph.node(node).kind == "incremental-group-aggregate";
  const auto select = Attribute(graph.node(node).description, "select");
  std::vector<std::string> calls;
  if (!select || select->find(kRetract) == std::string_view::npos) return calls;
  const std::vector<SelectItem> local = LocalItems(graph, node);
  for (const SelectItem& item : SelectItems(*select)) {
    const auto call = RetractingCall(item.expression);
    const auto heavy = call ? HeavyCall(*call, local, distinct_alone) : std::nullopt;
    if (heavy && std::find(calls.begin(), calls.end(), *heavy) == calls.end()) {
      calls.push_back(*heavy);
    }
  }
  return calls;
}

const StateEntry* ForeverEntry(const PlanNode& node) {
  const bool group_by = node.kind == "group-aggregate" || node.kind == "global-group-aggregate" ||
                        node.kind == "incremental-group-aggregate";
  if (!group_by) return nullptr;
  for (const StateEntry& entry : node.state) {
    if (entry.Forever()) return &entry;
  }
  return nullptr;
}

std::string InputName(const PlanGraph& graph, std::size_t node) {
  // Below a global aggregation the incremental one is a part of the same GROUP BY.
  std::size_t from = node;
  for (int step = 0; step < kStepsToLocal && graph.Inputs(from).size() == 1; ++step) {
    from = graph.Inputs(from)[0];
    if (graph.node(from).kind == "incremental-group-aggregate") node = from;
  }
  const auto origins = OriginsOf(graph, node);
  return origins.size() == 1 ? OriginWithTables(origins[0], 0) : std::string("its input");
}

bool HasDistinct(const std::vector<std::string>& calls) {
  return std::any_of(calls.begin(), calls.end(), [](const std::string& call) {
    return call.find(kDistinct) != std::string::npos;
  });
}

std::string Advice(const PlanContext& context, const PlanGraph& graph, std::size_t node,
                   const StateEntry& entry, const std::vector<std::string>& calls) {
  const PlanNode& here = graph.node(node);
  std::string advice =
      "First let the input only add rows: then MIN, MAX, FIRST_VALUE and LAST_VALUE keep one value "
      "per group. Aggregate the table's rows themselves instead of a result that changes, or put a "
      "window below: its results are final.\n"
      "    SELECT <key>, MAX(total) FROM (\n"
      "      SELECT <key>, SUM(<value>) AS total\n"
      "      FROM TABLE(TUMBLE(TABLE <table>, DESCRIPTOR(<time column>), INTERVAL '1' HOUR))\n"
      "      GROUP BY window_start, window_end, <key>) GROUP BY <key>;\n"
      "Compile the plan and look at the description: a function without _RETRACT behind its name "
      "takes no rows back. LISTAGG, COLLECT, ARRAY_AGG and DISTINCT keep the values of an "
      "append-only input too: they need a bound in time, so group by a window as well.\n"
      "Else let fewer values reach it: aggregate or round them below.";
  if (HasDistinct(calls)) {
    advice +=
        " table.optimizer.distinct-agg.split.enabled spreads a DISTINCT over more subtasks; it "
        "keeps the same values.";
  }
  advice += "\n" + HintAdvice(graph, node) + MeasureAdvice(graph, node) +
            JobWideAdvice(graph, node) + PlanEditAdvice(here, entry.name, "7 d");
  const OperatorKind* row = FindOperatorKind(here.kind);
  if (row != nullptr && !row->expiry.empty()) {
    advice += "What a TTL costs: " + std::string(row->expiry) + ".\n";
  }
  return advice + SwitchSentence(context.flink_version, context.state_backend);
}

}  // namespace

void HeavyAggregateDetector::Inspect(const PlanContext& context,
                                     std::vector<Finding>* findings) const {
  const PlanGraph graph(context.plan);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const PlanNode& node = graph.node(i);
    const StateEntry* entry = ForeverEntry(node);
    if (entry == nullptr) continue;
    const std::vector<std::string> calls = HeavyCalls(graph, i);
    if (calls.empty()) continue;
    Finding finding = NodeFinding("heavy-aggregate", Severity::kWarning, node, entry->name);
    finding.message = finding.operator_label + " keeps for " + Listed(calls) + " every value of " +
                      (KeyOf(node.description).empty() ? "its input" : "every group") +
                      ", for ever (" + entry->name + ", TTL 0): " + InputName(graph, i) +
                      " takes rows back, so one number per group is not enough.";
    finding.advice = Advice(context, graph, i, *entry, calls);
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
