#include "sidecar/base/flink_duration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "sidecar/base/ascii.h"
#include "sidecar/base/millis.h"

namespace fss {
namespace {

// How much of a refused text an error shows.
constexpr std::size_t kShownDurationBytes = 60;

// A unit label of TimeUtils, lower case. Micro- and nanoseconds are cut to milliseconds: the TTL
// that operators use is Duration.toMillis().
struct UnitLabel {
  std::string_view label;
  std::int64_t millis;
  std::size_t digits_below_millis;
};

constexpr std::array<UnitLabel, 25> kLabels = {{
    {"d", kMillisPerDay, 0},
    {"day", kMillisPerDay, 0},
    {"days", kMillisPerDay, 0},
    {"h", kMillisPerHour, 0},
    {"hour", kMillisPerHour, 0},
    {"hours", kMillisPerHour, 0},
    {"m", kMillisPerMinute, 0},
    {"min", kMillisPerMinute, 0},
    {"minute", kMillisPerMinute, 0},
    {"minutes", kMillisPerMinute, 0},
    {"s", kMillisPerSecond, 0},
    {"sec", kMillisPerSecond, 0},
    {"secs", kMillisPerSecond, 0},
    {"second", kMillisPerSecond, 0},
    {"seconds", kMillisPerSecond, 0},
    {"ms", 1, 0},
    {"milli", 1, 0},
    {"millis", 1, 0},
    {"millisecond", 1, 0},
    {"milliseconds", 1, 0},
    {"\xC2\xB5s", 1, 3},  // the micro sign
    {"micro", 1, 3},
    {"micros", 1, 3},
    {"microsecond", 1, 3},
    {"microseconds", 1, 3},
}};
constexpr std::array<UnitLabel, 5> kNanoLabels = {{
    {"ns", 1, 6},
    {"nano", 1, 6},
    {"nanos", 1, 6},
    {"nanosecond", 1, 6},
    {"nanoseconds", 1, 6},
}};

// As Java's String.trim(): every character up to the blank, no Unicode spaces.
std::string_view Trim(std::string_view text) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

Error Refused(std::string_view text, const char* why) {
  std::string shown(text.substr(0, kShownDurationBytes));
  if (text.size() > kShownDurationBytes) shown += "...";
  return Error{ErrorCode::kMalformed, "\"" + shown + "\" is no duration that Flink loads: " + why,
               ""};
}

std::optional<std::int64_t> ToInt64(std::string_view digits) {
  std::int64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

const UnitLabel* FindLabel(std::string_view label) {
  std::string lower(label.substr(0, kShownDurationBytes));
  std::transform(lower.begin(), lower.end(), lower.begin(), LowerAscii);
  for (const UnitLabel& unit : kLabels) {
    if (unit.label == lower) return &unit;
  }
  for (const UnitLabel& unit : kNanoLabels) {
    if (unit.label == lower) return &unit;
  }
  return nullptr;
}

// `digits` of `unit` in milliseconds. Flink before 2.3 reads the number into 64 bits first; 2.3
// only needs the result to fit (`any_length`).
std::optional<std::int64_t> ToMillis(std::string_view digits, const UnitLabel& unit,
                                     bool any_length) {
  if (!any_length && !ToInt64(digits)) return std::nullopt;
  if (digits.size() <= unit.digits_below_millis) return 0;
  digits.remove_suffix(unit.digits_below_millis);
  const std::optional<std::int64_t> value = ToInt64(digits);
  if (!value || *value > std::numeric_limits<std::int64_t>::max() / unit.millis) {
    return std::nullopt;
  }
  return *value * unit.millis;
}

// java.time.Duration.parse: [+-]P[nD][T[nH][nM][n[.fraction]S]], any case, each n with a sign of
// its own, at least one part, a T only before a part.
class Iso8601Reader {
 public:
  explicit Iso8601Reader(std::string_view text) : rest_(text) {}

  // Milliseconds, rounded down; absent when malformed, negative, or beyond 64 bits.
  std::optional<std::int64_t> Millis() {
    const bool negative = Take('-');
    if (!negative) Take('+');
    if (!Take('P')) return std::nullopt;
    bool any = Part('D', kMillisPerDay / kMillisPerSecond);
    if (Take('T')) {
      const bool hours = Part('H', kMillisPerHour / kMillisPerSecond);
      const bool minutes = Part('M', kMillisPerMinute / kMillisPerSecond);
      const bool seconds = Seconds();
      any = hours || minutes || seconds;
    }
    if (!any || overflow_ || !rest_.empty()) return std::nullopt;
    return Sum(negative);
  }

 private:
  bool Take(char upper) {
    if (rest_.empty() || LowerAscii(rest_[0]) != LowerAscii(upper)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // A number with its sign from the start of rest_; its length, 0 when there is none.
  std::size_t NumberLength() const {
    std::size_t at = !rest_.empty() && (rest_[0] == '-' || rest_[0] == '+') ? 1 : 0;
    const std::size_t first = at;
    while (at < rest_.size() && IsDigit(rest_[at])) ++at;
    return at == first ? 0 : at;
  }

  void Add(std::string_view number, std::int64_t seconds_each) {
    if (number[0] == '+') number.remove_prefix(1);
    const std::optional<std::int64_t> value = ToInt64(number);
    std::int64_t product = 0;
    overflow_ = overflow_ || !value || __builtin_mul_overflow(*value, seconds_each, &product) ||
                __builtin_add_overflow(seconds_, product, &seconds_);
  }

  bool Part(char unit, std::int64_t seconds_each) {
    const std::size_t length = NumberLength();
    if (length == 0 || length >= rest_.size() || LowerAscii(rest_[length]) != LowerAscii(unit)) {
      return false;
    }
    Add(rest_.substr(0, length), seconds_each);
    rest_.remove_prefix(length + 1);
    return true;
  }

  bool Seconds() {
    constexpr std::size_t kMaxFraction = 9;
    const std::size_t length = NumberLength();
    if (length == 0) return false;
    const std::string_view number = rest_.substr(0, length);
    std::string_view after = rest_.substr(length);
    std::string fraction;
    if (!after.empty() && (after[0] == '.' || after[0] == ',')) {
      after.remove_prefix(1);
      while (!after.empty() && IsDigit(after[0]) && fraction.size() < kMaxFraction) {
        fraction += after[0];
        after.remove_prefix(1);
      }
    }
    if (after.empty() || LowerAscii(after[0]) != 's') return false;
    Add(number, 1);
    fraction.resize(kMaxFraction, '0');
    nanos_ = ToInt64(fraction).value_or(0);
    if (number[0] == '-') nanos_ = -nanos_;
    rest_ = after.substr(1);
    return true;
  }

  std::optional<std::int64_t> Sum(bool negative) const {
    constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
    std::int64_t seconds = seconds_;
    std::int64_t nanos = nanos_;
    if (negative) {
      if (__builtin_sub_overflow(std::int64_t{0}, seconds, &seconds)) return std::nullopt;
      nanos = -nanos;
    }
    if (nanos < 0) {
      if (__builtin_sub_overflow(seconds, std::int64_t{1}, &seconds)) return std::nullopt;
      nanos += kNanosPerSecond;
    }
    std::int64_t millis = 0;
    if (seconds < 0 || __builtin_mul_overflow(seconds, kMillisPerSecond, &millis) ||
        __builtin_add_overflow(millis, nanos / 1'000'000, &millis)) {
      return std::nullopt;
    }
    return millis;
  }

  std::string_view rest_;
  std::int64_t seconds_ = 0;
  std::int64_t nanos_ = 0;
  bool overflow_ = false;
};

}  // namespace

Result<std::int64_t> ParseFlinkDuration(std::string_view text, bool allow_iso8601) {
  const std::string_view trimmed = Trim(text);
  if (trimmed.empty()) return Refused(text, "it is empty");
  const auto* after_digits = std::find_if_not(trimmed.begin(), trimmed.end(), IsDigit);
  const auto length = static_cast<std::size_t>(after_digits - trimmed.begin());
  if (length == 0) {
    const std::optional<std::int64_t> millis = Iso8601Reader(trimmed).Millis();
    if (!millis) return Refused(text, "it does not start with a digit");
    if (!allow_iso8601) return Refused(text, "ISO-8601 is read from Flink 2.3 on");
    return *millis;
  }
  const std::string_view label = Trim(trimmed.substr(length));
  const UnitLabel* unit = FindLabel(label.empty() ? "ms" : label);
  if (unit == nullptr) return Refused(text, "the unit is unknown");
  const std::optional<std::int64_t> millis =
      ToMillis(trimmed.substr(0, length), *unit, allow_iso8601);
  if (!millis) return Refused(text, "more milliseconds than 64 bits hold");
  return *millis;
}

std::string FormatFlinkDuration(std::int64_t millis) {
  struct Unit {
    std::int64_t millis;
    const char* label;
  };
  constexpr std::array<Unit, 4> kUnits = {{{kMillisPerDay, " d"},
                                           {kMillisPerHour, " h"},
                                           {kMillisPerMinute, " min"},
                                           {kMillisPerSecond, " s"}}};
  for (const Unit& unit : kUnits) {
    if (millis != 0 && millis % unit.millis == 0) {
      return std::to_string(millis / unit.millis) + unit.label;
    }
  }
  return std::to_string(millis) + " ms";
}

}  // namespace fss
