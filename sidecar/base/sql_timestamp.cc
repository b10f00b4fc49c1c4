#include "sidecar/base/sql_timestamp.h"

#include <array>
#include <chrono>
#include <cstdio>

#include "sidecar/base/ascii.h"
#include "sidecar/base/millis.h"

namespace fss {
namespace {

constexpr std::string_view kPattern = "dddd-dd-dd dd:dd:dd";
constexpr std::size_t kMaxDecimals = 9;

bool FitsPattern(std::string_view text) {
  for (std::size_t i = 0; i < kPattern.size(); ++i) {
    if (kPattern[i] == 'd' ? !IsDigit(text[i]) : text[i] != kPattern[i]) return false;
  }
  return true;
}

int Number(std::string_view digits) {
  int number = 0;
  for (const char c : digits) number = 10 * number + (c - '0');
  return number;
}

// The milliseconds of ".25", ".123456"; absent for what is no fraction.
std::optional<int> Millis(std::string_view fraction) {
  if (fraction.empty()) return 0;
  if (fraction.front() != '.' || fraction.size() < 2 || fraction.size() > 1 + kMaxDecimals) {
    return std::nullopt;
  }
  std::array<char, 3> digits = {'0', '0', '0'};
  for (std::size_t i = 1; i < fraction.size(); ++i) {
    if (!IsDigit(fraction[i])) return std::nullopt;
    if (i <= digits.size()) digits[i - 1] = fraction[i];
  }
  return Number({digits.data(), digits.size()});
}

}  // namespace

std::optional<std::int64_t> ParseSqlTimestamp(std::string_view text) {
  if (text.size() < kPattern.size() || !FitsPattern(text)) return std::nullopt;
  const std::chrono::year_month_day day(
      std::chrono::year(Number(text.substr(0, 4))),
      std::chrono::month(static_cast<unsigned>(Number(text.substr(5, 2)))),
      std::chrono::day(static_cast<unsigned>(Number(text.substr(8, 2)))));
  const int hour = Number(text.substr(11, 2));
  const int minute = Number(text.substr(14, 2));
  const int second = Number(text.substr(17, 2));
  const auto millis = Millis(text.substr(kPattern.size()));
  if (!day.ok() || hour > 23 || minute > 59 || second > 59 || !millis) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
  return days * 24 * kMillisPerHour + hour * kMillisPerHour + minute * kMillisPerMinute +
         second * kMillisPerSecond + *millis;
}

std::string FormatSqlTimestamp(std::int64_t millis) {
  const std::chrono::sys_time<std::chrono::milliseconds> time{std::chrono::milliseconds(millis)};
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day day(midnight);
  const std::chrono::hh_mm_ss clock(time - midnight);
  std::array<char, 64> text{};
  const auto rest = clock.subseconds().count();
  const int length = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02u %02d:%02d:%02d", static_cast<int>(day.year()),
      static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()));
  std::string shown(text.data(), static_cast<std::size_t>(length));
  if (rest != 0) {
    std::string decimals = std::to_string(rest);
    shown.append(".").append(3 - decimals.size(), '0').append(decimals);
  }
  return shown;
}

}  // namespace fss
