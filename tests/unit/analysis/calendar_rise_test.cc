#include "sidecar/analysis/calendar_rise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace fss {
namespace {

constexpr double kHourSeconds = 3600;

std::vector<LinePoint> Hours(int count, const std::function<double(int)>& bytes) {
  std::vector<LinePoint> points;
  for (int i = 0; i < count; ++i) points.push_back({i * kHourSeconds, bytes(i), bytes(i)});
  return points;
}

double Day(int hour) { return std::sin(2 * std::numbers::pi * hour / 24); }

TEST(CalendarRiseTest, SeesTheRiseBeneathDays) {
  const auto rise = FindCalendarRise(Hours(60, [](int i) { return 100 + 50 * Day(i) + i; }));
  ASSERT_TRUE(rise.has_value());
  EXPECT_NEAR(rise->slope, 1 / kHourSeconds, 1e-6);
  EXPECT_NEAR(rise->level, 159, 3);
}

TEST(CalendarRiseTest, DaysAloneRiseNowhere) {
  EXPECT_FALSE(FindCalendarRise(Hours(60, [](int i) { return 100 + 50 * Day(i); })));
}

TEST(CalendarRiseTest, OneStepIsNoRise) {
  for (int at = 1; at < 60; ++at) {
    EXPECT_FALSE(FindCalendarRise(Hours(60, [&](int i) { return i < at ? 100 : 200; }))) << at;
  }
}

TEST(CalendarRiseTest, LessThanTwoCyclesSayNothing) {
  EXPECT_FALSE(FindCalendarRise(Hours(50, [](int i) { return 100 + i; })));
  EXPECT_FALSE(FindCalendarRise({}));
}

TEST(CalendarRiseTest, ARiseThatStoppedIsNone) {
  EXPECT_FALSE(FindCalendarRise(Hours(100, [](int i) { return 100 + std::min(i, 60); })));
}

}  // namespace
}  // namespace fss
