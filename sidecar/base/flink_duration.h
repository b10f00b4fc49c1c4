// Durations as Flink writes and loads them (TimeUtils.parseDuration, 1.18 to 2.3).
// Pure functions; safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// The milliseconds of a TTL text exactly as Flink loads it from a compiled plan: "30 min", "1d",
// "3 days", " 1 h ", "86400000" (ms), "1 µs" (0 ms after Flink's own rounding down).
// Flink 2.3 also reads ISO-8601 ("PT1H"): accepted when `allow_iso8601`.
// kMalformed for what Flink refuses: "", "-1 ms", "1.5 h", "1 w", a number beyond 64 bits.
Result<std::int64_t> ParseFlinkDuration(std::string_view text, bool allow_iso8601);

// How Flink prints a duration in plans (TimeUtils.formatWithHighestUnit): the largest unit that
// divides it: 1800000 → "30 min", 86400000 → "1 d", 0 → "0 ms".
std::string FormatFlinkDuration(std::int64_t millis);

}  // namespace fss
