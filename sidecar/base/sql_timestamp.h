// A TIMESTAMP without time zone, as Flink's csv format reads it and its SQL client prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fss {

// "2026-01-01 00:00:25", with up to nine decimals: milliseconds since 1970 as if it were UTC, what
// is finer cut off. Absent for anything else, such as a day that no calendar has. Pure.
std::optional<std::int64_t> ParseSqlTimestamp(std::string_view text);

// "2026-01-01 00:10:00", with ".250" where there are milliseconds. For what ParseSqlTimestamp
// returned and the like: years 0 to 9999.
std::string FormatSqlTimestamp(std::int64_t millis);

}  // namespace fss
