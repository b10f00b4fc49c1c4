// Flink's own vocabulary: what may stay when names are taken out of a recording.
//
// Exact words only. Pure functions; safe from any thread.
#pragma once

#include <string_view>

namespace fss {

// Before a bracket: "Join", "SUM_RETRACT", "TUMBLE", "VARCHAR", "hash".
bool IsFlinkCallable(std::string_view word);
// Before "=" in an operator's description: "joinType", "where".
bool IsFlinkAttribute(std::string_view word);
// Anywhere: "AND", "BIGINT", "InnerJoin", "true".
bool IsFlinkWord(std::string_view word);
// A part of a plan node's type: "stream", "group", "aggregate".
bool IsFlinkTypePart(std::string_view word);
// An entry of a plan, or a state in RocksDB's metrics: "leftState", "left-records".
bool IsFlinkState(std::string_view name);

}  // namespace fss
