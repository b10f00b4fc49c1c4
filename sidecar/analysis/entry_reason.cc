#include "sidecar/analysis/entry_reason.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sidecar/analysis/entry_sources.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/analysis/window_rank.h"

namespace fss {
namespace {

// The first version that refuses an INSERT whose rows are unique by other columns than the table's
// primary key, unless it has an ON CONFLICT clause.
constexpr FlinkVersion kFirstOnConflict{2, 3};
// More columns than this are no key that anybody writes down.
constexpr std::size_t kNamedColumns = 16;

std::string ColumnsSql(const std::vector<std::string>& columns) {
  if (columns.size() > kNamedColumns) return "…";
  std::string sql;
  for (const std::string& column : columns) {
    sql.append(sql.empty() ? "" : ", ").append(column.empty() ? "<column>" : SqlName(column));
  }
  return sql;
}

std::string Named(std::vector<std::string> columns) {
  for (std::string& column : columns) {
    if (column.empty()) column = "a column without a name";
  }
  return TablesText(columns);
}

struct LostKey {
  std::string operator_label;
  std::vector<std::string> columns;
};

// The nearest operator below whose rows are unique by its key, through those that only pass rows
// on: one of them dropped or changed a column of that key.
std::optional<LostKey> KeyLostBelow(const PlanGraph& graph, std::size_t sink) {
  std::size_t node = sink;
  for (std::size_t step = 0; step < graph.size() && graph.Inputs(node).size() == 1; ++step) {
    node = graph.Inputs(node)[0];
    const PlanNode& here = graph.node(node);
    if (here.kind == "group-aggregate" || here.kind == "global-group-aggregate" ||
        here.kind == "deduplicate" || here.kind == "changelog-normalize") {
      LostKey lost{NodeLabel(here), SourcesOf(graph, node, {}).keys};
      if (lost.columns.empty()) return std::nullopt;
      return lost;
    }
    if (!PassesRows(here)) return std::nullopt;
  }
  return std::nullopt;
}

std::string CreateTable(const PlanNode& sink, const std::vector<std::string>& key) {
  const std::string_view table = TableOfDescription(sink.description);
  return "    CREATE TABLE " + (table.empty() ? std::string("<table>") : SqlName(table)) +
         " (…, PRIMARY KEY (" + ColumnsSql(key) + ") NOT ENFORCED) WITH (…);\n";
}

// What there is to say of a sink's conflict clause from 2.3 on.
std::string OnConflictAdvice(std::string_view flink_version) {
  const auto version = ParseFlinkVersion(flink_version);
  if (version && *version < kFirstOnConflict) return {};
  return std::string(version ? "Flink " : "From 2.3 on Flink ") +
         (version ? std::to_string(version->major) + "." + std::to_string(version->minor) + " "
                  : std::string()) +
         "refuses to compile such an INSERT unless it says what becomes of several rows with one "
         "primary key, or table.exec.sink.require-on-conflict is false. ON CONFLICT DO DEDUPLICATE "
         "keeps this state; DO ERROR and DO NOTHING need watermarks, and fail or drop rows. With "
         "the key mended no such clause is needed.\n";
}

EntryReason ReasonOfForced(const std::string& primary) {
  return {"; its input is unique by the primary key " + primary +
              " already, so table.exec.sink.upsert-materialize must be FORCE",
          "Let Flink decide whether it is needed; here it is not:\n"
          "    SET 'table.exec.sink.upsert-materialize' = 'AUTO';\n",
          true};
}

EntryReason ReasonOfSink(const PlanGraph& graph, std::size_t node, std::string_view version) {
  const PlanNode& sink = graph.node(node);
  if (sink.sink_keys == nullptr || sink.state.empty()) return {};
  const SinkKeys& keys = *sink.sink_keys;
  const auto in_primary = [&](const std::string& column) {
    return std::find(keys.primary.begin(), keys.primary.end(), column) != keys.primary.end();
  };
  const bool known = !keys.upsert.empty();
  const std::string primary = Named(keys.primary);
  if (known && std::all_of(keys.upsert.begin(), keys.upsert.end(), in_primary)) {
    return ReasonOfForced(primary);
  }
  EntryReason reason;
  reason.replaces_kind_advice = true;
  const auto lost = known ? std::nullopt : KeyLostBelow(graph, node);
  if (known) {
    reason.clause =
        "; its input is unique by " + Named(keys.upsert) + ", not by the primary key " + primary;
    reason.advice =
        "Best need none: let the table's primary key be what the rows are unique by. Then the "
        "changes of one key stay in order, and Flink adds no materializer.\n" +
        CreateTable(sink, keys.upsert);
  } else if (lost) {
    reason.clause = "; its input has no unique key any more: that of " + lost->operator_label +
                    ", " + Named(lost->columns) + ", was lost on the way, and the primary key is " +
                    primary;
    reason.advice = "Best need none: write the key of " + lost->operator_label +
                    " as it is (no CAST, no expression) into the table, and let it be the primary "
                    "key. Then the changes of one key stay in order, and Flink adds no "
                    "materializer.\n" +
                    CreateTable(sink, lost->columns);
  } else {
    reason.clause =
        "; its input has no unique key that Flink knows of, and the primary key is " + primary;
    reason.advice =
        "Best need none: let the query's rows be unique by columns of the table, and let these be "
        "its primary key. A join has a unique key where its inputs have PRIMARY KEYs or are "
        "aggregations or deduplications by theirs, and the columns of both are in the result.\n";
  }
  reason.clause +=
      ", so the changes of one row of the table may come in any order, and Flink "
      "keeps them all to put them right";
  reason.advice +=
      "Or make one row of the many that share a primary key in the query itself:\n"
      "    SELECT " +
      ColumnsSql(keys.primary) + ", … FROM … GROUP BY " + ColumnsSql(keys.primary) + ";\n" +
      OnConflictAdvice(version) +
      "Only where order cannot matter, because a row never changes its primary key:\n"
      "    SET 'table.exec.sink.upsert-materialize' = 'NONE';\n";
  return reason;
}

// A bound by a window, as SQL; without a watermark it has to be declared first.
std::string WindowAdvice(const PlanGraph& graph, std::size_t node, std::string_view what) {
  const std::string sql = WindowRankSql(graph, node);
  if (sql.empty()) return {};
  const InputOrigin origin = OriginOf(graph, graph.Inputs(node)[0]);
  std::string advice = std::string(what) + ", as SQL";
  if (origin.time_column.empty()) {
    advice +=
        " (its input carries no watermark: declare one in the table first, WATERMARK FOR ts "
        "AS ts - INTERVAL '5' SECOND)";
  }
  return advice + ":\n" + sql;
}

EntryReason ReasonOfDeduplicate(const PlanGraph& graph, std::size_t node) {
  EntryReason reason;
  reason.advice = WindowAdvice(graph, node, "A deduplication by event time in a window");
  if (!OrdersByArrival(graph.node(node))) return reason;
  reason.clause =
      "; it orders rows by processing time, so which of them stays is decided by their arrival";
  reason.advice +=
      "By event time the same row stays whenever the job runs; by processing time another one may "
      "after a restart.\n";
  return reason;
}

EntryReason ReasonOfTopN(const PlanGraph& graph, std::size_t node) {
  EntryReason reason;
  reason.advice = WindowAdvice(graph, node, "A Top-N in a window");
  if (!RanksAllRows(graph.node(node))) return reason;
  reason.clause =
      "; there is no PARTITION BY, so one subtask ranks all rows, whatever the parallelism";
  reason.advice +=
      "If a ranking for each key will do, add PARTITION BY: the subtasks share the keys. To rank "
      "over everything, rank in two steps: first PARTITION BY a column that spreads the rows, then "
      "its winners over all.\n";
  return reason;
}

}  // namespace

EntryReason ReasonOf(const PlanGraph& graph, std::size_t node, std::string_view flink_version) {
  const PlanNode& here = graph.node(node);
  if (here.kind == "sink") return ReasonOfSink(graph, node, flink_version);
  if (here.kind == "deduplicate") return ReasonOfDeduplicate(graph, node);
  if (here.kind == "rank" || here.kind == "sort-limit") return ReasonOfTopN(graph, node);
  return {};
}

}  // namespace fss
