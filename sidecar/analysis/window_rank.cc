#include "sidecar/analysis/window_rank.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

#include "sidecar/analysis/plan_columns.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"

namespace fss {
namespace {

bool IsDeduplicate(const PlanNode& node) { return node.kind == "deduplicate"; }
bool IsTopN(const PlanNode& node) { return node.kind == "rank" || node.kind == "sort-limit"; }

std::string_view AttributeOf(const PlanNode& node, std::string_view name) {
  return Attribute(node.description, name).value_or("");
}

// A column as the table has it, in SQL; one that the query made or renamed is only a word.
std::string ColumnSql(const InputOrigin& origin, std::string_view name) {
  const auto& columns = origin.columns;
  const bool known = std::find(columns.begin(), columns.end(), name) != columns.end();
  return known ? SqlName(name) : "<" + std::string(name) + ">";
}

std::string TimeSql(const InputOrigin& origin) {
  return origin.time_column.empty() ? std::string("<time column>") : SqlName(origin.time_column);
}

std::string PartitionSql(const PlanNode& node, const InputOrigin& origin) {
  std::string sql = "window_start, window_end";
  const std::string_view keys = AttributeOf(node, IsDeduplicate(node) ? "key" : "partitionBy");
  for (const SelectItem& key : SelectItems(keys)) sql += ", " + ColumnSql(origin, key.name);
  return sql;
}

// "amount DESC" of "orderBy=[amount DESC, ts ASC]".
std::string OrderSql(const PlanNode& node, const InputOrigin& origin) {
  if (IsDeduplicate(node)) {
    return TimeSql(origin) + (AttributeOf(node, "keep") == "LastRow" ? " DESC" : "");
  }
  std::string sql;
  for (const SelectItem& item : SelectItems(AttributeOf(node, "orderBy"))) {
    const std::string_view column = item.expression.substr(0, item.expression.find(' '));
    const bool down = item.expression.substr(column.size()).starts_with(" DESC");
    sql.append(sql.empty() ? "" : ", ").append(ColumnSql(origin, column));
    sql += down ? " DESC" : "";
  }
  return sql.empty() ? std::string("<order>") : sql;
}

std::string RankSql(const PlanNode& node) {
  if (IsDeduplicate(node)) return "rn = 1";
  const auto last = LastRank(node);
  return "rn <= " + (last ? std::to_string(*last) : std::string("<n>"));
}

}  // namespace

bool OrdersByArrival(const PlanNode& node) {
  return IsDeduplicate(node) && AttributeOf(node, "order") == "PROCTIME";
}

bool RanksAllRows(const PlanNode& node) {
  return IsTopN(node) && AttributeOf(node, "partitionBy").empty();
}

bool RanksChangingRows(const PlanNode& node) {
  return IsTopN(node) && AttributeOf(node, "strategy").starts_with("RetractStrategy");
}

std::optional<std::int64_t> LastRank(const PlanNode& node) {
  constexpr std::string_view kEnd = "rankEnd=";
  std::string_view text = AttributeOf(node, "fetch");
  if (node.kind == "rank") {
    text = AttributeOf(node, "rankRange");
    const std::size_t at = text.find(kEnd);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + kEnd.size());
  }
  std::int64_t last = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), last);
  if (error != std::errc() || end != text.data() + text.size() || last < 1) return std::nullopt;
  return last;
}

std::string WindowRankSql(const PlanGraph& graph, std::size_t node) {
  const PlanNode& here = graph.node(node);
  if ((!IsDeduplicate(here) && !IsTopN(here)) || graph.Inputs(node).size() != 1) return {};
  const InputOrigin origin = OriginOf(graph, graph.Inputs(node)[0]);
  const std::string table = origin.table.empty() ? std::string("<input>") : SqlName(origin.table);
  return "    SELECT … FROM (\n      SELECT *, ROW_NUMBER() OVER (PARTITION BY " +
         PartitionSql(here, origin) + "\n        ORDER BY " + OrderSql(here, origin) +
         ") AS rn\n      FROM TABLE(TUMBLE(TABLE " + table + ", DESCRIPTOR(" + TimeSql(origin) +
         "), INTERVAL '1' HOUR)))\n    WHERE " + RankSql(here) + ";\n";
}

}  // namespace fss
