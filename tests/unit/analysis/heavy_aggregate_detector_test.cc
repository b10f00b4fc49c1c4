#include "sidecar/analysis/heavy_aggregate_detector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::PlanBuilder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<Finding> HeavyFindings(const CompiledPlan& plan, const std::string& version = "2.3.0") {
  std::vector<Finding> findings;
  HeavyAggregateDetector().Inspect({plan, version, "EmbeddedRocksDBStateBackend", true}, &findings);
  return findings;
}

// A GROUP BY with these calls over a GROUP BY, as Flink writes it. The upper one is node 6.
CompiledPlan OverTotals(const std::string& calls, std::optional<std::int64_t> ttl = 0) {
  PlanBuilder plan("g.json");
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto totals = plan.GroupBy(orders, "user_id, order_id", kMillisPerDay);
  const auto calc = plan.Calc(totals, "user_id, total");
  const auto upper = plan.Add("group-aggregate",
                              "GroupAggregate(groupBy=[user_id], select=[user_id" +
                                  (calls.empty() ? "" : ", " + calls) + "])",
                              {plan.Exchange(calc, "user_id")}, {{"groupAggregateState", 0}});
  plan.Node(upper)->state[0].ttl_ms = ttl;
  plan.Sink(upper, "s");
  return plan.Build();
}

TEST(HeavyAggregateDetectorTest, NamesTheFunctionsAndTheInputInOneFinding) {
  const auto findings = HeavyFindings(OverTotals(
      "MAX_RETRACT(total) AS $f1, SUM_RETRACT(total) AS $f2, COUNT_RETRACT(DISTINCT note) FILTER "
      "$f9 AS $f3, LISTAGG_RETRACT(note, $f4) AS $f5, MAX_RETRACT(total) AS $f6"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "heavy-aggregate");
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].operator_label, "GroupAggregate[6]");
  EXPECT_EQ(findings[0].state, "groupAggregateState");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("for MAX(total), COUNT(DISTINCT note) and LISTAGG(note, …) every"),
                    HasSubstr("the result of GroupAggregate[3] over orders takes rows back"),
                    HasSubstr("TTL 0"), Not(HasSubstr("SUM"))));
}

TEST(HeavyAggregateDetectorTest, EveryFunctionOfFlinksThatKeepsValues) {
  for (const auto& [in_plan, in_sql] : std::vector<std::pair<std::string, std::string>>{
           {"MIN", "MIN"},
           {"MAX", "MAX"},
           {"LISTAGG", "LISTAGG"},
           {"FIRST_VALUE", "FIRST_VALUE"},
           {"LAST_VALUE", "LAST_VALUE"},
           {"COLLECT", "COLLECT"},
           {"ARRAY_AGG", "ARRAY_AGG"},
           {"PERCENTILE", "PERCENTILE"},
           {"JSON_ARRAYAGG_ABSENT_ON_NULL", "JSON_ARRAYAGG"},
           {"JSON_OBJECTAGG_NULL_ON_NULL", "JSON_OBJECTAGG"}}) {
    const auto findings = HeavyFindings(OverTotals(in_plan + "_RETRACT(v) AS $f1"));
    ASSERT_THAT(findings, SizeIs(1)) << in_plan;
    EXPECT_THAT(findings[0].message, HasSubstr("for " + in_sql + "(v) every")) << in_plan;
  }
}

TEST(HeavyAggregateDetectorTest, WhatKeepsNumbersAndWhatIsNotKnown) {
  for (const char* calls :
       {"SUM_RETRACT(v) AS $f1", "COUNT_RETRACT(*) AS $f1", "AVG_RETRACT(v) AS $f1",
        "$SUM0_RETRACT(v) AS $f1", "$WELFORD_M2$1_RETRACT(v) AS $f1", "MY_MAX_RETRACT(v) AS $f1",
        "_RETRACT(v) AS $f1", "",
        // Over an append-only input, or one whose values only grow, Flink keeps one value.
        "MAX(v) AS $f1, MIN(v) AS $f2, LISTAGG(v) AS $f3, COUNT(DISTINCT v) AS $f4"}) {
    EXPECT_THAT(HeavyFindings(OverTotals(calls)), IsEmpty()) << calls;
  }
}

TEST(HeavyAggregateDetectorTest, ATtlEndsItAndAnUnknownOneSaysNothing) {
  EXPECT_THAT(HeavyFindings(OverTotals("MAX_RETRACT(v) AS $f1")), SizeIs(1));
  EXPECT_THAT(HeavyFindings(OverTotals("MAX_RETRACT(v) AS $f1", kMillisPerDay)), IsEmpty());
  EXPECT_THAT(HeavyFindings(OverTotals("MAX_RETRACT(v) AS $f1", std::nullopt)), IsEmpty());
}

// With mini-batch the names of columns stand in the local aggregation alone.
TEST(HeavyAggregateDetectorTest, TwoPhasesAreOneFindingWithTheColumns) {
  PlanBuilder plan("two.json");
  const auto totals = plan.GroupBy(plan.Source("orders", "user_id, v"), "user_id", kMillisPerDay);
  const auto local = plan.Add(
      "local-group-aggregate",
      "LocalGroupAggregate(groupBy=[user_id], select=[user_id, MAX_RETRACT(amount) AS max$0, "
      "COUNT_RETRACT(distinct$0 note) AS count$1, COUNT_RETRACT(*) AS count1$2, DISTINCT(note) AS "
      "distinct$0])",
      {totals});
  plan.Add("global-group-aggregate",
           "GlobalGroupAggregate(groupBy=[user_id], select=[user_id, MAX_RETRACT(max$0) AS $f1, "
           "COUNT_RETRACT(distinct$0 count$1) AS $f2])",
           {plan.Exchange(local, "user_id")}, {{"globalGroupAggregateState", 0}});
  const auto findings = HeavyFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].operator_label, "GlobalGroupAggregate[6]");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("for MAX(amount) and COUNT(DISTINCT note) every"),
                    HasSubstr("the result of GroupAggregate[3]")));
}

// A split DISTINCT: the incremental aggregation keeps the distinct values, the global one the rest.
TEST(HeavyAggregateDetectorTest, ASplitDistinctIsNotLess) {
  PlanBuilder plan("split.json");
  const auto totals = plan.GroupBy(plan.Source("orders", "user_id, v"), "user_id", kMillisPerDay);
  const auto local = plan.Add(
      "local-group-aggregate",
      "LocalGroupAggregate(groupBy=[user_id, $f3], select=[user_id, $f3, MAX_RETRACT(amount) "
      "FILTER "
      "$g_1 AS max$0, COUNT_RETRACT(distinct$0 note) FILTER $g_2 AS count$4, DISTINCT(note) AS "
      "distinct$0])",
      {totals});
  const auto incremental = plan.Add(
      "incremental-group-aggregate",
      "IncrementalGroupAggregate(partialAggGrouping=[user_id, $f3], finalAggGrouping=[user_id], "
      "select=[user_id, MAX_RETRACT(max$0) AS max$0, COUNT_RETRACT(distinct$0 count$4) AS "
      "count$4])",
      {plan.Exchange(local, "user_id, $f3")}, {{"incrementalGroupAggregateState", 0}});
  plan.Add("global-group-aggregate",
           "GlobalGroupAggregate(groupBy=[user_id], partialFinalType=[FINAL], select=[user_id, "
           "MAX_RETRACT(max$0) AS $f1, $SUM0_RETRACT(count$4) AS $f4])",
           {plan.Exchange(incremental, "user_id")}, {{"globalGroupAggregateState", 0}});
  const auto findings = HeavyFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].state, "incrementalGroupAggregateState");
  EXPECT_THAT(findings[0].message, HasSubstr("for COUNT(DISTINCT note) every"));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("distinct-agg.split.enabled"));
  EXPECT_EQ(findings[1].state, "globalGroupAggregateState");
  EXPECT_THAT(findings[1].message,
              AllOf(HasSubstr("for MAX(amount) every"), HasSubstr("result of GroupAggregate[3]")));
  EXPECT_THAT(findings[1].advice.Text(), Not(HasSubstr("distinct-agg.split.enabled")));
}

TEST(HeavyAggregateDetectorTest, AdviceStandsInItsOrder) {
  const std::string advice =
      HeavyFindings(OverTotals("MAX_RETRACT(total) AS $f1"), "1.20.5")[0].advice.Text();
  std::size_t last = 0;
  for (const char* step :
       {"let the input only add rows", "TUMBLE(TABLE", "without _RETRACT", "fewer values",
        "    SELECT /*+ STATE_TTL(", "LAG(", "    SET 'table.exec.state.ttl' = '7 d';",
        "\"ttl\" of groupAggregateState in node 6", "start again from zero",
        "Restore: Flink 1.20 refuses"}) {
    const auto at = advice.find(step);
    ASSERT_NE(at, std::string::npos) << step << "\n" << advice;
    EXPECT_GE(at, last) << step;
    last = at;
  }
}

TEST(HeavyAggregateDetectorTest, HostileTextsAreJudgedToo) {
  for (const char* select :
       {"MAX_RETRACT(", "MAX_RETRACT)", "((((MAX_RETRACT(a)", "MAX_RETRACT() AS", " AS , AS "}) {
    PlanBuilder plan("h.json");
    plan.Add("global-group-aggregate", std::string("X(select=[") + select + "])", {},
             {{"globalGroupAggregateState", 0}});
    EXPECT_LE(HeavyFindings(plan.Build()).size(), 1U) << select;
  }
  std::string many;
  for (int i = 0; i < 100; ++i) many += ", MAX_RETRACT(v" + std::to_string(i) + ") AS $f";
  EXPECT_THAT(HeavyFindings(OverTotals(many.substr(2)))[0].message, HasSubstr("and 94 more every"));
  CompiledPlan loop = OverTotals("MAX_RETRACT(v) AS $f1");
  loop.edges = {{6, 6}};
  EXPECT_THAT(HeavyFindings(loop), SizeIs(1));
}

}  // namespace
}  // namespace fss
