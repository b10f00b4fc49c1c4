#include "sidecar/base/decimal.h"

#include <gtest/gtest.h>

#include <limits>

namespace fss {
namespace {

std::string Shown(std::string_view text) {
  const auto number = Decimal::Parse(text);
  return number.ok() ? number->ToString() : "error: " + number.error().message;
}

Decimal Of(std::string_view text) { return Decimal::Parse(text).value(); }

std::string Sum(std::string_view left, std::string_view right) {
  const auto sum = Of(left).Plus(Of(right));
  return sum.ok() ? sum->ToString() : "error: " + sum.error().message;
}

TEST(Decimal, ReadsWhatFlinkPrints) {
  EXPECT_EQ(Shown("41573"), "41573");
  EXPECT_EQ(Shown("41573.00"), "41573");
  EXPECT_EQ(Shown("-12.50"), "-12.5");
  EXPECT_EQ(Shown("-0.5"), "-0.5");
  EXPECT_EQ(Shown("0.000000000000000001"), "0.000000000000000001");
  EXPECT_EQ(Shown("4.1573E4"), "41573");
  EXPECT_EQ(Shown("1.0E-3"), "0.001");
  EXPECT_EQ(Shown("1e+3"), "1000");
  EXPECT_EQ(Shown("-0.0"), "0");
}

TEST(Decimal, EqualHoweverWritten) {
  EXPECT_EQ(Of("1"), Of("1.0"));
  EXPECT_EQ(Of("1E0"), Decimal(1));
  EXPECT_EQ(Of("-1.5"), Of("-15E-1"));
  EXPECT_NE(Of("0.1"), Of("0.10000000000000001"));
}

TEST(Decimal, RefusesTheRest) {
  for (const char* text : {"", "-", ".", "1.2.3", "1 ", " 1", "x", "1E", "1E+-5", "1E99999", "0x1",
                           "<NULL>", "NaN", "--1", "1,5"}) {
    EXPECT_EQ(Shown(text), "error: not a number") << text;
  }
  EXPECT_EQ(Shown("1000000000000000000"), "error: a number with too many digits");
  EXPECT_EQ(Shown("1E-19"), "error: a number with too many digits");
  EXPECT_EQ(Shown("1E999"), "error: a number with too many digits");
  EXPECT_EQ(Shown("0E999"), "0");
}

TEST(Decimal, SumsAreExact) {
  EXPECT_EQ(Sum("0.1", "0.2"), "0.3");
  EXPECT_EQ(Sum("0.9", "0.1"), "1");
  EXPECT_EQ(Sum("-0.5", "0.25"), "-0.25");
  EXPECT_EQ(Sum("-1.5", "-1.5"), "-3");
  EXPECT_EQ(Sum("1.5", "-1.5"), "0");
  EXPECT_EQ(Sum("123456789012345678", "0.000000000000000001"),
            "123456789012345678.000000000000000001");
}

TEST(Decimal, SumsThatDoNotFitAreErrors) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(Decimal(kMost).Plus(Decimal(1)).ok());
  EXPECT_FALSE(Decimal(std::numeric_limits<std::int64_t>::min()).Plus(Of("-0.5")).ok());
  EXPECT_EQ(Decimal(kMost).Plus(Decimal(-1))->ToString(), std::to_string(kMost - 1));
}

}  // namespace
}  // namespace fss
