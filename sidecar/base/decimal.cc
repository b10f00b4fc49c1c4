#include "sidecar/base/decimal.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "sidecar/base/ascii.h"

namespace fss {
namespace {

constexpr int kDigits = 18;
constexpr std::int64_t kUnit = 1'000'000'000'000'000'000;  // 10^kDigits
// Longer texts are no numbers of Flink's: DECIMAL has at most 38 digits.
constexpr std::size_t kMaxText = 64;

Error NoNumber() { return {ErrorCode::kMalformed, "not a number", ""}; }
Error TooManyDigits() { return {ErrorCode::kTooLarge, "a number with too many digits", ""}; }

// "+5", "-7", "12"; absent digits and more than four are no exponent.
bool ParseExponent(std::string_view text, int* exponent) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  if (text.empty() || text.size() > 4) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *exponent);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<Decimal> Decimal::Parse(std::string_view text) {
  if (text.size() > kMaxText) return NoNumber();
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits;
  int point = -1;  // digits before it; -1: none seen
  std::size_t at = 0;
  for (; at < text.size() && (IsDigit(text[at]) || text[at] == '.'); ++at) {
    if (IsDigit(text[at])) {
      digits += text[at];
    } else if (point >= 0) {
      return NoNumber();
    } else {
      point = static_cast<int>(digits.size());
    }
  }
  if (digits.empty()) return NoNumber();
  if (point < 0) point = static_cast<int>(digits.size());
  if (at < text.size()) {
    int exponent = 0;
    if (text[at] != 'E' && text[at] != 'e') return NoNumber();
    if (!ParseExponent(text.substr(at + 1), &exponent)) return NoNumber();
    point += exponent;
  }

  // Digit i stands for 10^(point - 1 - i).
  std::int64_t whole = 0;
  std::int64_t fraction = 0;
  for (int i = 0; i < static_cast<int>(digits.size()); ++i) {
    const int digit = digits[static_cast<std::size_t>(i)] - '0';
    if (digit == 0) continue;
    const int power = point - 1 - i;
    if (power >= kDigits || power < -kDigits) return TooManyDigits();
    std::int64_t weight = 1;
    for (int n = 0; n < (power >= 0 ? power : kDigits + power); ++n) weight *= 10;
    (power >= 0 ? whole : fraction) += digit * weight;
  }
  if (!negative) return Decimal(whole, fraction);
  return fraction == 0 ? Decimal(-whole, 0) : Decimal(-whole - 1, kUnit - fraction);
}

Result<Decimal> Decimal::Plus(const Decimal& other) const {
  std::int64_t fraction = fraction_ + other.fraction_;
  const std::int64_t carry = fraction >= kUnit ? 1 : 0;
  fraction -= carry * kUnit;
  std::int64_t whole = 0;
  if (__builtin_add_overflow(whole_, other.whole_, &whole) ||
      __builtin_add_overflow(whole, carry, &whole)) {
    return TooManyDigits();
  }
  return Decimal(whole, fraction);
}

std::string Decimal::ToString() const {
  const bool borrow = whole_ < 0 && fraction_ > 0;  // -0.5 is held as -1 + 0.5
  const std::int64_t whole = borrow ? whole_ + 1 : whole_;
  const std::int64_t fraction = borrow ? kUnit - fraction_ : fraction_;
  std::string text = borrow && whole == 0 ? "-0" : std::to_string(whole);
  if (fraction == 0) return text;
  std::string decimals = std::to_string(fraction);
  decimals.insert(0, static_cast<std::size_t>(kDigits) - decimals.size(), '0');
  decimals.erase(decimals.find_last_not_of('0') + 1);
  return text.append(".").append(decimals);
}

}  // namespace fss
