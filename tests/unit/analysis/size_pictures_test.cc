#include "sidecar/analysis/size_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/base/millis.h"

namespace fss {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kFirstPicture = 1'700'000'000'000;

std::vector<SizePoint> Line(int points, float first, float step) {
  std::vector<SizePoint> line;
  for (int i = 0; i < points; ++i) {
    const float bytes = first + step * static_cast<float>(i);
    line.emplace_back(kFirstPicture + i * kMillisPerMinute, bytes, bytes);
  }
  return line;
}

OperatorReport Op(const std::string& vertex, Verdict verdict) {
  OperatorReport op;
  op.vertex_id = vertex;
  op.size_bytes = 1;
  op.trend.verdict = verdict;
  return op;
}

TEST(SizePicturesTest, ALongLineIsThinnedEvenly) {
  JobSizes sizes("line");
  sizes.Load({{{"v1", {}}, Line(128, 1000, 10)}});
  const auto history = PicturesOf(sizes, {Op("v1", Verdict::kGrowing)}, Pictures::kAll);
  ASSERT_NE(history, nullptr);
  const auto points = history->Of(0);
  ASSERT_THAT(points, SizeIs(kPicturePoints));
  EXPECT_EQ(history->begin_ms(), kFirstPicture);
  // Four neighbours each: their mean time and size.
  EXPECT_EQ(points[0].seconds, 90U);
  EXPECT_FLOAT_EQ(points[0].bytes, 1015);
  EXPECT_EQ(points[31].seconds, 90U + 31 * 240);
  EXPECT_FLOAT_EQ(points[31].bytes, 1015 + 31 * 40);
}

TEST(SizePicturesTest, AShortLineStaysAsItIs) {
  JobSizes sizes("line");
  sizes.Load({{{"v1", {}}, Line(3, 5, 1)}, {{"v2", {}}, Line(1, 7, 0)}});
  const auto history =
      PicturesOf(sizes, {Op("v1", Verdict::kUnknown), OperatorReport(), Op("v2", Verdict::kFlat)},
                 Pictures::kAll);
  ASSERT_NE(history, nullptr);
  ASSERT_THAT(history->Of(0), SizeIs(3));
  EXPECT_EQ(history->Of(0)[2].seconds, 120U);
  EXPECT_FLOAT_EQ(history->Of(0)[2].bytes, 7);
  EXPECT_THAT(history->Of(1), IsEmpty()) << "it has no size";
  ASSERT_THAT(history->Of(2), SizeIs(1));
  EXPECT_FLOAT_EQ(history->Of(2)[0].bytes, 7);
  EXPECT_THAT(history->Of(9), IsEmpty());
}

TEST(SizePicturesTest, InALargeClusterOnlyWhatMoves) {
  JobSizes sizes("line");
  sizes.Load({{{"v1", {}}, Line(3, 5, 1)}, {{"v2", {}}, Line(3, 5, 1)}});
  const std::vector<OperatorReport> operators = {Op("v1", Verdict::kFlat),
                                                 Op("v2", Verdict::kShrinking)};
  const auto history = PicturesOf(sizes, operators, Pictures::kMovingOnly);
  ASSERT_NE(history, nullptr);
  EXPECT_THAT(history->Of(0), IsEmpty());
  EXPECT_THAT(history->Of(1), SizeIs(3));
  EXPECT_EQ(PicturesOf(sizes, {operators[0]}, Pictures::kMovingOnly), nullptr);
}

TEST(SizePicturesTest, NothingIsKnownOfANewJob) {
  const JobSizes sizes("line");
  EXPECT_EQ(PicturesOf(sizes, {Op("v1", Verdict::kUnknown)}, Pictures::kAll), nullptr);
}

}  // namespace
}  // namespace fss
