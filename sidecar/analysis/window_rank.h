// Deduplications and Top-Ns in a plan, and the SQL that bounds them by a window.
//
// Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

// A deduplication that orders its rows by processing time: by their arrival.
bool OrdersByArrival(const PlanNode& node);

// A Top-N or an ORDER BY with LIMIT over all rows, without PARTITION BY: one subtask does it.
bool RanksAllRows(const PlanNode& node);

// A Top-N that has to keep rows below its last rank too, because its input takes rows back.
bool RanksChangingRows(const PlanNode& node);

// The last rank that is wanted: 10 of "the first ten". Absent where a column tells it.
std::optional<std::int64_t> LastRank(const PlanNode& node);

// A window deduplication or window Top-N that could take the place of `node`, as SQL: lines,
// indented by four spaces, each ended by a line break. What the plan does not tell stands as a word
// in angle brackets. Empty for other kinds.
std::string WindowRankSql(const PlanGraph& graph, std::size_t node);

}  // namespace fss
