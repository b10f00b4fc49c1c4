#include "sidecar/analysis/size_line.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace fss {
namespace {

TEST(SizeLineTest, KeepsAllWhileThereIsRoom) {
  SizeLine line;
  for (int i = 0; i < 100; ++i) line.Add(i * 1000, i);
  ASSERT_EQ(line.points().size(), 100U);
  EXPECT_EQ(line.points()[7].t_ms(), 7000);
  EXPECT_EQ(line.points()[7].weight(), 1U);
}

TEST(SizeLineTest, StaysBoundedAndKeepsEnds) {
  SizeLine line;
  for (int i = 0; i < 50'000; ++i) line.Add(i * 1000, i);
  EXPECT_EQ(line.points().size(), kMaxSizePoints);
  EXPECT_EQ(line.points().front().t_ms(), 0);
  EXPECT_EQ(line.points().back().t_ms(), 49'999'000);
  EXPECT_EQ(line.checkpoints(), 50'000U);
  std::uint64_t weight = 0;
  for (const SizePoint& p : line.points()) weight += p.weight();
  EXPECT_EQ(weight, 50'000U);
}

TEST(SizeLineTest, IsFinerNowThanLongAgo) {
  SizeLine line;
  for (int i = 0; i < 50'000; ++i) line.Add(i * 1000, i);
  const auto points = line.points();
  const auto gap = [&](std::size_t i) { return points[i + 1].t_ms() - points[i].t_ms(); };
  EXPECT_GT(gap(2), 4 * gap(points.size() - 4));
  for (std::size_t i = 0; i + 1 < points.size(); ++i) EXPECT_LT(gap(i), 2'500'000) << i;
}

TEST(SizeLineTest, ThinningKeepsFloors) {
  SizeLine line;
  for (int i = 0; i < 10'000; ++i) line.Add(i * 1000, i == 4321 ? 1 : 100);
  const auto points = line.points();
  EXPECT_TRUE(std::any_of(points.begin(), points.end(), [](const auto& p) { return p.low == 1; }));
}

TEST(SizePointTest, MergingWeighsTimeAndMean) {
  const SizePoint merged = SizePoint::Merge({1000, 5, 10, 1}, {2000, 1, 30, 3});
  EXPECT_EQ(merged, SizePoint(1750, 1, 25, 4));
}

TEST(SizePointTest, StaysWithinItsBits) {
  const SizePoint last(SizePoint::kMostMillis, 1, 2, SizePoint::kMostWeight);
  EXPECT_EQ(last.t_ms(), SizePoint::kMostMillis);
  EXPECT_EQ(last.weight(), SizePoint::kMostWeight);
  EXPECT_EQ(SizePoint::Merge(last, last), last);
  const SizePoint beyond(std::numeric_limits<std::int64_t>::max(), 1, 2, 0xFFFFFFFFU);
  EXPECT_EQ(beyond, last);
  const SizePoint before(std::numeric_limits<std::int64_t>::min(), 1, 2);
  EXPECT_EQ(before, SizePoint(0, 1, 2));
  const float huge = std::numeric_limits<float>::max();
  EXPECT_TRUE(std::isfinite(SizePoint::Merge({1, huge, huge}, {2, huge, huge}).mid));
}

TEST(SizeLineTest, ACheckpointCountsOnceAndLateOnesFindTheirPlace) {
  SizeLine line;
  EXPECT_TRUE(line.Add(2000, 5));
  EXPECT_FALSE(line.Add(2000, 6));
  EXPECT_TRUE(line.Add(1000, 7));
  ASSERT_EQ(line.points().size(), 2U);
  EXPECT_EQ(line.points()[0].low, 7);
  EXPECT_EQ(line.points()[1].low, 5);
  line.Clear();
  EXPECT_TRUE(line.empty());
  EXPECT_EQ(line.checkpoints(), 0U);
}

}  // namespace
}  // namespace fss
