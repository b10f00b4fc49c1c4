// Pieces of advice about a query, as SQL where it can be written down from the plan.
//
// A plan knows tables and keys but not the query's aliases, nor column names that Flink renamed:
// what is not known stands as a word in angle brackets. Pure functions; safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

// Whether the node's output is its input, less or reshaped: rows pass, nothing is kept for long.
bool PassesRows(const PlanNode& node);

// What feeds one input of an operator.
struct InputOrigin {
  std::string table;        // the one table it comes from, through stateless operators; else empty
  std::string time_column;  // the rowtime column on the way; empty where there is none
  std::vector<std::string> columns;  // of the scan
  std::string operator_label;        // else the operator that it comes from: "Join[19]"
  std::vector<std::string> tables;   // behind that operator, where known
};

// The origin of what `node` gives to its consumer.
InputOrigin OriginOf(const PlanGraph& graph, std::size_t node);

// Per input of `node`.
std::vector<InputOrigin> OriginsOf(const PlanGraph& graph, std::size_t node);

// "orders", else "the result of Join[19]", else "input 1".
std::string OriginName(const InputOrigin& origin, std::size_t input);
// The same where it is told first: "the result of Join[19] over orders and payments".
std::string OriginWithTables(const InputOrigin& origin, std::size_t input);

// The condition of a join on one key, its inputs called l and r: "l.order_id = r.order_id"; for any
// other one a word in angle brackets.
std::string JoinConditionSql(const PlanNode& join, const InputOrigin& left,
                             const InputOrigin& right);

// Lines, each ended by a line break, SQL indented by four spaces: the STATE_TTL hint for `node`
// (a join or GROUP BY), and the query that measures which TTL the data needs. Empty where a hint
// does not reach the kind.
std::string HintAdvice(const PlanGraph& graph, std::size_t node);

// The query that measures the longest pause between two rows of one key, for what keeps state by
// key; for a join, between matching rows.
std::string MeasureAdvice(const PlanGraph& graph, std::size_t node);

// table.exec.state.ttl, and what else in this plan it reaches.
std::string JobWideAdvice(const PlanGraph& graph, std::size_t node);

// The ttl field in the plan's file: it keeps the ids, and so the state.
std::string PlanEditAdvice(const PlanNode& node, const std::string& entry, const std::string& ttl);

}  // namespace fss
