// Decimal: an exact number with up to 18 digits before and 18 after the point, for sums that must
// not round.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

// Equal numbers are equal however they were written: 1, 1.0 and 1E0. Immutable; safe from any
// thread.
class Decimal {
 public:
  Decimal() = default;
  explicit Decimal(std::int64_t whole) : whole_(whole) {}

  // "-12.50", "4.1573E4" (as Java writes a DOUBLE): sign, digits, point, exponent. kMalformed for
  // anything else, white space included; kTooLarge for more digits than there is room for.
  static Result<Decimal> Parse(std::string_view text);

  // kTooLarge where the sum does not fit.
  Result<Decimal> Plus(const Decimal& other) const;

  // Without zeros at the end: "41573", "-0.5".
  std::string ToString() const;

  bool operator==(const Decimal&) const = default;

 private:
  Decimal(std::int64_t whole, std::int64_t fraction) : whole_(whole), fraction_(fraction) {}

  // The number is whole_ + fraction_ / 10^18; the fraction is never negative.
  std::int64_t whole_ = 0;
  std::int64_t fraction_ = 0;
};

}  // namespace fss
