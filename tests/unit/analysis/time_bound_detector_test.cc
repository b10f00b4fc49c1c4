#include "sidecar/analysis/time_bound_detector.h"

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

std::vector<Finding> TimeBoundFindings(const CompiledPlan& plan) {
  std::vector<Finding> findings;
  TimeBoundDetector().Inspect({plan, "2.3.0", "", false}, &findings);
  return findings;
}

class TimedPlan : public PlanBuilder {
 public:
  using PlanBuilder::PlanBuilder;

  std::int64_t Stamped(const std::string& table, const std::string& fields,
                       const std::string& column, bool ltz = false) {
    const auto assigner =
        Add("watermark-assigner",
            "WatermarkAssigner(rowtime=[" + column + "], watermark=[" + column + "])",
            {Source(table, fields)});
    Node(assigner)->rowtime = column;
    Node(assigner)->rowtime_ltz = ltz;
    return assigner;
  }
  std::int64_t Orders() {
    return Calc(Stamped("orders", "order_id, user_id, ts", "ts"), "order_id");
  }
  std::int64_t Payments(bool ltz = false) {
    return Calc(Stamped("payments", "pay_id, order_id, paid_at", "paid_at", ltz), "order_id");
  }
};

constexpr const char* kOnOrder = "order_id = order_id0";

CompiledPlan OrdersAndPayments(const std::string& type = "InnerJoin", bool ltz = false) {
  TimedPlan plan("j.json");
  const auto orders = plan.Orders();
  plan.Sink(plan.Join(orders, plan.Payments(ltz), kOnOrder, 0, kMillisPerDay, type), "s");
  return plan.Build();
}

TEST(TimeBoundDetectorTest, AJoinOfTwoInputsWithWatermarks) {
  const auto findings = TimeBoundFindings(OrdersAndPayments());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "time-bound-possible");
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
  EXPECT_EQ(findings[0].operator_label, "Join[9]");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("(leftState for ever, rightState 1 d)"),
                    HasSubstr("orders (ts) and payments (paid_at): an interval join")));
  EXPECT_THAT(
      findings[0].advice.Text(),
      AllOf(
          HasSubstr("    SELECT … FROM orders l JOIN payments r\n      ON l.order_id = r.order_id "
                    "AND r.paid_at\n        BETWEEN l.ts - INTERVAL '1' HOUR AND l.ts + INTERVAL "
                    "'1' HOUR;\n"),
          HasSubstr("no longer match"), HasSubstr("state is not taken over"),
          HasSubstr("the bound must be longer"), Not(HasSubstr("TTL must be longer")),
          Not(HasSubstr("TIMESTAMP_LTZ")), Not(HasSubstr("NULL once"))));
}

TEST(TimeBoundDetectorTest, OuterJoinsToo) {
  EXPECT_THAT(TimeBoundFindings(OrdersAndPayments("LeftOuterJoin"))[0].advice.Text(),
              AllOf(HasSubstr("orders l LEFT JOIN payments r"), HasSubstr("NULL once")));
  EXPECT_THAT(TimeBoundFindings(OrdersAndPayments("FullOuterJoin"))[0].advice.Text(),
              HasSubstr("l FULL JOIN"));
  EXPECT_THAT(TimeBoundFindings(OrdersAndPayments("RightOuterJoin"))[0].advice.Text(),
              HasSubstr("l RIGHT JOIN"));
}

TEST(TimeBoundDetectorTest, TimesOfTwoTypesAreSaidToBeRefused) {
  EXPECT_THAT(TimeBoundFindings(OrdersAndPayments("InnerJoin", true))[0].advice.Text(),
              HasSubstr("different types, TIMESTAMP and TIMESTAMP_LTZ"));
}

TEST(TimeBoundDetectorTest, JoinsThatNoIntervalJoinReplaces) {
  EXPECT_THAT(TimeBoundFindings(OrdersAndPayments("LeftSemiJoin")), IsEmpty());
  EXPECT_THAT(TimeBoundFindings(OrdersAndPayments("LeftAntiJoin")), IsEmpty());
  TimedPlan cross("x.json");
  const auto left = cross.Orders();
  cross.Join(left, cross.Payments(), "order_id > order_id0", 0, 0);
  EXPECT_THAT(TimeBoundFindings(cross.Build()), IsEmpty());
}

TEST(TimeBoundDetectorTest, BothInputsMustCarryWatermarks) {
  TimedPlan one("o.json");
  const auto orders = one.Orders();
  one.Join(orders, one.Source("users", "user_id, region"), kOnOrder, 0, 0);
  EXPECT_THAT(TimeBoundFindings(one.Build()), IsEmpty());
  // A regular join's output has none, though all its tables have; the first join can be bounded.
  TimedPlan two("t.json");
  const auto left = two.Orders();
  const auto below = two.Join(left, two.Payments(), kOnOrder, 0, 0);
  two.Join(below, two.Payments(), kOnOrder, 0, 0);
  const auto findings = TimeBoundFindings(two.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].node_id, below);
}

TEST(TimeBoundDetectorTest, OperatorsThatMayTakeRowsBackEndIt) {
  TimedPlan plan("d.json");
  const auto last = plan.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[order_id])",
                             {plan.Exchange(plan.Orders(), "order_id")}, {{"deduplicateState", 0}});
  plan.Join(last, plan.Payments(), kOnOrder, 0, 0);
  EXPECT_THAT(TimeBoundFindings(plan.Build()), IsEmpty());
}

TEST(TimeBoundDetectorTest, AWatermarkThatTheSourceTookOver) {
  TimedPlan plan("p.json");
  const auto physical = plan.Source("orders, watermark=[-(ts, 1:INTERVAL SECOND)]", "order_id, ts");
  plan.Node(physical)->rowtime = "ts";
  // Of a computed column only the description tells.
  const auto computed =
      plan.Source("payments, watermark=[-(TO_TIMESTAMP_LTZ(b, 3), 1:INTERVAL SECOND)]", "order_id");
  plan.Join(physical, computed, kOnOrder, 0, 0);
  const auto findings = TimeBoundFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("orders (ts) and payments: an interval join"));
  EXPECT_THAT(findings[0].advice.Text(), AllOf(HasSubstr("r.<time column>\n        BETWEEN l.ts -"),
                                               Not(HasSubstr("different types"))));
}

TEST(TimeBoundDetectorTest, AGroupByOverAnInputWithWatermarks) {
  TimedPlan plan("g.json");
  plan.GroupBy(plan.Stamped("orders", "order_id, user id, amount, ts", "ts"), "user id",
               kMillisPerHour);
  const auto findings = TimeBoundFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, AllOf(HasSubstr("(groupAggregateState 1 h)"),
                                         HasSubstr("orders (ts): a window aggregation")));
  EXPECT_THAT(
      findings[0].advice.Text(),
      AllOf(HasSubstr("    SELECT window_start, window_end, `user id`, …\n    FROM "
                      "TABLE(TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR))\n    "
                      "GROUP BY window_start, window_end, `user id`;\n"),
            HasSubstr("one final row per group and window"), HasSubstr("state is not taken over")));
}

TEST(TimeBoundDetectorTest, AKeyThatIsNoColumnOfTheTableStandsInBrackets) {
  TimedPlan plan("k.json");
  plan.GroupBy(plan.Calc(plan.Stamped("orders", "order_id, ts", "ts"), "f(ts) AS d"), "d", 0);
  EXPECT_THAT(TimeBoundFindings(plan.Build())[0].advice.Text(), HasSubstr("window_end, <d>;"));
}

TEST(TimeBoundDetectorTest, TwoPhasesAreOneFinding) {
  TimedPlan plan("m.json");
  const auto batches = plan.Add("mini-batch-assigner", "MiniBatchAssigner(interval=[1000ms])",
                                {plan.Stamped("orders", "user_id, ts", "ts")});
  const auto local =
      plan.Add("local-group-aggregate", "LocalGroupAggregate(groupBy=[user_id])", {batches});
  const auto global = plan.Add(
      "global-group-aggregate", "GlobalGroupAggregate(groupBy=[user_id], select=[user_id])",
      {plan.Exchange(local, "user_id")}, {{"globalGroupAggregateState", 0}});
  const auto findings = TimeBoundFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].node_id, global);
}

TEST(TimeBoundDetectorTest, GroupBysThatNoWindowHelps) {
  TimedPlan keyless("k.json");
  keyless.Add("group-aggregate", "GroupAggregate(select=[SUM(amount) AS EXPR$0])",
              {keyless.Orders()}, {{"groupAggregateState", 0}});
  EXPECT_THAT(TimeBoundFindings(keyless.Build()), IsEmpty());
  TimedPlan limit("l.json");
  limit.Add("limit", "Limit(offset=[0], fetch=[5])", {limit.Orders()}, {{"rankState", 0}});
  EXPECT_THAT(TimeBoundFindings(limit.Build()), IsEmpty());
  TimedPlan updates("u.json");
  updates.Add("group-aggregate",
              "GroupAggregate(groupBy=[order_id], select=[order_id, SUM_RETRACT(v) AS EXPR$0])",
              {updates.Orders()}, {{"groupAggregateState", 0}});
  EXPECT_THAT(TimeBoundFindings(updates.Build()), IsEmpty());
  TimedPlan windowed("w.json");
  windowed.Add("global-window-aggregate", "GlobalWindowAggregate(groupBy=[user_id])",
               {windowed.Orders()});
  EXPECT_THAT(TimeBoundFindings(windowed.Build()), IsEmpty());
  // As Flink plans a session window where it cannot merge the two.
  TimedPlan session("s.json");
  session.GroupBy(session.Add("window-table-function", "WindowTableFunction(window=[SESSION(…)])",
                              {session.Orders()}),
                  "window_start, window_end, user_id", 0);
  EXPECT_THAT(TimeBoundFindings(session.Build()), IsEmpty());
  TimedPlan untimed("n.json");
  untimed.GroupBy(untimed.Source("users", "user_id"), "user_id", 0);
  EXPECT_THAT(TimeBoundFindings(untimed.Build()), IsEmpty());
}

TEST(TimeBoundDetectorTest, AUnionCarriesThemWhereAllItsInputsDo) {
  for (const bool all : {true, false}) {
    TimedPlan plan("u.json");
    const auto orders = plan.Orders();
    const auto other = all ? plan.Payments() : plan.Source("refs", "order_id");
    const auto both = plan.Add("union", "Union(all=[true], union=[order_id])", {orders, other});
    plan.GroupBy(both, "order_id", 0);
    EXPECT_THAT(TimeBoundFindings(plan.Build()), SizeIs(all ? 1 : 0));
  }
}

TEST(TimeBoundDetectorTest, AnIntervalJoinGivesItsEventTimeOn) {
  TimedPlan plan("i.json");
  const auto orders = plan.Orders();
  const auto bounded =
      plan.Add("interval-join", "IntervalJoin(joinType=[InnerJoin])", {orders, plan.Payments()});
  plan.GroupBy(bounded, "order_id", 0);
  const auto findings = TimeBoundFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("the result of IntervalJoin[7]"));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("TABLE <input>, DESCRIPTOR(<time column>)"));
}

CompiledPlan DeduplicatedBy(const std::string& order, bool timed) {
  TimedPlan plan("d.json");
  const auto orders = timed ? plan.Orders() : plan.Source("orders", "order_id");
  plan.Add("deduplicate", "Deduplicate(keep=[FirstRow], key=[order_id], order=[" + order + "])",
           {plan.Exchange(orders, "order_id")}, {{"deduplicateState", kMillisPerDay}});
  return plan.Build();
}

TEST(TimeBoundDetectorTest, ADeduplicationByProcessingTime) {
  const auto findings = TimeBoundFindings(DeduplicatedBy("PROCTIME", true));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("deduplicateState 1 d"), HasSubstr("watermarks, orders (ts):")));
  EXPECT_THAT(findings[0].advice.Text(),
              AllOf(HasSubstr("TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR)"),
                    HasSubstr("WindowDeduplicate")));
  EXPECT_THAT(TimeBoundFindings(DeduplicatedBy("ROWTIME", true)), IsEmpty());
  EXPECT_THAT(TimeBoundFindings(DeduplicatedBy("PROCTIME", false)), IsEmpty());
}

TEST(TimeBoundDetectorTest, HostilePlansAreJudgedToo) {
  CompiledPlan ring = OrdersAndPayments();
  for (std::int64_t target = 1; target <= 10; ++target) ring.edges.push_back({9, target});
  EXPECT_THAT(TimeBoundFindings(ring), IsEmpty());
  TimedPlan deep("deep.json");
  auto node = deep.Orders();
  for (int i = 0; i < 2000; ++i) node = deep.Calc(node, "order_id");
  deep.GroupBy(node, "order_id", 0);
  EXPECT_THAT(TimeBoundFindings(deep.Build()), IsEmpty());
}

}  // namespace
}  // namespace fss
