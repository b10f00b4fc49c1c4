#include "sidecar/analysis/trend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include "sidecar/base/millis.h"

namespace fss {
namespace {

// As the operator catalogue has it for a GROUP BY on RocksDB.
constexpr double kGroupByBookkeepingBytes = 512;

constexpr std::int64_t kFirstPoint = 1'796'000'000'000;

// Feeds bytes(i) every `interval` and keeps every verdict.
struct Watched {
  TrendTracker tracker;
  TrendContext context;
  std::vector<Verdict> said;
  std::int64_t now = kFirstPoint;

  void Feed(int checkpoints, std::int64_t interval, const std::function<double(int)>& bytes) {
    for (int i = 0; i < checkpoints; ++i, now += interval) {
      tracker.line().Add(now, std::llround(bytes(i)));
      said.push_back(tracker.Update(context).verdict);
    }
  }
  Verdict Last() const { return said.back(); }
  bool Ever(Verdict verdict) const {
    return std::find(said.begin(), said.end(), verdict) != said.end();
  }
};

TEST(TrendTest, SaysNothingOfFewPoints) {
  Watched run;
  run.Feed(11, 5 * kMillisPerSecond, [](int i) { return 1e6 + 1e5 * i; });
  EXPECT_EQ(run.Last(), Verdict::kUnknown);
  EXPECT_FALSE(run.tracker.trend().bytes_per_second.has_value());
  EXPECT_FALSE(run.tracker.trend().level_bytes.has_value());
}

TEST(TrendTest, AStraightLineGrowsAtItsRate) {
  Watched run;
  run.Feed(100, 5 * kMillisPerSecond, [](int i) { return 1e6 + 1e5 * i; });
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
  EXPECT_EQ(run.said[11], Verdict::kGrowing);
  EXPECT_NEAR(*run.tracker.trend().bytes_per_second, 2e4, 200);
  EXPECT_NEAR(*run.tracker.trend().level_bytes, 1e6 + 99e5, 1e5);
}

TEST(TrendTest, TimeHasNoScale) {
  for (const std::int64_t interval : {kMillisPerSecond, 30 * kMillisPerSecond, kMillisPerHour}) {
    Watched run;
    run.Feed(60, interval, [](int i) { return 1e6 + 1e5 * i; });
    EXPECT_EQ(run.said[11], Verdict::kGrowing) << interval;
    EXPECT_EQ(run.Last(), Verdict::kGrowing) << interval;
  }
}

TEST(TrendTest, AConstantIsFlatAndHasNoRate) {
  Watched run;
  run.Feed(50, kMillisPerHour, [](int) { return 5e9; });
  EXPECT_EQ(run.Last(), Verdict::kFlat);
  EXPECT_EQ(*run.tracker.trend().bytes_per_second, 0);
  EXPECT_NEAR(*run.tracker.trend().level_bytes, 5e9, 1e3);
}

TEST(TrendTest, EmptyStateIsFlat) {
  Watched run;
  run.Feed(50, kMillisPerHour, [](int) { return 0; });
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, SeesThroughTeethThatComeBack) {
  Watched run;
  run.Feed(400, 5 * kMillisPerSecond, [](int i) { return 1e6 + 4e5 * (i % 17); });
  EXPECT_EQ(run.Last(), Verdict::kFlat);
  EXPECT_FALSE(std::find(run.said.begin() + 45, run.said.end(), Verdict::kGrowing) !=
               run.said.end());
}

TEST(TrendTest, SeesTheFloorOfTeethRise) {
  Watched run;
  run.Feed(400, 5 * kMillisPerSecond, [](int i) { return 1e6 + 2e4 * i + 2e5 * (i % 17); });
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
  EXPECT_NEAR(*run.tracker.trend().bytes_per_second, 4e3, 400);
}

TEST(TrendTest, WindowsThatOpenAndCloseAreFlat) {
  Watched run;
  run.Feed(300, 5 * kMillisPerSecond, [](int i) { return i % 2 == 0 ? 81'000 : 18'000; });
  EXPECT_FALSE(run.Ever(Verdict::kGrowing));
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, DayAndNightAreFlat) {
  Watched run;
  run.Feed(24 * 10, kMillisPerHour,
           [](int i) { return 1e9 + 5e8 * std::sin(2 * std::numbers::pi * i / 24); });
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, GrowthBeneathWeeksIsSeenAfterTwoAndAHalf) {
  Watched run;
  run.Feed(24 * 18, kMillisPerHour,
           [](int i) { return 1e9 + 1e6 * i + (i / 24 % 7 < 5 ? 3e8 : 0); });
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
  EXPECT_NEAR(*run.tracker.trend().bytes_per_second, 1e6 / 3600, 40);
}

TEST(TrendTest, OneStepIsNoGrowth) {
  Watched run;
  run.Feed(300, kMillisPerSecond, [](int i) { return i < 150 ? 1e6 : 3e6 + i % 3; });
  EXPECT_FALSE(run.Ever(Verdict::kGrowing));
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, GrowthThatStoppedIsFlat) {
  Watched run;
  run.Feed(300, kMillisPerSecond, [](int i) { return 1e6 + 1e4 * std::min(i, 150); });
  EXPECT_EQ(run.said[150], Verdict::kGrowing);
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, GrowthThatBeganLateIsSeenSoon) {
  Watched run;
  run.Feed(600, kMillisPerSecond,
           [](int i) { return 1e6 + (i * 37 % 11) * 1e3 + 1e4 * std::max(0, i - 500); });
  EXPECT_EQ(run.said[499], Verdict::kFlat);
  EXPECT_EQ(run.said[560], Verdict::kGrowing);
  EXPECT_NEAR(*run.tracker.trend().bytes_per_second, 1e4, 1e3);
}

TEST(TrendTest, AKeyDomainFillsUpAndSaysWhere) {
  Watched run;
  run.Feed(400, kMillisPerSecond, [](int i) { return 1e8 * (1 - std::exp(-i / 200.0)); });
  ASSERT_EQ(run.Last(), Verdict::kFilling);
  ASSERT_TRUE(run.tracker.trend().plateau_bytes.has_value());
  EXPECT_NEAR(*run.tracker.trend().plateau_bytes, 1e8, 1e7);
  run.Feed(1200, kMillisPerSecond, [](int i) { return 1e8 * (1 - std::exp(-(i + 400) / 200.0)); });
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, AFallShrinks) {
  Watched run;
  run.Feed(100, kMillisPerSecond, [](int i) { return 1e8 - 5e5 * i; });
  EXPECT_EQ(run.Last(), Verdict::kShrinking);
  EXPECT_NEAR(*run.tracker.trend().bytes_per_second, -5e5, 1e4);
}

TEST(TrendTest, SpikesAndBrokenCheckpointsDoNotHideGrowth) {
  Watched run;
  run.Feed(400, kMillisPerSecond, [](int i) {
    if (i % 23 == 7) return 1e9;
    if (i == 200) return 100.0;
    return 1e7 + 1e5 * i;
  });
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
  EXPECT_NEAR(*run.tracker.trend().bytes_per_second, 1e5, 1e4);
}

TEST(TrendTest, ATtlThatHasNotPassedFills) {
  Watched run;
  run.context.ttl_ms = kMillisPerDay;
  run.context.line_start_ms = kFirstPoint;
  run.Feed(300, 5 * kMillisPerSecond, [](int i) { return 1e4 * i; });
  EXPECT_FALSE(run.Ever(Verdict::kGrowing));
  ASSERT_EQ(run.Last(), Verdict::kFilling);
  EXPECT_TRUE(run.tracker.trend().rises);
  // Rate x TTL: 2,000 bytes a second for a day.
  EXPECT_NEAR(*run.tracker.trend().plateau_bytes, 2e3 * 86400, 2e6);
}

TEST(TrendTest, ATtlThatHoldsEndsFlat) {
  Watched run;
  run.context.ttl_ms = 60 * kMillisPerSecond;
  run.context.line_start_ms = kFirstPoint;
  run.Feed(300, 5 * kMillisPerSecond,
           [](int i) { return 4e4 * std::min(i, 12) + 500 * (i % 5) + 60 * i; });
  EXPECT_FALSE(run.Ever(Verdict::kGrowing));
  EXPECT_TRUE(run.Ever(Verdict::kFilling));
  EXPECT_EQ(run.Last(), Verdict::kFlat);
}

TEST(TrendTest, GrowthPastTheTtlIsSaid) {
  Watched run;
  run.context.ttl_ms = 60 * kMillisPerSecond;
  run.context.line_start_ms = kFirstPoint;
  run.Feed(300, 5 * kMillisPerSecond, [](int i) { return 1e4 * i; });
  EXPECT_EQ(run.said[20], Verdict::kFilling);
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
  EXPECT_TRUE(run.tracker.trend().past_ttl);
}

TEST(TrendTest, MoreTrafficUnderATtlFillsAgain) {
  Watched run;
  run.context.ttl_ms = 100 * kMillisPerSecond;
  run.context.line_start_ms = kFirstPoint;
  run.Feed(600, kMillisPerSecond, [](int i) {
    return 1e4 * (std::min(i, 100) + std::clamp(i - 400, 0, 100)) + 100 * (i % 7);
  });
  EXPECT_FALSE(run.Ever(Verdict::kGrowing));
  EXPECT_EQ(run.said[480], Verdict::kFilling);
}

TEST(TrendTest, AnOldLineIsPastItsTtlThoughFirstSeenNow) {
  Watched run;
  run.context.ttl_ms = kMillisPerHour;
  run.context.line_start_ms = kFirstPoint - 30 * kMillisPerDay;
  run.Feed(3000, 10 * kMillisPerSecond, [](int i) { return 1e8 + 1e5 * i; });
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
}

TEST(TrendTest, TheBackendsBookkeepingIsNoGrowth) {
  const auto creep = [](int i) { return 7e4 + 1.2e4 * (i % 5) + 240.0 * i; };
  Watched rocksdb;
  rocksdb.context.bookkeeping_bytes_per_checkpoint = kGroupByBookkeepingBytes;
  rocksdb.Feed(300, 5 * kMillisPerSecond, creep);
  EXPECT_FALSE(rocksdb.Ever(Verdict::kGrowing));
  EXPECT_EQ(rocksdb.Last(), Verdict::kFlat);
  Watched heap;
  heap.Feed(300, 5 * kMillisPerSecond, creep);
  EXPECT_EQ(heap.Last(), Verdict::kGrowing);
}

TEST(TrendTest, AVerdictOutlivesAShortDoubt) {
  Watched run;
  run.Feed(200, kMillisPerSecond, [](int i) { return 1e7 + 1e5 * i; });
  run.Feed(4, kMillisPerSecond, [](int) { return 2e6; });
  EXPECT_EQ(run.Last(), Verdict::kGrowing);
}

TEST(TrendTest, AThinnedLineDecidesAtOnce) {
  Watched run;
  run.Feed(5000, kMillisPerSecond, [](int i) { return 1e7 + 1e5 * i + 1e6 * (i % 9); });
  TrendTracker again;
  for (const SizePoint& p : run.tracker.line().points()) again.line().Add(p);
  EXPECT_EQ(again.line().checkpoints(), 5000U);
  EXPECT_EQ(again.Update({}).verdict, Verdict::kGrowing);
  EXPECT_NEAR(*again.trend().bytes_per_second, *run.tracker.trend().bytes_per_second, 1e3);
}

TEST(TrendTest, ClearForgetsTheVerdict) {
  Watched run;
  run.Feed(50, kMillisPerSecond, [](int i) { return 1e7 + 1e5 * i; });
  ASSERT_EQ(run.Last(), Verdict::kGrowing);
  run.tracker.Clear();
  run.Feed(11, kMillisPerSecond, [](int) { return 1e3; });
  EXPECT_EQ(run.Last(), Verdict::kUnknown);
}

TEST(TrendTest, WhateverComesNumbersStayFinite) {
  std::mt19937_64 random(4);
  for (int series = 0; series < 300; ++series) {
    Watched run;
    if (series % 3 == 0) run.context.ttl_ms = static_cast<std::int64_t>(random() % 100'000);
    run.context.line_start_ms = kFirstPoint - static_cast<std::int64_t>(random() % 100'000);
    const int shift = static_cast<int>(random() % 63);
    run.Feed(
        1 + static_cast<int>(random() % 200), 1 + static_cast<std::int64_t>(random() % 5000),
        [&](int) { return random() % 5 == 0 ? 0.0 : static_cast<double>(random() >> 1 >> shift); });
    run.now += 100 * kMillisPerDay;
    run.Feed(20, kMillisPerSecond, [&](int) { return static_cast<double>(random() % 1000); });
    const Trend& trend = run.tracker.trend();
    ASSERT_TRUE(std::isfinite(trend.bytes_per_second.value()));
    ASSERT_TRUE(std::isfinite(trend.level_bytes.value()));
    ASSERT_TRUE(std::isfinite(trend.plateau_bytes.value_or(0)));
  }
}

TEST(TrendTest, AllowanceGrowsWithTheTtl) {
  EXPECT_EQ(DefaultCleanupAllowance(30 * kMillisPerSecond, true), 60 * kMillisPerSecond);
  EXPECT_EQ(DefaultCleanupAllowance(10 * kMillisPerHour, true), kMillisPerHour);
  EXPECT_GT(DefaultCleanupAllowance(10 * kMillisPerHour, false), kMillisPerHour);
}

}  // namespace
}  // namespace fss
