#include "sidecar/analysis/time_until.h"

#include <gtest/gtest.h>

#include <vector>

namespace fss {
namespace {

TEST(SecondsUntil, OneSteadyRise) {
  EXPECT_DOUBLE_EQ(*SecondsUntil(1000, std::vector<Rise>{{10}}), 100);
}

TEST(SecondsUntil, RisesTogetherShareWhatIsLeft) {
  EXPECT_DOUBLE_EQ(*SecondsUntil(1000, std::vector<Rise>{{10}, {30}}), 25);
}

TEST(SecondsUntil, OneThatSettlesLeavesTheRestToTheOther) {
  // 100 bytes at 10 B/s in the first 10 s, beside 10 B/s that goes on: 200 gone, 800 at 10 B/s.
  EXPECT_DOUBLE_EQ(*SecondsUntil(1000, std::vector<Rise>{{10, 100}, {10}}), 90);
}

TEST(SecondsUntil, AbsentWhenAllSettleBefore) {
  EXPECT_EQ(SecondsUntil(1000, std::vector<Rise>{{10, 100}, {5, 50}}), std::nullopt);
  EXPECT_EQ(SecondsUntil(1000, std::vector<Rise>{}), std::nullopt);
  EXPECT_EQ(SecondsUntil(1000, std::vector<Rise>{{0}, {-5}}), std::nullopt);
}

TEST(SecondsUntil, NowWhenNothingIsLeft) {
  EXPECT_EQ(SecondsUntil(0, std::vector<Rise>{{10}}), 0);
  EXPECT_EQ(SecondsUntil(-5, std::vector<Rise>{}), 0);
}

TEST(SecondsUntil, APlateauPastTheLimitIsReachedOnTheWay) {
  EXPECT_DOUBLE_EQ(*SecondsUntil(50, std::vector<Rise>{{10, 100}}), 5);
}

}  // namespace
}  // namespace fss
