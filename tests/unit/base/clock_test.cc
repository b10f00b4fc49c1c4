#include "sidecar/base/clock.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(ClockTest, WallTimeIsMillisecondsSince1970) {
  constexpr std::int64_t kYear2020 = 1'577'836'800'000;
  constexpr std::int64_t kYear2200 = 7'258'118'400'000;
  EXPECT_GT(SystemClock().WallMillis(), kYear2020);
  EXPECT_LT(SystemClock().WallMillis(), kYear2200);
}

TEST(ClockTest, MonotonicTimeDoesNotGoBack) {
  const std::int64_t first = SystemClock().MonotonicMillis();
  EXPECT_GE(SystemClock().MonotonicMillis(), first);
}

}  // namespace
}  // namespace fss
