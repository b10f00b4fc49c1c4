#include "sidecar/analysis/time_bound_detector.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/plan_columns.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/query_advice.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/analysis/window_rank.h"

namespace fss {
namespace {

// An input whose rows come with watermarks.
struct TimedInput {
  InputOrigin origin;       // time_column: in the table, where it is known
  std::optional<bool> ltz;  // a TIMESTAMP_LTZ; absent where the column is not known
};

// Rows pass these with their event time, and none is taken back: what PassesRows says, the first
// half of an aggregation in two, and an interval join. Not a window table function: a session's
// takes rows back, and a GROUP BY over one is windowed already.
bool PassesTimedRows(const PlanNode& node) {
  return PassesRows(node) || node.kind == "incremental-group-aggregate" ||
         node.kind == "interval-join";
}

// Flink's sources that take the watermark over say so in their table.
bool EmitsWatermarks(const PlanNode& scan) {
  if (!scan.rowtime.empty()) return true;
  const auto table = Attribute(scan.description, "table");
  return table && table->find(", watermark=[") != std::string_view::npos;
}

// Absent where one of the tables behind `node` has no watermark, or an operator on the way may take
// rows back or has no event time in its output.
std::optional<TimedInput> TimedInputOf(const PlanGraph& graph, std::size_t node) {
  TimedInput timed{OriginOf(graph, node), std::nullopt};
  std::vector<std::size_t> open{node};
  std::unordered_set<std::size_t> seen{node};
  bool found = false;
  while (!open.empty()) {
    const PlanNode& here = graph.node(open.back());
    const auto inputs = graph.Inputs(open.back());
    open.pop_back();
    const bool assigns = here.kind == "watermark-assigner";
    if (!here.rowtime.empty() && !timed.ltz) timed.ltz = here.rowtime_ltz;
    if (assigns || (here.kind.ends_with("source-scan") && EmitsWatermarks(here))) {
      found = true;
      continue;
    }
    if (inputs.empty() || !PassesTimedRows(here) || seen.size() > kMaxBelow) return std::nullopt;
    for (std::size_t input : inputs) {
      if (seen.insert(input).second) open.push_back(input);
    }
  }
  if (!found) return std::nullopt;
  return timed;
}

std::string TimeName(const TimedInput& input, std::size_t index) {
  const std::string& column = input.origin.time_column;
  const std::string name = OriginWithTables(input.origin, index);
  return column.empty() ? name : name + " (" + column + ")";
}

// "leftState 1 d, rightState for ever": what the plan says of the node's entries.
std::string Kept(const PlanNode& node) {
  std::string text;
  for (const StateEntry& entry : node.state) {
    if (!entry.ttl_ms) continue;
    text.append(text.empty() ? "" : ", ").append(entry.name).append(" ");
    text += TtlText(*entry.ttl_ms);
  }
  return text;
}

std::string Measured(const PlanGraph& graph, std::size_t node) {
  std::string text = MeasureAdvice(graph, node);
  // The same query measures the bound.
  const std::string_view head = "Choose the TTL from";
  if (text.starts_with(head)) text.replace(0, head.size(), "Choose the bound from");
  const std::string_view ttl = "the TTL must be longer";
  const auto at = text.find(ttl);
  if (at != std::string::npos) text.replace(at, ttl.size(), "the bound must be longer");
  return text;
}

struct JoinWord {
  std::string_view in_plan;
  std::string_view in_sql;
};
constexpr std::array<JoinWord, 4> kJoinWords = {{
    {"InnerJoin", "JOIN"},
    {"LeftOuterJoin", "LEFT JOIN"},
    {"RightOuterJoin", "RIGHT JOIN"},
    {"FullOuterJoin", "FULL JOIN"},
}};

std::string TimeColumnSql(const TimedInput& input) {
  const std::string& column = input.origin.time_column;
  return column.empty() ? "<time column>" : SqlName(column);
}

std::string TableSql(const TimedInput& input, const char* word) {
  const std::string& table = input.origin.table;
  return table.empty() ? std::string("<") + word + ">" : SqlName(table);
}

std::string JoinAdvice(const PlanGraph& graph, std::size_t join, const TimedInput& left,
                       const TimedInput& right, std::string_view word) {
  const std::string left_time = "l." + TimeColumnSql(left);
  const std::string right_time = "r." + TimeColumnSql(right);
  std::string advice =
      "Where a match always comes within a known time, write that into the condition: it becomes "
      "an "
      "interval join, whose rows go when the watermark has passed them.\n    SELECT … FROM " +
      TableSql(left, "left input") + " l " + std::string(word) + " " +
      TableSql(right, "right input") + " r\n      ON " +
      JoinConditionSql(graph.node(join), left.origin, right.origin) + " AND " + right_time +
      "\n        BETWEEN " + left_time + " - INTERVAL '1' HOUR AND " + left_time +
      " + INTERVAL '1' HOUR;\n";
  if (left.ltz && right.ltz && *left.ltz != *right.ltz) {
    advice +=
        "The two time columns are of different types, TIMESTAMP and TIMESTAMP_LTZ, and Flink "
        "refuses an interval join of the two: declare one of them anew first, so that both are of "
        "one type.\n";
  }
  advice +=
      "The time columns must come as they are from their tables, not through a CAST or a regular "
      "join, and no input may have updates: else Flink refuses it or keeps the regular join. "
      "Compile the plan and look for IntervalJoin.\n" +
      Measured(graph, join) +
      "What changes in the result: rows further apart than the bound no longer match, rows behind "
      "the watermark are dropped";
  if (IsOuterJoin(graph.node(join))) {
    advice +=
        ", and a row without a match comes with NULL once, when the watermark has passed it, "
        "instead of at once and being taken back later";
  }
  return advice + ". Both sources must keep sending watermarks: the slower one holds the state.\n" +
         ReplaceSentence("an interval join");
}

std::string WindowKeys(const PlanNode& node, const TimedInput& input) {
  std::string keys;
  for (const SelectItem& key : SelectItems(Attribute(node.description, "groupBy").value_or(""))) {
    const auto& columns = input.origin.columns;
    const std::string name(key.name);
    const bool known = std::find(columns.begin(), columns.end(), name) != columns.end();
    keys += ", " + (known ? SqlName(name) : "<" + name + ">");
  }
  return keys;
}

std::string GroupAdvice(const PlanGraph& graph, std::size_t node, const TimedInput& input) {
  const std::string keys = WindowKeys(graph.node(node), input);
  return "If results per period will do, group by a window too: its state goes when the watermark "
         "has passed the window's end.\n    SELECT window_start, window_end" +
         keys + ", …\n    FROM TABLE(TUMBLE(TABLE " + TableSql(input, "input") + ", DESCRIPTOR(" +
         TimeColumnSql(input) + "), INTERVAL '1' HOUR))\n    GROUP BY window_start, window_end" +
         keys +
         ";\nA filter goes behind the FROM as before. HOP, CUMULATE and SESSION make other "
         "windows. "
         "Compile the plan and look for WindowAggregate.\n"
         "What changes in the result: one final row per group and window, when the window has "
         "ended, instead of a running total with updates; rows behind the watermark are dropped; a "
         "total over all time has to be summed up from the windows, where it is read.\n" +
         ReplaceSentence("a window aggregation");
}

void InspectJoin(const PlanGraph& graph, std::size_t node, std::vector<Finding>* findings) {
  const PlanNode& join = graph.node(node);
  const auto type = Attribute(join.description, "joinType");
  const auto word = std::find_if(kJoinWords.begin(), kJoinWords.end(),
                                 [&](const JoinWord& known) { return type == known.in_plan; });
  if (word == kJoinWords.end() || graph.Inputs(node).size() != 2) return;
  // An interval join needs an equality beside its bound.
  if (EqualColumns(Attribute(join.description, "where").value_or("")).empty()) return;
  const auto left = TimedInputOf(graph, graph.Inputs(node)[0]);
  if (!left) return;
  const auto right = TimedInputOf(graph, graph.Inputs(node)[1]);
  if (!right) return;
  Finding finding = NodeFinding("time-bound-possible", Severity::kInfo, join);
  finding.message = finding.operator_label + " keeps its inputs by TTL (" + Kept(join) +
                    "), and both carry watermarks, " + TimeName(*left, 0) + " and " +
                    TimeName(*right, 1) + ": an interval join could bound it in time.";
  finding.advice = JoinAdvice(graph, node, *left, *right, word->in_sql);
  findings->push_back(std::move(finding));
}

void InspectGroupBy(const PlanGraph& graph, std::size_t node, std::vector<Finding>* findings) {
  const PlanNode& group_by = graph.node(node);
  // Without a key there is one group, and nothing to bound.
  if (Attribute(group_by.description, "groupBy").value_or("").empty()) return;
  if (group_by.description.find("_RETRACT(") != std::string::npos) return;
  if (graph.Inputs(node).size() != 1) return;
  const auto input = TimedInputOf(graph, graph.Inputs(node)[0]);
  if (!input) return;
  Finding finding = NodeFinding("time-bound-possible", Severity::kInfo, group_by);
  finding.message = finding.operator_label + " keeps its groups by TTL (" + Kept(group_by) +
                    "), and its input carries watermarks, " + TimeName(*input, 0) +
                    ": a window aggregation could bound it in time.";
  finding.advice = GroupAdvice(graph, node, *input);
  findings->push_back(std::move(finding));
}

// Only where arrival decides which row stays: one by event time keeps the first or last row of all
// time, which somebody may count on.
void InspectDeduplicate(const PlanGraph& graph, std::size_t node, std::vector<Finding>* findings) {
  const PlanNode& here = graph.node(node);
  if (!OrdersByArrival(here) || graph.Inputs(node).size() != 1) return;
  const auto input = TimedInputOf(graph, graph.Inputs(node)[0]);
  if (!input) return;
  Finding finding = NodeFinding("time-bound-possible", Severity::kInfo, here);
  finding.message = finding.operator_label + " keeps its keys by TTL (" + Kept(here) +
                    ") and orders them by processing time, though its input carries watermarks, " +
                    TimeName(*input, 0) + ": a window deduplication could bound it in time.";
  finding.advice =
      "Where duplicates come close together, deduplicate in a window by event time: its state goes "
      "when the watermark has passed the window's end.\n" +
      WindowRankSql(graph, node) +
      "Compile the plan and look for WindowDeduplicate.\n"
      "What changes in the result: a duplicate that falls into another window comes through, rows "
      "behind the watermark are dropped, and a row comes when its window has ended instead of at "
      "once.\n" +
      ReplaceSentence("a window deduplication");
  findings->push_back(std::move(finding));
}

}  // namespace

void TimeBoundDetector::Inspect(const PlanContext& context, std::vector<Finding>* findings) const {
  const PlanGraph graph(context.plan);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const PlanNode& node = graph.node(i);
    // A batch plan keeps no state, and one without known TTLs says nothing about it.
    if (Kept(node).empty()) continue;
    if (node.kind == "join") {
      InspectJoin(graph, i, findings);
    } else if (node.kind == "group-aggregate" || node.kind == "global-group-aggregate") {
      InspectGroupBy(graph, i, findings);
    } else if (node.kind == "deduplicate") {
      InspectDeduplicate(graph, i, findings);
    }
  }
}

}  // namespace fss
