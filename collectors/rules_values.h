// Values of the rules file out of their texts. Pure functions; safe from any thread. All errors are
// kMalformed, quote the text and have no context: the reader knows line and key.
#pragma once

#include <cstdint>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// "512", "512 B", "64 MiB", "1.5 GB": bytes, from 0 to 1 EiB. KiB to TiB count in 1024, kB to TB
// in 1000; capitals do not matter.
Result<std::int64_t> ParseByteSize(std::string_view text);

// "12 h", "3 d": milliseconds, more than 0, as Flink writes durations; the unit is a must.
Result<std::int64_t> ParseSpan(std::string_view text);

// "4", "0.7": from 0 to 1e9.
Result<double> ParseNumber(std::string_view text);

// The end of an acknowledgement in milliseconds since 1970, UTC: "2027-03-31" holds through that
// day, "2027-03-31T12:00:00Z" until that second. Years 1970 to 9999.
Result<std::int64_t> ParseUntil(std::string_view text);

}  // namespace fss
