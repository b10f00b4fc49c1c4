#include "sidecar/base/flink_duration.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace fss {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

// What Flink 1.18 to 2.2, and 2.3, load; absent is refused. The expected values were printed by
// TimeUtils.parseDuration(text).toMillis() of Flink 1.20.5 and 2.3.0.
struct Case {
  std::string_view text;
  std::optional<std::int64_t> before_23;
  std::optional<std::int64_t> from_23;
};

constexpr std::optional<std::int64_t> kRefused;

Case Both(std::string_view text, std::optional<std::int64_t> millis) {
  return {text, millis, millis};
}

class FlinkDurationTest : public testing::TestWithParam<Case> {};

TEST_P(FlinkDurationTest, LoadsWhatFlinkLoads) {
  const Case& c = GetParam();
  for (const bool iso : {false, true}) {
    const std::optional<std::int64_t> want = iso ? c.from_23 : c.before_23;
    const Result<std::int64_t> got = ParseFlinkDuration(c.text, iso);
    ASSERT_EQ(got.ok(), want.has_value()) << "\"" << c.text << "\" iso=" << iso;
    if (got.ok()) {
      EXPECT_EQ(*got, *want) << c.text;
    } else {
      EXPECT_EQ(got.error().code, ErrorCode::kMalformed);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Units, FlinkDurationTest,
    testing::Values(Both("0 ms", 0), Both("1d", 86400000), Both("1 day", 86400000),
                    Both("3 days", 259200000), Both("1 DAY", 86400000), Both("1 DAYs", 86400000),
                    Both("1 h", 3600000), Both("1 hour", 3600000), Both("2 HOURS", 7200000),
                    Both("1 m", 60000), Both("1 M", 60000), Both("30 min", 1800000),
                    Both("1 minute", 60000), Both("1 minutes", 60000), Both("1 s", 1000),
                    Both("1 sec", 1000), Both("1 secs", 1000), Both("1 second", 1000),
                    Both("1 seconds", 1000), Both("1 milli", 1), Both("1 millis", 1),
                    Both("1 millisecond", 1), Both("1 milliseconds", 1), Both("86400000", 86400000),
                    Both("1 \xC2\xB5s", 0), Both("1 \xC2\xB5S", 0), Both("1999 micros", 1),
                    Both("1 micro", 0), Both("1 microsecond", 0), Both("2000 microseconds", 2),
                    Both("1 ns", 0), Both("1 nano", 0), Both("999999 nanos", 0),
                    Both("1000000 nanosecond", 1), Both("1 nanoseconds", 0)));

INSTANTIATE_TEST_SUITE_P(
    Refused, FlinkDurationTest,
    testing::Values(Both("", kRefused), Both("  \t", kRefused), Both("-1 ms", kRefused),
                    Both("+1 ms", kRefused), Both("1.5 h", kRefused), Both("1 w", kRefused),
                    Both("1 mins", kRefused), Both("1 hs", kRefused), Both("1 hrs", kRefused),
                    Both("1 ds", kRefused), Both("1 mss", kRefused), Both("1 nss", kRefused),
                    Both("1 us", kRefused), Both("1 h 30 min", kRefused), Both("1_000", kRefused),
                    Both("0x10", kRefused), Both("h", kRefused), Both("true", kRefused),
                    Both("1 \xCE\xBCs", kRefused),  // the Greek letter, not the micro sign
                    Both("\xD9\xA1 h", kRefused),   // ARABIC-INDIC DIGIT ONE
                    Both("1\xC2\xA0h", kRefused),   // no-break space is no blank to trim()
                    Both("1 m\xC4\xB0n", kRefused),
                    Both(std::string_view("1\0h\0h", 5), kRefused)));

INSTANTIATE_TEST_SUITE_P(BlanksAndZeros, FlinkDurationTest,
                         testing::Values(Both(" 1 h ", 3600000), Both("1\th", 3600000),
                                         Both("\x01"
                                              "1h\x1F",
                                              3600000),
                                         Both(std::string_view("\0001 h\0", 5), 3600000),
                                         Both("00000000000000000000000000000001 d", 86400000),
                                         Both("0 d", 0)));

INSTANTIATE_TEST_SUITE_P(
    Overflow, FlinkDurationTest,
    testing::Values(Both("9223372036854775807 ms", kMax), Both("9223372036854775807", kMax),
                    Both("9223372036854775808 ms", kRefused),
                    Both("9223372036854775807 s", kRefused),
                    Both("9223372036854775807 d", kRefused),
                    Both("106751991167 d", 9223372036828800000), Both("106751991168 d", kRefused),
                    Both("9223372036854775807 ns", 9223372036854),
                    // 2.3 reads numbers of any length and only needs the result to fit.
                    Case{"9223372036854775808 ns", kRefused, 9223372036854}));

INSTANTIATE_TEST_SUITE_P(
    Iso8601, FlinkDurationTest,
    testing::Values(Case{"PT1H", kRefused, 3600000}, Case{"pt1h", kRefused, 3600000},
                    Case{" PT1H ", kRefused, 3600000}, Case{"PT1H30M", kRefused, 5400000},
                    Case{"P1D", kRefused, 86400000}, Case{"P1DT2H", kRefused, 93600000},
                    Case{"+PT1H", kRefused, 3600000}, Case{"PT+5S", kRefused, 5000},
                    Case{"PT0S", kRefused, 0}, Case{"-PT0S", kRefused, 0},
                    Case{"-PT-1H", kRefused, 3600000}, Case{"PT1M-30S", kRefused, 30000},
                    Case{"PT0.001S", kRefused, 1}, Case{"PT1,5S", kRefused, 1500},
                    Case{"PT0.0001S", kRefused, 0}, Case{"PT1h1m1.123456789S", kRefused, 3661123},
                    Case{"P-1DT48H", kRefused, 86400000}, Case{"PT1.S", kRefused, 1000},
                    Case{"P106751991167D", kRefused, 9223372036828800000}));

INSTANTIATE_TEST_SUITE_P(NoIso8601, FlinkDurationTest,
                         testing::Values(Both("PT-1H", kRefused), Both("-PT1H", kRefused),
                                         Both("PT-0.5S", kRefused), Both("PT1.5H", kRefused),
                                         Both("P1W", kRefused), Both("P1M", kRefused),
                                         Both("P", kRefused), Both("PT", kRefused),
                                         Both("P1DT", kRefused), Both("PT1H 30M", kRefused),
                                         Both("PT1M1H", kRefused), Both("PT1S1", kRefused),
                                         Both("P-1D", kRefused), Both("PT1.1234567891S", kRefused),
                                         Both("PT9223372036854775807S", kRefused),
                                         Both("PT9223372036854775808S", kRefused),
                                         Both("PT9223372036854775807H", kRefused),
                                         Both("-PT-9223372036854775808S", kRefused),
                                         Both("PT-9223372036854775808S", kRefused)));

TEST(FlinkDurationErrorTest, SaysWhy) {
  EXPECT_EQ(ParseFlinkDuration("1 w", true).error().message,
            "\"1 w\" is no duration that Flink loads: the unit is unknown");
  EXPECT_EQ(ParseFlinkDuration("PT1H", false).error().message,
            "\"PT1H\" is no duration that Flink loads: ISO-8601 is read from Flink 2.3 on");
  EXPECT_LT(ParseFlinkDuration(std::string(1000, 'x'), true).error().message.size(), 200U);
}

// Printed by TimeUtils.formatWithHighestUnit of Flink 2.3.0.
TEST(FlinkDurationFormatTest, PrintsAsFlinkDoes) {
  EXPECT_EQ(FormatFlinkDuration(0), "0 ms");
  EXPECT_EQ(FormatFlinkDuration(1), "1 ms");
  EXPECT_EQ(FormatFlinkDuration(1500), "1500 ms");
  EXPECT_EQ(FormatFlinkDuration(90000), "90 s");
  EXPECT_EQ(FormatFlinkDuration(1800000), "30 min");
  EXPECT_EQ(FormatFlinkDuration(5400000), "90 min");
  EXPECT_EQ(FormatFlinkDuration(129600000), "36 h");
  EXPECT_EQ(FormatFlinkDuration(86400000), "1 d");
  EXPECT_EQ(FormatFlinkDuration(kMax), "9223372036854775807 ms");
}

}  // namespace
}  // namespace fss
