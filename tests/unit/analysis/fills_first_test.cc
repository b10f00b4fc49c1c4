#include "sidecar/analysis/fills_first.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

OperatorReport Op(Verdict verdict, double rate,
                  std::optional<std::int64_t> seconds = std::nullopt) {
  OperatorReport op;
  op.trend.verdict = verdict;
  op.trend.bytes_per_second = rate;
  op.seconds_until_full = seconds;
  return op;
}

TEST(FillsFirstTest, TheOneWhosePlaceIsFullFirst) {
  EXPECT_EQ(FillsFirst({Op(Verdict::kGrowing, 900), Op(Verdict::kGrowing, 9, 500),
                        Op(Verdict::kFilling, 5, 400)}),
            2U);
}

TEST(FillsFirstTest, OfEqualsTheFastestAndGrowingBeforeFilling) {
  EXPECT_EQ(FillsFirst({Op(Verdict::kGrowing, 1, 60), Op(Verdict::kGrowing, 7, 60)}), 1U);
  EXPECT_EQ(FillsFirst({Op(Verdict::kFilling, 900, 60), Op(Verdict::kGrowing, 7, 60)}), 1U);
  EXPECT_EQ(FillsFirst({Op(Verdict::kFilling, 900), Op(Verdict::kGrowing, 7)}), 1U);
  EXPECT_EQ(FillsFirst({Op(Verdict::kFilling, 1), Op(Verdict::kFilling, 7)}), 1U);
}

TEST(FillsFirstTest, NobodyWhereNoneRises) {
  EXPECT_EQ(FillsFirst({}), std::nullopt);
  EXPECT_EQ(FillsFirst({Op(Verdict::kFlat, 0), Op(Verdict::kShrinking, -5), OperatorReport()}),
            std::nullopt);
}

}  // namespace
}  // namespace fss
