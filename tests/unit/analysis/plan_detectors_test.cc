// The detectors that look at a plan alone: forever-state, ttl-from-job-default, ttl-mismatch,
// unknown-operator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/analysis/forever_state_detector.h"
#include "sidecar/analysis/ttl_from_job_default_detector.h"
#include "sidecar/analysis/ttl_mismatch_detector.h"
#include "sidecar/analysis/unknown_operator_detector.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::CascadeTtls;
using sample::PlanBuilder;
using sample::Totals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

template <typename Detector>
std::vector<Finding> Inspect(const CompiledPlan& plan, const std::string& version = "2.3.0",
                             const std::string& backend = "EmbeddedRocksDBStateBackend") {
  std::vector<Finding> findings;
  Detector().Inspect({plan, version, backend, true}, &findings);
  return findings;
}

CompiledPlan OneJoin(std::int64_t left, std::int64_t right, const std::string& type = "InnerJoin") {
  PlanBuilder plan("join.json");
  const auto orders = plan.Source("orders", "order_id, amount, ts");
  const auto stamped =
      plan.Add("watermark-assigner", "WatermarkAssigner(rowtime=[ts], watermark=[ts])", {orders});
  const auto payments = plan.Source("payments", "pay_id, order_id");
  plan.Sink(plan.Join(stamped, payments, "order_id = order_id0", left, right, type), "paid");
  return plan.Build();
}

TEST(ForeverStateDetectorTest, OneFindingPerEntryThatIsKeptForEver) {
  const auto findings = Inspect<ForeverStateDetector>(OneJoin(0, 0));
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].code, "forever-state");
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].node_id, 6);
  EXPECT_EQ(findings[0].operator_label, "Join[6]");
  EXPECT_EQ(findings[0].state, "leftState");
  EXPECT_THAT(findings[0].message, AllOf(HasSubstr("Join[6] keeps leftState for ever"),
                                         HasSubstr("every row of orders, its left input, by")));
  EXPECT_THAT(findings[1].message, HasSubstr("every row of payments, its right input, by"));
}

TEST(ForeverStateDetectorTest, FiniteAndUnknownTtlsAreNotForEver) {
  EXPECT_THAT(Inspect<ForeverStateDetector>(OneJoin(kMillisPerDay, 1)), IsEmpty());
  auto plan = Totals("t.json", 0);
  plan.nodes[3].state[0].ttl_ms.reset();
  EXPECT_THAT(Inspect<ForeverStateDetector>(plan), IsEmpty());
}

TEST(ForeverStateDetectorTest, AdviceStandsInItsOrderAndIsSqlWhereItCanBe) {
  const std::string advice =
      Inspect<ForeverStateDetector>(OneJoin(0, kMillisPerDay))[0].advice.Text();
  std::size_t last = 0;
  for (const char* step :
       {"interval join", "    SELECT /*+ STATE_TTL('orders' = '7d', 'payments' = '7d') */",
        "    SELECT MAX(ABS(TIMESTAMPDIFF(SECOND, l.ts, r.<time column>)))",
        "    FROM orders l JOIN payments r ON l.order_id = r.order_id;",
        "    SET 'table.exec.state.ttl' = '7 d';", "Restore: Flink 2.3 migrates",
        "another state backend: it moves the size, it does not stop it"}) {
    const auto at = advice.find(step);
    ASSERT_NE(at, std::string::npos) << step << "\n" << advice;
    EXPECT_GE(at, last) << step;
    last = at;
  }
}

TEST(ForeverStateDetectorTest, JobWideAdviceNamesWhatElseItReaches) {
  PlanBuilder builder("t.json");
  const auto orders = builder.Source("orders", "user_id, amount");
  builder.Sink(builder.GroupBy(orders, "user_id", 0), "a");
  builder.Sink(builder.GroupBy(orders, "amount", kMillisPerDay), "b");
  EXPECT_THAT(Inspect<ForeverStateDetector>(builder.Build())[0].advice.Text(),
              HasSubstr("every other state that no hint names: GroupAggregate[6]"));
}

TEST(ForeverStateDetectorTest, KindsThatHintsDoNotReachGetNoHint) {
  PlanBuilder builder("d.json");
  const auto orders = builder.Source("orders", "order_id, ts");
  builder.Sink(builder.Add("deduplicate", "Deduplicate(keep=[FirstRow], key=[order_id])",
                           {builder.Exchange(orders, "order_id")}, {{"deduplicateState", 0}}),
               "s");
  const auto findings = Inspect<ForeverStateDetector>(builder.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("every key it ever saw, by order_id"));
  EXPECT_THAT(findings[0].advice.Text(), Not(HasSubstr("/*+ STATE_TTL")));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("PARTITION BY order_id"));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("\"ttl\" of deduplicateState in node 3"));
}

TEST(ForeverStateDetectorTest, AGroupByWithoutKeyHasOneGroup) {
  PlanBuilder builder("g.json");
  const auto orders = builder.Source("orders", "amount");
  builder.Add("group-aggregate", "GroupAggregate(select=[COUNT(*)])",
              {builder.Exchange(orders, "")}, {{"groupAggregateState", 0}});
  EXPECT_THAT(Inspect<ForeverStateDetector>(builder.Build())[0].message,
              HasSubstr("the totals of all rows, from orders."));
}

TEST(ForeverStateDetectorTest, AMultiJoinNamesEachInput) {
  PlanBuilder builder("m.json");
  std::vector<std::int64_t> inputs;
  for (const char* table : {"orders", "payments", "orders"}) {
    inputs.push_back(builder.Exchange(builder.Source(table, "order_id"), "order_id"));
  }
  builder.Add(
      "multi-join", "MultiJoin(commonJoinKey=[order_id])", inputs,
      {{"input-state-0", kMillisPerDay}, {"input-state-1", 0}, {"input-state-2", kMillisPerDay}});
  const auto findings = Inspect<ForeverStateDetector>(builder.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("every row of payments, its input 2, by order_id"));
  EXPECT_THAT(findings[0].advice.Text(),
              HasSubstr("'<alias of orders, input 1>' = '7d', 'payments'"));
}

TEST(ForeverStateDetectorTest, HostilePlansAreJudgedToo) {
  CompiledPlan plan;
  PlanNode node;
  node.id = -1;
  node.kind = "join";
  node.description = "Join(where=[((((";
  node.state = {{0, "input-state-99999999999999999999", "0 ms", 0}, {0, "", "0 ms", 0}};
  plan.nodes = {node, node};
  plan.edges = {{-1, -1}, {-1, -1}, {5, -1}};
  EXPECT_THAT(Inspect<ForeverStateDetector>(plan), SizeIs(4));
  EXPECT_THAT(Inspect<TtlFromJobDefaultDetector>(plan), IsEmpty());
  EXPECT_THAT(Inspect<TtlMismatchDetector>(plan), IsEmpty());
}

TEST(TtlFromJobDefaultDetectorTest, AJoinWithoutInputsIsStillAJoin) {
  CompiledPlan plan = Cascade("c.json");
  std::vector<std::int64_t> joins;
  for (const PlanNode& node : plan.nodes) {
    if (node.kind == "join") joins.push_back(node.id);
  }
  ASSERT_THAT(joins, SizeIs(2));
  // Nothing feeds the lower join: a plan that was cut.
  std::erase_if(plan.edges, [&](const PlanEdge& edge) { return edge.target == joins[0]; });
  const auto findings = Inspect<TtlFromJobDefaultDetector>(plan);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("'<left input>' = "));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("'<right input>' = "));
}

TEST(TtlFromJobDefaultDetectorTest, FindsTheSlotWithTheShorterDefault) {
  const auto findings = Inspect<TtlFromJobDefaultDetector>(Cascade("c.json"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "ttl-from-job-default");
  EXPECT_EQ(findings[0].operator_label, "Join[11]");
  EXPECT_EQ(findings[0].state, "leftState");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("for 30 min, the job's default"), HasSubstr("orders for 1 d"),
                    HasSubstr("payments for 2 h"), HasSubstr("silently lost")));
  EXPECT_THAT(findings[0].advice.Text(),
              AllOf(HasSubstr("STATE_TTL('orders' = '1d', 'payments' = '2h')"),
                    HasSubstr("STATE_TTL('below' = '1d', 'users' = '7d')"),
                    HasSubstr("'table.optimizer.multi-join.enabled' = 'true'"),
                    HasSubstr("with the old state kept")));
}

TEST(TtlFromJobDefaultDetectorTest, FindsTheSlotThatIsKeptForEver) {
  CascadeTtls ttls;
  ttls.second_left = 0;
  const auto findings = Inspect<TtlFromJobDefaultDetector>(Cascade("c.json", ttls), "1.20.5");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("for ever, the job's default"));
  // The multi-join came with 2.1; switching a TTL on is what 1.20 refuses to restore.
  EXPECT_THAT(findings[0].advice.Text(),
              AllOf(Not(HasSubstr("multi-join")), HasSubstr("Flink 1.20 refuses")));
}

TEST(TtlFromJobDefaultDetectorTest, TheMendedCascadeIsFine) {
  EXPECT_THAT(Inspect<TtlFromJobDefaultDetector>(Cascade(
                  "c.json", {kMillisPerDay, 2 * kMillisPerHour, kMillisPerDay, 7 * kMillisPerDay})),
              IsEmpty());
}

TEST(TtlFromJobDefaultDetectorTest, WithoutHintsThereIsNothingTheyMissed) {
  EXPECT_THAT(Inspect<TtlFromJobDefaultDetector>(Cascade("c.json", {0, 0, 0, 0})), IsEmpty());
  EXPECT_THAT(Inspect<TtlFromJobDefaultDetector>(Cascade(
                  "c.json", {kMillisPerHour, kMillisPerHour, kMillisPerHour, kMillisPerHour})),
              IsEmpty());
}

TEST(TtlFromJobDefaultDetectorTest, ARightInputCanBeAJoinsResultToo) {
  PlanBuilder builder("bushy.json");
  const auto users = builder.Source("users", "user_id");
  const auto orders = builder.Source("orders", "order_id");
  const auto payments = builder.Source("payments", "order_id");
  const auto below =
      builder.Join(orders, payments, "order_id = order_id0", kMillisPerDay, 2 * kMillisPerHour);
  builder.Join(users, below, "user_id = user_id0", 7 * kMillisPerDay, 30 * kMillisPerMinute);
  const auto findings = Inspect<TtlFromJobDefaultDetector>(builder.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].state, "rightState");
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("STATE_TTL('users' = '7d', 'below' = '1d')"));
}

TEST(TtlFromJobDefaultDetectorTest, AnAggregationBetweenTheJoinsEndsTheChain) {
  PlanBuilder builder("agg.json");
  const auto below = builder.Join(builder.Source("a", "x"), builder.Source("b", "x"), "x = x0",
                                  kMillisPerDay, 2 * kMillisPerHour);
  builder.Join(builder.GroupBy(below, "x", kMillisPerDay), builder.Source("c", "x"), "x = x0",
               30 * kMillisPerMinute, 7 * kMillisPerDay);
  EXPECT_THAT(Inspect<TtlFromJobDefaultDetector>(builder.Build()), IsEmpty());
}

TEST(TtlMismatchDetectorTest, SidesThatAreFarApart) {
  for (const auto& [left, right] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{kMillisPerDay, 30'000},
                                                          {kMillisPerDay, 0},
                                                          {0, kMillisPerDay},
                                                          {30'000, kMillisPerDay}}) {
    const auto findings = Inspect<TtlMismatchDetector>(OneJoin(left, right));
    ASSERT_THAT(findings, SizeIs(1)) << left << " " << right;
    const bool left_is_shorter = right == 0 || (left != 0 && left < right);
    EXPECT_EQ(findings[0].state, left_is_shorter ? "leftState" : "rightState");
  }
  EXPECT_THAT(
      Inspect<TtlMismatchDetector>(OneJoin(kMillisPerDay, 30'000))[0].message,
      AllOf(HasSubstr("keeps its left input, orders, for 1 d but its right input, payments, for "
                      "30 s"),
            HasSubstr("a row of orders that comes more than 30 s after its match"),
            HasSubstr("silently lost")));
}

TEST(TtlMismatchDetectorTest, SidesThatPeopleChooseWithReason) {
  for (const auto& [left, right] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{kMillisPerDay, 2 * kMillisPerHour},
                                                          {kMillisPerDay, 7 * kMillisPerDay},
                                                          {30 * kMillisPerDay, kMillisPerDay},
                                                          {0, 0},
                                                          {kMillisPerDay, kMillisPerDay}}) {
    EXPECT_THAT(Inspect<TtlMismatchDetector>(OneJoin(left, right)), IsEmpty())
        << left << " " << right;
  }
}

TEST(TtlMismatchDetectorTest, OuterJoinsSayWhatIsLost) {
  EXPECT_THAT(
      Inspect<TtlMismatchDetector>(OneJoin(kMillisPerDay, 30'000, "LeftOuterJoin"))[0].message,
      HasSubstr("keeps NULL where the match was"));
}

TEST(TtlMismatchDetectorTest, ASlotThatHintsMissedIsNotReportedTwice) {
  EXPECT_THAT(Inspect<TtlMismatchDetector>(Cascade("c.json")), IsEmpty());
}

CompiledPlan JoinThenGroup(std::int64_t join, std::int64_t group) {
  PlanBuilder builder("chain.json");
  const auto below =
      builder.Join(builder.Source("a", "x"), builder.Source("b", "x"), "x = x0", join, join);
  builder.GroupBy(builder.Calc(below, "x"), "x", group);
  return builder.Build();
}

TEST(TtlMismatchDetectorTest, AChainWhoseLowerOperatorForgets) {
  const auto findings =
      Inspect<TtlMismatchDetector>(JoinThenGroup(kMillisPerHour, 7 * kMillisPerDay));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].operator_label, "Join[5]");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("Join[5] keeps leftState for 1 h"),
                    HasSubstr("GroupAggregate[8], which takes its result"), HasSubstr("for 7 d"),
                    HasSubstr("for rows of a and b the shorter one decides")));
}

TEST(TtlMismatchDetectorTest, APathThroughAUnion) {
  PlanBuilder builder("union.json");
  const auto below = builder.Join(builder.Source("a", "x"), builder.Source("b", "x"), "x = x0",
                                  kMillisPerHour, kMillisPerHour);
  const auto both = builder.Add("union", "Union(all=[true], union=[x])",
                                {builder.Source("c", "x"), builder.Calc(below, "x")});
  builder.GroupBy(both, "x", 7 * kMillisPerDay);
  const auto findings = Inspect<TtlMismatchDetector>(builder.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].operator_label, "Join[5]");
}

// A join, a GROUP BY and a deduplication, one above the other.
CompiledPlan ThreeHigh(std::int64_t join, std::int64_t group, std::int64_t last) {
  PlanBuilder builder("path.json");
  const auto below =
      builder.Join(builder.Source("a", "x"), builder.Source("b", "x"), "x = x0", join, join);
  const auto totals = builder.GroupBy(below, "x", group);
  builder.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[x], order=[PROCTIME])",
              {builder.Exchange(totals, "x")}, {{"deduplicateState", last}});
  return builder.Build();
}

TEST(TtlMismatchDetectorTest, APathThroughOperatorsWithStateBetween) {
  const auto findings = Inspect<TtlMismatchDetector>(
      ThreeHigh(kMillisPerHour, 20 * kMillisPerHour, 14 * kMillisPerDay));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].operator_label, "Join[5]");
  EXPECT_THAT(findings[0].message,
              HasSubstr("Deduplicate[9], which takes its result through GroupAggregate[7], keeps "
                        "deduplicateState for 14 d: for rows of a and b the shorter one"));
}

TEST(TtlMismatchDetectorTest, APathIsToldOnceWhereItsPartsDoNotFit) {
  // The GROUP BY forgets what both others keep: it is the one to change.
  for (const auto& finding : Inspect<TtlMismatchDetector>(
           ThreeHigh(7 * kMillisPerDay, kMillisPerHour, 7 * kMillisPerDay))) {
    EXPECT_EQ(finding.operator_label, "GroupAggregate[7]");
  }
  EXPECT_THAT(Inspect<TtlMismatchDetector>(ThreeHigh(0, 7 * kMillisPerDay, 7 * kMillisPerDay)),
              SizeIs(1));
  EXPECT_THAT(Inspect<TtlMismatchDetector>(
                  ThreeHigh(kMillisPerHour, 2 * kMillisPerHour, 3 * kMillisPerHour)),
              IsEmpty());
}

TEST(TtlMismatchDetectorTest, AChainWhoseUpperOperatorForgets) {
  for (const std::int64_t join : {7 * kMillisPerDay, std::int64_t{0}}) {
    const auto findings = Inspect<TtlMismatchDetector>(JoinThenGroup(join, kMillisPerHour));
    ASSERT_THAT(findings, SizeIs(1)) << join;
    EXPECT_EQ(findings[0].operator_label, "GroupAggregate[8]");
    EXPECT_EQ(findings[0].state, "groupAggregateState");
  }
}

TEST(TtlMismatchDetectorTest, ChainsThatAreFine) {
  EXPECT_THAT(Inspect<TtlMismatchDetector>(JoinThenGroup(kMillisPerHour, kMillisPerDay)),
              IsEmpty());
  // Totals for ever over a join that forgets: they stand.
  EXPECT_THAT(Inspect<TtlMismatchDetector>(JoinThenGroup(kMillisPerHour, 0)), IsEmpty());
  EXPECT_THAT(Inspect<TtlMismatchDetector>(JoinThenGroup(0, 0)), IsEmpty());
}

TEST(TtlMismatchDetectorTest, TheLargestTtlDoesNotOverflow) {
  constexpr std::int64_t kMax = 9'223'372'036'854'775'807;
  EXPECT_THAT(Inspect<TtlMismatchDetector>(OneJoin(kMax, 1)), SizeIs(1));
  EXPECT_THAT(Inspect<TtlMismatchDetector>(OneJoin(kMax, kMax - 1)), IsEmpty());
}

TEST(UnknownOperatorDetectorTest, NamesTheType) {
  PlanBuilder builder("odd.json");
  const auto source = builder.Source("orders", "a");
  builder.Add("quantum-join", "QuantumJoin(x)", {source});
  const auto findings = Inspect<UnknownOperatorDetector>(builder.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "unknown-operator");
  EXPECT_EQ(findings[0].node_id, 2);
  EXPECT_THAT(findings[0].message, HasSubstr("stream-exec-quantum-join_1"));
  EXPECT_THAT(Inspect<UnknownOperatorDetector>(Cascade("c.json")), IsEmpty());
}

}  // namespace
}  // namespace fss
