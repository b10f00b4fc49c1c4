// How long an operator that time cleans keeps a row: its window, its interval.
//
// Out of descriptions as Flink 1.18 to 2.3 writes them. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fss {

// The size of a tumbling, hopping or cumulative window, the reach of an interval join, the range of
// an OVER, in milliseconds. Absent where nothing of the kind bounds it: session windows go on as
// long as their rows do, a pattern without WITHIN too. On event time it is the watermark's
// time, which may lag or, while a backlog is read, fly.
std::optional<std::int64_t> TimeBoundOf(std::string_view description);

}  // namespace fss
