#include "sidecar/analysis/time_bound.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(TimeBound, WindowsAsFlinkDescribesThem) {
  EXPECT_EQ(TimeBoundOf("GlobalWindowAggregate(window=[TUMBLE(slice_end=[$slice_end], size=[10 "
                        "min])], select=[SUM(sum$0) AS EXPR$2])"),
            600'000);
  EXPECT_EQ(TimeBoundOf("WindowAggregate(groupBy=[a], window=[HOP(time_col=[rowtime], size=[10 s], "
                        "slide=[5 s])], select=[a])"),
            10'000);
  EXPECT_EQ(TimeBoundOf("GlobalWindowAggregate(window=[CUMULATE(slice_end=[$slice_end], "
                        "max_size=[15 s], step=[5 s])], select=[a])"),
            15'000);
  EXPECT_EQ(TimeBoundOf("WindowJoin(leftWindow=[TUMBLE(win_start=[window_start], "
                        "win_end=[window_end], size=[15 min])], rightWindow=[TUMBLE(size=[1 s])])"),
            900'000);
  EXPECT_EQ(TimeBoundOf("GroupWindowAggregate(groupBy=[name], window=[TumblingGroupWindow('w$, "
                        "proctime, 900000)], properties=[w$start, w$end, w$proctime])"),
            900'000);
  EXPECT_EQ(TimeBoundOf("GroupWindowAggregate(window=[SlidingGroupWindow('w$, rowtime, 10000, "
                        "5000)], select=[name])"),
            10'000);
}

TEST(TimeBound, IntervalJoinWaitsForItsLargerBound) {
  EXPECT_EQ(TimeBoundOf("IntervalJoin(joinType=[InnerJoin], windowBounds=[isRowTime=true, "
                        "leftLowerBound=-60000, leftUpperBound=5, leftTimeIndex=2], where=[(a)])"),
            60'000);
  EXPECT_EQ(TimeBoundOf("IntervalJoin(windowBounds=[leftLowerBound=10000, leftUpperBound=5000])"),
            10'000);
}

TEST(TimeBound, OverByRangeInBothSpellings) {
  EXPECT_EQ(TimeBoundOf("OverAggregate(partitionBy=[a], orderBy=[rowtime ASC], window=[ RANG "
                        "BETWEEN 7200000 PRECEDING AND CURRENT ROW], select=[a])"),
            7'200'000);
  EXPECT_EQ(TimeBoundOf("OverAggregate(window=[ RANGE BETWEEN 10000 PRECEDING AND CURRENT ROW])"),
            10'000);
}

TEST(TimeBound, AbsentWhereNothingBounds) {
  for (const char* description :
       {"", "Join(joinType=[InnerJoin], where=[(a = b)])",
        "WindowAggregate(window=[SESSION(time_col=[rowtime], gap=[5 s])])",
        "GroupWindowAggregate(window=[SessionGroupWindow('w$, rowtime, 3000)])",
        "OverAggregate(window=[ ROWS BETWEEN 5 PRECEDING AND CURRENT ROW])",
        "OverAggregate(window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW])",
        "WindowAggregate(window=[TUMBLE(size=[])])", "WindowAggregate(window=[TUMBLE(size=[0 s])])",
        "WindowAggregate(window=[TUMBLE(size=[-1 s])])", "WindowAggregate(window=[TUMBLE(size=[",
        "GroupWindowAggregate(window=[TumblingGroupWindow('w$)])",
        "IntervalJoin(windowBounds=[leftLowerBound=9223372036854775807, leftUpperBound=0])",
        "IntervalJoin(windowBounds=[leftLowerBound=x])"}) {
    EXPECT_EQ(TimeBoundOf(description), std::nullopt) << description;
  }
}

}  // namespace
}  // namespace fss
