#include "sidecar/analysis/query_advice.h"

#include <algorithm>
#include <string_view>

#include "sidecar/analysis/entry_sources.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/flink_duration.h"

namespace fss {
namespace {

// Stands where a value has to be chosen; a week is a common bound, and the text says to measure.
constexpr std::string_view kExampleHint = "7d";
constexpr std::string_view kExampleSet = "7 d";
// More neighbours than this are counted, not named.

std::vector<std::string> SplitList(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const auto comma = list.find(", ");
    parts.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 2);
  }
  return parts;
}

bool Contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// Flink tells equal names of two inputs apart by a number ("order_id0"): the column's own name.
std::string ColumnName(const InputOrigin& origin, std::string_view name) {
  std::string column(name);
  if (origin.columns.empty() || Contains(origin.columns, column)) return column;
  while (!column.empty() && column.back() >= '0' && column.back() <= '9') column.pop_back();
  return Contains(origin.columns, column) ? column : std::string();
}

struct JoinKey {
  std::string left;
  std::string right;
};

// The key of "(order_id = order_id0)"; absent for any other condition.
std::optional<JoinKey> KeyOfJoin(const PlanNode& node, const InputOrigin& left,
                                 const InputOrigin& right) {
  if (const auto common = Attribute(node.description, "commonJoinKey")) {
    // A multi-join on one column: it is called so in its first input, mostly in the others too.
    const std::string column(*common);
    if (!Contains(left.columns, column) || !Contains(right.columns, column)) return std::nullopt;
    return JoinKey{column, column};
  }
  auto where = Attribute(node.description, "where");
  if (!where || where->size() < 2 || where->front() != '(' || where->back() != ')') {
    return std::nullopt;
  }
  where->remove_prefix(1);
  where->remove_suffix(1);
  const auto equals = where->find(" = ");
  if (equals == std::string_view::npos || where->find_first_of("()'") != std::string_view::npos ||
      where->find(" = ", equals + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  JoinKey key{ColumnName(left, where->substr(0, equals)),
              ColumnName(right, where->substr(equals + 3))};
  if (key.left.empty() || key.right.empty()) return std::nullopt;
  return key;
}

std::string TimeColumn(const InputOrigin& origin) {
  return origin.time_column.empty() ? "<time column>" : SqlName(origin.time_column);
}

std::string TableOr(const InputOrigin& origin, std::string_view word) {
  return origin.table.empty() ? "<" + std::string(word) + ">" : SqlName(origin.table);
}

constexpr const char* kOnASample =
    "Run it on a bounded copy of the data; the TTL must be longer than the result:\n"
    "    SET 'execution.runtime-mode' = 'batch';\n";

std::string MeasureJoin(const PlanNode& node, const InputOrigin& left, const InputOrigin& right) {
  const std::string on = JoinConditionSql(node, left, right);
  return std::string("Choose the TTL from the longest time between two rows that match. ") +
         kOnASample + "    SELECT MAX(ABS(TIMESTAMPDIFF(SECOND, l." + TimeColumn(left) + ", r." +
         TimeColumn(right) + "))) AS longest_gap_s\n    FROM " + TableOr(left, "left input") +
         " l JOIN " + TableOr(right, "right input") + " r ON " + on + ";\n";
}

std::string MeasureKey(const PlanNode& node, const InputOrigin& origin) {
  std::string keys;
  for (const std::string& key : SplitList(KeyOf(node.description))) {
    if (Attribute(node.description, "where") == KeyOf(node.description)) break;
    keys.append(keys.empty() ? "" : ", ").append(SqlName(key));
  }
  if (keys.empty()) keys = "<key>";
  const std::string time = TimeColumn(origin);
  return std::string("Choose the TTL from the longest pause between two rows of one key. ") +
         kOnASample + "    SELECT MAX(TIMESTAMPDIFF(SECOND, previous_row, this_row)) AS " +
         "longest_pause_s FROM (\n      SELECT " + time + " AS this_row, LAG(" + time +
         ") OVER (PARTITION BY " + keys + " ORDER BY " + time + ") AS previous_row\n      FROM " +
         TableOr(origin, "input") + ");\n";
}

// Whether another input reads the same table, so that only an alias tells them apart.
bool IsRepeated(const std::vector<InputOrigin>& origins, std::size_t input) {
  const std::string& table = origins[input].table;
  return !table.empty() && std::count_if(origins.begin(), origins.end(), [&](const auto& origin) {
                             return origin.table == table;
                           }) > 1;
}

// 'orders' = '7d' for each input.
std::string HintKeys(const std::vector<InputOrigin>& origins) {
  std::string keys;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const std::string& table = origins[i].table;
    const std::string input = "input " + std::to_string(i + 1);
    keys.append(i == 0 ? "'" : ", '");
    if (table.empty()) {
      keys.append("<alias of ").append(input).append(">");
    } else if (IsRepeated(origins, i)) {
      keys.append("<alias of ").append(table).append(", ").append(input).append(">");
    } else {
      keys.append(table);
    }
    keys.append("' = '").append(kExampleHint).append("'");
  }
  return keys;
}

}  // namespace

std::string JoinConditionSql(const PlanNode& join, const InputOrigin& left,
                             const InputOrigin& right) {
  const auto key = KeyOfJoin(join, left, right);
  return key ? "l." + SqlName(key->left) + " = r." + SqlName(key->right)
             : std::string("<join condition>");
}

bool PassesRows(const PlanNode& node) {
  const Cleanup cleanup = CleanupOf(node);
  const bool buffer = cleanup == Cleanup::kBounded && !KeepsKeyedState(node);
  return cleanup == Cleanup::kStateless || buffer || IsInvisible(node);
}

InputOrigin OriginOf(const PlanGraph& graph, std::size_t node) {
  InputOrigin origin;
  // As many steps as there are nodes: a plan with a loop must not hold us.
  for (std::size_t step = 0; step < graph.size(); ++step) {
    const PlanNode& here = graph.node(node);
    if (here.kind.ends_with("source-scan")) {
      origin.table = TableOfDescription(here.description);
      origin.columns = SplitList(Attribute(here.description, "fields").value_or(""));
      // A watermark that was pushed into the source has no operator of its own.
      if (origin.time_column.empty()) origin.time_column = here.rowtime;
      return origin;
    }
    const auto rowtime = Attribute(here.description, "rowtime");
    if (rowtime && origin.time_column.empty()) origin.time_column = *rowtime;
    if (graph.Inputs(node).size() != 1 || !PassesRows(here)) break;
    node = graph.Inputs(node)[0];
  }
  if (!IsInvisible(graph.node(node))) origin.operator_label = NodeLabel(graph.node(node));
  origin.tables = TablesBelow(graph, node);
  return origin;
}

std::vector<InputOrigin> OriginsOf(const PlanGraph& graph, std::size_t node) {
  std::vector<InputOrigin> origins;
  for (std::size_t input : graph.Inputs(node)) origins.push_back(OriginOf(graph, input));
  return origins;
}

std::string OriginName(const InputOrigin& origin, std::size_t input) {
  if (!origin.table.empty()) return origin.table;
  if (!origin.operator_label.empty()) return "the result of " + origin.operator_label;
  return "input " + std::to_string(input + 1);
}

std::string OriginWithTables(const InputOrigin& origin, std::size_t input) {
  const std::string name = OriginName(origin, input);
  const std::string tables = TablesText(origin.tables);
  return tables.empty() ? name : name + " over " + tables;
}

std::string MeasureAdvice(const PlanGraph& graph, std::size_t node) {
  const auto origins = OriginsOf(graph, node);
  if (origins.size() == 2) return MeasureJoin(graph.node(node), origins[0], origins[1]);
  if (origins.size() > 2) {
    return MeasureJoin(graph.node(node), origins[0], origins[1]) +
           "The same for each other input.\n";
  }
  return MeasureKey(graph.node(node), origins.empty() ? InputOrigin{} : origins[0]);
}

std::string HintAdvice(const PlanGraph& graph, std::size_t node) {
  const OperatorKind* row = FindOperatorKind(graph.node(node).kind);
  if (row == nullptr || !row->takes_hint) return {};
  const auto origins = OriginsOf(graph, node);
  if (origins.empty()) return {};
  std::string advice =
      "The hint, for this query:\n"
      "    SELECT /*+ STATE_TTL(" +
      HintKeys(origins) + ") */ … FROM …;\n";
  advice += "The hint names the table, or its alias if the query gives it one.";
  for (std::size_t i = 0; i < origins.size(); ++i) {
    if (!IsRepeated(origins, i)) continue;
    advice += " Here " + origins[i].table + " comes in more than once: only its aliases tell.";
    break;
  }
  const bool nested = std::any_of(origins.begin(), origins.end(), [](const InputOrigin& origin) {
    return origin.table.empty() && !origin.operator_label.empty();
  });
  if (nested) {
    advice +=
        " An input that is itself the result of another operator must be a view, or a subquery "
        "with an alias, to be named.";
  }
  return advice + "\n";
}

std::string JobWideAdvice(const PlanGraph& graph, std::size_t node) {
  std::vector<std::string> others;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (i != node && !graph.node(i).state.empty()) others.push_back(NodeLabel(graph.node(i)));
  }
  std::string advice =
      "The job-wide TTL, set before the plan is compiled or the INSERT is submitted:\n    SET "
      "'table.exec.state.ttl' = '" +
      std::string(kExampleSet) + "';\n";
  if (others.empty()) return advice + "No other operator of this plan takes it.\n";
  advice += "It also reaches every other state that no hint names: ";
  for (std::size_t i = 0; i < std::min(others.size(), kMaxNamed); ++i) {
    advice += (i == 0 ? "" : ", ") + others[i];
  }
  if (others.size() > kMaxNamed) {
    advice += " and " + std::to_string(others.size() - kMaxNamed) + " more";
  }
  return advice + ".\n";
}

std::string PlanEditAdvice(const PlanNode& node, const std::string& entry, const std::string& ttl) {
  return "A job that runs from a compiled plan: change the \"ttl\" of " + entry + " in node " +
         std::to_string(node.id) + " of the plan file (\"" + ttl +
         "\"). The node ids stay, and with them the way to the old state; a plan compiled anew "
         "may number its nodes in another way, and then a savepoint's state is not found.\n";
}

}  // namespace fss
