// What forever-state says of sinks, deduplications and Top-Ns beyond their kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/analysis/forever_state_detector.h"
#include "sidecar/analysis/window_rank.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::PlanBuilder;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// The one finding of a plan.
Finding Find(const CompiledPlan& plan, const std::string& version = "2.3.0") {
  std::vector<Finding> findings;
  ForeverStateDetector().Inspect({plan, version, "EmbeddedRocksDBStateBackend", true}, &findings);
  EXPECT_THAT(findings, SizeIs(1));
  return findings.empty() ? Finding() : findings[0];
}

// Totals per user (kept 1 d) into a table with the keys given.
CompiledPlan Sink(const SinkKeys& keys) {
  PlanBuilder plan("s.json");
  const auto totals =
      plan.GroupBy(plan.Source("orders", "user_id, amount"), "user_id", kMillisPerDay);
  const auto sink =
      plan.Add("sink", "Sink(table=[c.d.by_region], fields=[a, b], upsertMaterialize=[true])",
               {plan.Calc(totals, "CAST(user_id AS STRING) AS k")}, {{"sinkMaterializeState", 0}});
  plan.Node(sink)->sink_keys = std::make_shared<SinkKeys>(keys);
  return plan.Build();
}

TEST(EntryReasonTest, ASinkWhoseInputIsUniqueByOtherColumns) {
  const Finding finding = Find(Sink({{"region"}, {"user_id", "day"}}));
  EXPECT_EQ(finding.code, "forever-state");
  EXPECT_THAT(finding.message,
              AllOf(HasSubstr("the rows of every key it ever wrote, by region, from orders; its "
                              "input is unique by user_id and day, not by the primary key region,"),
                    HasSubstr("in any order")));
  EXPECT_THAT(finding.advice.Text(),
              AllOf(HasSubstr("    CREATE TABLE by_region (…, PRIMARY KEY (user_id, day) NOT "
                              "ENFORCED) WITH (…);\n"),
                    HasSubstr("    SELECT region, … FROM … GROUP BY region;\n"),
                    HasSubstr("Flink 2.3 refuses to compile such an INSERT"),
                    HasSubstr("'table.exec.sink.upsert-materialize' = 'NONE'"),
                    Not(HasSubstr("let the query's unique key be"))));
}

TEST(EntryReasonTest, BeforeOnConflictThereIsNothingToSayOfIt) {
  EXPECT_THAT(Find(Sink({{"region"}, {"user_id"}}), "1.20.5").advice.Text(),
              Not(HasSubstr("ON CONFLICT")));
  EXPECT_THAT(Find(Sink({{"region"}, {"user_id"}}), "").advice.Text(),
              HasSubstr("From 2.3 on Flink refuses"));
}

TEST(EntryReasonTest, ASinkWhoseInputLostTheKeyOfAnAggregation) {
  const Finding finding = Find(Sink({{"k"}, {}}));
  EXPECT_THAT(finding.message, HasSubstr("no unique key any more: that of GroupAggregate[3], "
                                         "user_id, was lost on the way, and the primary key is k"));
  EXPECT_THAT(finding.advice.Text(), HasSubstr("PRIMARY KEY (user_id) NOT ENFORCED"));
}

TEST(EntryReasonTest, ASinkWhoseInputNeverHadAKey) {
  PlanBuilder plan("s.json");
  const auto join = plan.Join(plan.Source("a", "x"), plan.Source("b", "x"), "x = x0", 1, 1);
  const auto sink = plan.Add("sink", "Sink(table=[c.d.t], fields=[a], upsertMaterialize=[true])",
                             {join}, {{"sinkMaterializeState", 0}});
  plan.Node(sink)->sink_keys = std::make_shared<SinkKeys>(SinkKeys{{"x"}, {}});
  const Finding finding = Find(plan.Build());
  EXPECT_THAT(finding.message, AllOf(HasSubstr("from a and b"),
                                     HasSubstr("its input has no unique key that Flink knows of")));
  EXPECT_THAT(finding.advice.Text(), Not(HasSubstr("CREATE TABLE")));
}

TEST(EntryReasonTest, AMaterializerThatWasForced) {
  const Finding finding = Find(Sink({{"user_id", "region"}, {"user_id"}}));
  EXPECT_THAT(finding.message, HasSubstr("must be FORCE"));
  EXPECT_THAT(finding.advice.Text(), HasSubstr("'table.exec.sink.upsert-materialize' = 'AUTO'"));
}

TEST(EntryReasonTest, ASinkWhoseKeysThePlanDoesNotTell) {
  CompiledPlan plan = Sink({{"k"}, {}});
  plan.nodes.back().sink_keys = nullptr;
  const Finding finding = Find(plan);
  EXPECT_THAT(finding.message, HasSubstr("every key it ever wrote, from orders."));
  EXPECT_THAT(finding.advice.Text(), HasSubstr("let the query's unique key be"));
}

TEST(EntryReasonTest, OddNamesAreQuotedAndLongKeysCut) {
  const std::string advice = Find(Sink({{"region"}, {"user id", ""}})).advice.Text();
  EXPECT_THAT(advice, HasSubstr("PRIMARY KEY (`user id`, <column>) NOT ENFORCED"));
  const Finding finding = Find(Sink({{"region"}, std::vector<std::string>(100, "x")}));
  EXPECT_THAT(finding.message, HasSubstr("x, x, x, x and 96 more"));
  EXPECT_THAT(finding.advice.Text(), HasSubstr("PRIMARY KEY (…) NOT ENFORCED"));
}

CompiledPlan Deduplicated(const std::string& description, bool timed = true) {
  PlanBuilder plan("d.json");
  auto orders = plan.Source("orders", "order_id, ts");
  if (timed) {
    orders =
        plan.Add("watermark-assigner", "WatermarkAssigner(rowtime=[ts], watermark=[ts])", {orders});
  }
  plan.Add("deduplicate", description,
           {plan.Exchange(plan.Calc(orders, "order_id, PROCTIME() AS pt"), "order_id")},
           {{"deduplicateState", 0}});
  return plan.Build();
}

TEST(EntryReasonTest, ADeduplicationByArrival) {
  const Finding finding =
      Find(Deduplicated("Deduplicate(keep=[FirstRow], key=[order_id], order=[PROCTIME])"));
  EXPECT_THAT(finding.message,
              AllOf(HasSubstr("every key it ever saw, by order_id, from orders; it orders rows by "
                              "processing time"),
                    HasSubstr("by their arrival.")));
  EXPECT_THAT(finding.advice.Text(),
              AllOf(HasSubstr("PARTITION BY window_start, window_end, order_id\n"
                              "        ORDER BY ts) AS rn\n"),
                    HasSubstr("TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '1' HOUR)))\n"
                              "    WHERE rn = 1;"),
                    HasSubstr("STATE_TTL hints compile on a deduplication and change nothing")));
}

TEST(EntryReasonTest, ADeduplicationByEventTimeIsNoMatterOfArrival) {
  const Finding finding =
      Find(Deduplicated("Deduplicate(keep=[LastRow], key=[order_id], order=[ROWTIME])"));
  EXPECT_THAT(finding.message, Not(HasSubstr("processing time")));
  EXPECT_THAT(finding.advice.Text(),
              AllOf(HasSubstr("ORDER BY ts DESC) AS rn"), Not(HasSubstr("processing time"))));
}

TEST(EntryReasonTest, WithoutAWatermarkOneIsAskedFor) {
  EXPECT_THAT(
      Find(Deduplicated("Deduplicate(keep=[FirstRow], key=[order_id], order=[PROCTIME])", false))
          .advice.Text(),
      AllOf(HasSubstr("declare one in the table first"), HasSubstr("DESCRIPTOR(<time column>)")));
}

CompiledPlan Ranked(const std::string& kind, const std::string& description) {
  PlanBuilder plan("r.json");
  const auto orders = plan.Source("orders", "user_id, amount");
  plan.Add(kind, description, {plan.Add("exchange", "Exchange(distribution=[single])", {orders})},
           {{"rankState", 0}});
  return plan.Build();
}

TEST(EntryReasonTest, ATopNOverEverything) {
  const Finding finding =
      Find(Ranked("rank",
                  "Rank(strategy=[AppendFastStrategy], rankType=[ROW_NUMBER], rankRange=[rankStart="
                  "1, rankEnd=10], partitionBy=[], orderBy=[amount DESC, made_up ASC])"));
  EXPECT_THAT(finding.message, HasSubstr("the first 10 rows, from orders; there is no PARTITION "
                                         "BY, so one subtask ranks all rows"));
  EXPECT_THAT(finding.advice.Text(),
              AllOf(HasSubstr("PARTITION BY window_start, window_end\n"
                              "        ORDER BY amount DESC, <made_up>) AS rn"),
                    HasSubstr("WHERE rn <= 10;"), HasSubstr("add PARTITION BY")));
}

TEST(EntryReasonTest, AnOrderByWithLimitIsATopNOverEverything) {
  const Finding finding = Find(Ranked("sort-limit",
                                      "SortLimit(orderBy=[amount ASC], offset=[0], fetch=[3], "
                                      "strategy=[RetractStrategy])"));
  EXPECT_THAT(finding.message,
              AllOf(HasSubstr("every row of its input"), HasSubstr("no PARTITION BY")));
  EXPECT_THAT(finding.advice.Text(), HasSubstr("WHERE rn <= 3;"));
}

TEST(EntryReasonTest, ATopNForEachKeyIsNot) {
  const Finding finding = Find(
      Ranked("rank",
             "Rank(strategy=[AppendFastStrategy], rankType=[ROW_NUMBER], rankRange=[rankStart=1, "
             "rankEnd=x], partitionBy=[user_id], orderBy=[amount DESC])"));
  EXPECT_THAT(finding.message, AllOf(HasSubstr("the ranked rows of every partition it ever saw, by "
                                               "user_id, from orders."),
                                     Not(HasSubstr("PARTITION BY"))));
  EXPECT_THAT(finding.advice.Text(),
              AllOf(HasSubstr("window_end, user_id\n"), HasSubstr("WHERE rn <= <n>;"),
                    Not(HasSubstr("add PARTITION BY"))));
}

TEST(WindowRankTest, OtherKindsHaveNone) {
  const CompiledPlan plan = sample::Totals("t.json", 0);
  const PlanGraph graph(plan);
  for (std::size_t i = 0; i < graph.size(); ++i) EXPECT_EQ(WindowRankSql(graph, i), "");
}

}  // namespace
}  // namespace fss
