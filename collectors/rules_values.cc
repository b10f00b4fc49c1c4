#include "collectors/rules_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "collectors/rules_limits.h"
#include "sidecar/base/ascii.h"
#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxDigits = 20;
constexpr double kMaxBytes = static_cast<double>(std::int64_t{1} << 60U);
constexpr double kMaxNumber = 1e9;
constexpr std::int64_t kDayMillis = 24LL * 60 * 60 * 1000;

struct ByteUnit {
  std::string_view name;  // lower case
  double bytes;
};

constexpr std::array<ByteUnit, 10> kByteUnits = {{{"", 1},
                                                  {"b", 1},
                                                  {"kb", 1e3},
                                                  {"mb", 1e6},
                                                  {"gb", 1e9},
                                                  {"tb", 1e12},
                                                  {"kib", 1024.0},
                                                  {"mib", 1048576.0},
                                                  {"gib", 1073741824.0},
                                                  {"tib", 1099511627776.0}}};

Error Bad(std::string_view text, std::string_view why) {
  return Error{ErrorCode::kMalformed,
               "'" + OneLine(text, kShownRuleBytes) + "' is " + std::string(why), ""};
}

// Takes "12" or "1.5" off the head of `text`. No sign, no exponent, no "inf".
std::optional<double> TakeDecimal(std::string_view* text) {
  const auto* const begin = text->begin();
  const auto* const stop = std::find_if_not(begin, text->end(), IsDigit);
  const auto* end = stop;
  if (stop != text->end() && *stop == '.') {
    end = std::find_if_not(stop + 1, text->end(), IsDigit);
    if (end == stop + 1) return std::nullopt;
  }
  if (stop == begin || end - begin > static_cast<std::ptrdiff_t>(kMaxDigits)) return std::nullopt;
  double value = 0;
  const auto [parsed, error] = std::from_chars(begin, end, value, std::chars_format::fixed);
  if (error != std::errc() || parsed != end) return std::nullopt;
  text->remove_prefix(static_cast<std::size_t>(end - begin));
  return value;
}

std::optional<double> UnitBytes(std::string_view unit) {
  std::string lower(unit.substr(0, kShownRuleBytes));
  std::transform(lower.begin(), lower.end(), lower.begin(), LowerAscii);
  const auto* const found = std::find_if(kByteUnits.begin(), kByteUnits.end(),
                                         [&](const ByteUnit& u) { return u.name == lower; });
  return found == kByteUnits.end() ? std::nullopt : std::optional(found->bytes);
}

// `text` against a pattern in which "0" stands for a digit.
bool HasShape(std::string_view text, std::string_view pattern) {
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(),
                    [](char c, char p) { return p == '0' ? IsDigit(c) : c == p; });
}

// Digits alone, by HasShape.
unsigned Digits(std::string_view text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  for (const char c : text.substr(at, count)) value = value * 10 + static_cast<unsigned>(c - '0');
  return value;
}

// Milliseconds of the begin of the day "2027-03-31"; absent when there is no such day.
std::optional<std::int64_t> DayStart(std::string_view text) {
  constexpr unsigned kFirstYear = 1970;
  const unsigned year = Digits(text, 0, 4);
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(year)),
                                        std::chrono::month(Digits(text, 5, 2)),
                                        std::chrono::day(Digits(text, 8, 2))};
  if (year < kFirstYear || !day.ok()) return std::nullopt;
  return std::int64_t{std::chrono::sys_days(day).time_since_epoch().count()} * kDayMillis;
}

}  // namespace

Result<std::int64_t> ParseByteSize(std::string_view text) {
  constexpr std::string_view kExpected = "no size such as 512, 64 MiB or 1.5 GB";
  std::string_view rest = text;
  const std::optional<double> number = TakeDecimal(&rest);
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const std::optional<double> unit = UnitBytes(rest);
  if (!number.has_value() || !unit.has_value()) return Bad(text, kExpected);
  const double bytes = std::round(*number * *unit);
  if (bytes > kMaxBytes) return Bad(text, "more than 1048576 TiB");
  return static_cast<std::int64_t>(bytes);
}

Result<std::int64_t> ParseSpan(std::string_view text) {
  Result<std::int64_t> millis = ParseFlinkDuration(text, /*allow_iso8601=*/false);
  if (!millis.ok() || IsDigit(text.back())) return Bad(text, "no duration such as 12 h or 3 d");
  if (*millis < 1) return Bad(text, "not more than 0");
  return millis;
}

Result<double> ParseNumber(std::string_view text) {
  std::string_view rest = text;
  const std::optional<double> number = TakeDecimal(&rest);
  if (!number.has_value() || !rest.empty()) return Bad(text, "no number such as 4 or 0.7");
  if (*number > kMaxNumber) return Bad(text, "too large");
  return *number;
}

Result<std::int64_t> ParseUntil(std::string_view text) {
  constexpr std::string_view kDay = "0000-00-00";
  constexpr std::string_view kTime = "0000-00-00T00:00:00Z";
  const bool has_time = HasShape(text, kTime);
  if (!has_time && !HasShape(text, kDay)) {
    return Bad(text, "neither a date (2027-03-31) nor a time (2027-03-31T12:00:00Z)");
  }
  const std::optional<std::int64_t> day = DayStart(text);
  if (!day.has_value()) return Bad(text, "no date");
  if (!has_time) return *day + kDayMillis;
  const unsigned hour = Digits(text, 11, 2);
  const unsigned minute = Digits(text, 14, 2);
  const unsigned second = Digits(text, 17, 2);
  if (hour > 23 || minute > 59 || second > 59) return Bad(text, "no time of a day");
  return *day + ((std::int64_t{hour} * 60 + minute) * 60 + second) * 1000;
}

}  // namespace fss
