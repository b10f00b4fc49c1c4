#include "sidecar/analysis/correlator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/correlator_fixture.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::Library;
using sample::LinkOf;
using sample::LinkOne;
using sample::Plain;
using sample::PlanBuilder;
using sample::RunOptions;
using sample::Start;
using sample::Totals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using Outcome = JobLink::Outcome;

TEST(CorrelatorTest, JobOfACompiledPlanIsMatchedByUid) {
  const auto plan = Cascade("cascade.json", {}, 7);
  const auto job = Start(plan, "cascade");
  const auto link = LinkOne(job, Library({plan}));
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.plan_file, "cascade.json");
  EXPECT_EQ(link.how, MatchedBy::kUid);
  EXPECT_EQ(LinkOf(job, link, 12).how, MatchedBy::kUid);
  EXPECT_EQ(LinkOf(job, link, 12).node_id, 12);
  // Not the head of its chain: the text speaks for it.
  EXPECT_EQ(LinkOf(job, link, 13).how, MatchedBy::kDescription);
  for (const OperatorLink& op : link.links) EXPECT_TRUE(op.node_id.has_value());
}

TEST(CorrelatorTest, EveryUidFormatIsTried) {
  const auto plan = Totals("totals.json", 0);
  for (const std::string& format : DefaultUidFormats()) {
    RunOptions options;
    options.uid_format = format;
    const auto job = Start(plan, "totals", options);
    EXPECT_EQ(LinkOf(job, LinkOne(job, Library({plan})), 4).how, MatchedBy::kUid) << format;
  }
}

TEST(CorrelatorTest, AFunctionsOwnUidStandsForTheFormat) {
  PlanBuilder builder("ptf.json");
  const auto source = builder.Source("orders", "a");
  const auto ptf =
      builder.Add("process-table-function", "ProcessTableFunction(invocation=[f()], uid=[mine])",
                  {builder.Exchange(source, "a")});
  builder.Node(ptf)->uid = "mine";
  builder.Sink(ptf, "s");
  const auto plan = builder.Build();
  const auto job = Start(plan, "ptf");
  EXPECT_EQ(LinkOf(job, LinkOne(job, Library({plan})), ptf).how, MatchedBy::kUid);
}

TEST(CorrelatorTest, PlainInsertIsMatchedByDescription) {
  const auto plan = Cascade("cascade.json", {}, 23);
  const auto job = Start(plan, "plain", Plain(16));
  const auto link = LinkOne(job, Library({Totals("totals.json", 0), plan}));
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.plan_file, "cascade.json");
  EXPECT_EQ(link.how, MatchedBy::kDescription);
  EXPECT_EQ(LinkOf(job, link, 33 + 16).node_id, 33);
  EXPECT_EQ(LinkOf(job, link, 34 + 16).node_id, 34);  // the sink, by its table
}

TEST(CorrelatorTest, UnsimplifiedNamesAreMatchedByUid) {
  const auto plan = Cascade("cascade.json");
  RunOptions options;
  options.simplified = false;
  const auto job = Start(plan, "cascade", options);
  const auto link = LinkOne(job, Library({plan}));
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.how, MatchedBy::kUid);
  for (const OperatorLink& op : link.links) EXPECT_TRUE(op.node_id.has_value());
}

TEST(CorrelatorTest, FreshSessionsShareIdsButNotPlans) {
  // Both plans number from 1 on: their sources and GROUP BYs hash alike.
  PlanBuilder builder("regions.json");
  const auto users = builder.Source("users", "user_id, region");
  builder.Sink(builder.GroupBy(builder.Calc(users, "region"), "region", kMillisPerDay), "regions");
  const auto regions = builder.Build();
  const auto totals = Totals("totals.json", 0);
  const auto links = Correlate({Start(totals, "a"), Start(regions, "b")},
                               Library({regions, totals}), DefaultUidFormats());
  EXPECT_EQ(links[0].plan_file, "totals.json");
  EXPECT_EQ(links[1].plan_file, "regions.json");
  // With its own plan not there, the other one's ids prove nothing.
  EXPECT_EQ(LinkOne(Start(totals, "a"), Library({regions})).outcome, Outcome::kNoPlan);
}

TEST(CorrelatorTest, TheSameStatementIntoAnotherTableIsAnotherPlan) {
  const auto plan = Totals("mine.json", 0, 1, "mine");
  const auto job = Start(Totals("theirs.json", 0, 1, "theirs"), "theirs");
  EXPECT_EQ(LinkOne(job, Library({plan})).outcome, Outcome::kNoPlan);
}

TEST(CorrelatorTest, UidProofBeatsEqualTexts) {
  const auto mine = Totals("mine.json", kMillisPerHour, 40);
  const auto job = Start(mine, "job");
  const auto link = LinkOne(job, Library({Totals("apart.json", 0, 1), mine}));
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.plan_file, "mine.json");
}

TEST(CorrelatorTest, SeveralJobsMayRunOnePlan) {
  const auto plan = Totals("totals.json", 0);
  const auto links =
      Correlate({Start(plan, "one"), Start(plan, "two")}, Library({plan}), DefaultUidFormats());
  EXPECT_EQ(links[0].outcome, Outcome::kMatched);
  EXPECT_EQ(links[1].outcome, Outcome::kMatched);
}

TEST(CorrelatorTest, EqualTextsWithOtherTtlsAreAmbiguous) {
  const auto library = Library({Totals("a.json", 0), Totals("b.json", 30 * kMillisPerMinute)});
  const auto job = Start(library.plans[0], "job", Plain(100));
  const auto link = LinkOne(job, library);
  EXPECT_EQ(link.outcome, Outcome::kAmbiguous);
  EXPECT_THAT(link.candidates, ElementsAre("a.json", "b.json"));
  EXPECT_FALSE(link.candidates_agree);
  // No TTL can be shown for the GROUP BY; the source is the same in both.
  EXPECT_FALSE(LinkOf(job, link, 104).node_id.has_value());
  EXPECT_EQ(LinkOf(job, link, 104).how, MatchedBy::kName);
  EXPECT_TRUE(LinkOf(job, link, 101).node_id.has_value());
}

TEST(CorrelatorTest, EqualTextsWithEqualTtlsAgree) {
  const auto library =
      Library({Totals("a.json", kMillisPerDay), Totals("b.json", kMillisPerDay, 50)});
  const auto job = Start(library.plans[0], "job", Plain(100));
  const auto link = LinkOne(job, library);
  EXPECT_EQ(link.outcome, Outcome::kAmbiguous);
  EXPECT_TRUE(link.candidates_agree);
  EXPECT_TRUE(LinkOf(job, link, 104).node_id.has_value());
}

TEST(CorrelatorTest, UidsOfTwoPlansWithOtherTtlsAreAmbiguousToo) {
  const auto library = Library({Totals("a.json", 0), Totals("b.json", kMillisPerDay)});
  const auto link = LinkOne(Start(library.plans[0], "job"), library);
  EXPECT_EQ(link.outcome, Outcome::kAmbiguous);
  EXPECT_EQ(link.how, MatchedBy::kUid);
  EXPECT_FALSE(link.candidates_agree);
}

TEST(CorrelatorTest, AmongEqualPlansTheJobsNameDecides) {
  const auto library =
      Library({Totals("lab/agg-ttl.json", kMillisPerHour), Totals("lab/agg.json", 0)});
  const auto link = LinkOne(Start(library.plans[0], "agg", Plain(9)), library);
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.plan_file, "lab/agg.json");
}

TEST(CorrelatorTest, APlanThatAnotherJobRunsByUidIsLessLikely) {
  const auto taken = Totals("taken.json", 0, 40);
  const auto library = Library({taken, Totals("free.json", kMillisPerHour, 60)});
  const auto links = Correlate({Start(taken, "first"), Start(taken, "second", Plain(100))}, library,
                               DefaultUidFormats());
  EXPECT_EQ(links[0].plan_file, "taken.json");
  EXPECT_EQ(links[1].outcome, Outcome::kMatched);
  EXPECT_EQ(links[1].plan_file, "free.json");
}

TEST(CorrelatorTest, AChangedGroupByHasDrifted) {
  const auto old_plan = Totals("totals.json", 0);
  PlanBuilder changed("totals.json");
  const auto orders = changed.Source("orders", "order_id, user_id, amount");
  changed.Sink(changed.GroupBy(changed.Calc(orders, "user_id, amount"), "user_id", kMillisPerDay),
               "totals");
  changed.Node(4)->description = "GroupAggregate(groupBy=[user_id], select=[user_id, COUNT(*)])";
  const auto job = Start(old_plan, "totals");
  const auto link = LinkOne(job, Library({changed.Build()}));
  EXPECT_EQ(link.outcome, Outcome::kDrifted);
  EXPECT_EQ(link.plan_file, "totals.json");
  ASSERT_FALSE(link.details.empty());
  EXPECT_THAT(link.details[0], HasSubstr("GroupAggregate[4] runs as"));
  // Its TTL is not this operator's any more.
  EXPECT_FALSE(LinkOf(job, link, 4).node_id.has_value());
  EXPECT_EQ(LinkOf(job, link, 1).node_id, 1);
}

TEST(CorrelatorTest, AnOperatorThatThePlanHasAndTheJobHasNotIsDrift) {
  PlanBuilder builder("set.json");
  const auto orders = builder.Source("orders", "order_id, user_id, amount");
  const auto calc = builder.Calc(orders, "user_id, amount");
  builder.Sink(builder.GroupBy(calc, "user_id", 0), "totals");
  const auto whole = builder.Build();
  builder.Sink(builder.GroupBy(calc, "order_id", 0), "totals");
  const auto link = LinkOne(Start(whole, "set"), Library({builder.Build()}));
  EXPECT_EQ(link.outcome, Outcome::kDrifted);
  ASSERT_THAT(link.details, SizeIs(1));
  EXPECT_THAT(link.details[0], HasSubstr("GroupAggregate[7] of the plan does not run"));
}

TEST(CorrelatorTest, AFilterMakesItAnotherStatement) {
  // The same GROUP BY into the same table; only what goes in differs. Nothing says that the saved
  // plan was ever this job's.
  PlanBuilder builder("filtered");
  const auto orders = builder.Source("orders", "order_id, user_id, amount");
  const auto calc = builder.Calc(orders, "user_id, amount], where=[(amount > 1)");
  builder.Sink(builder.GroupBy(calc, "user_id", 0), "totals");
  for (const bool simplified : {true, false}) {
    RunOptions options = Plain(60);
    options.simplified = simplified;
    const auto job = Start(builder.Build(), "filtered", options);
    EXPECT_EQ(LinkOne(job, Library({Totals("totals.json", 0)})).outcome, Outcome::kNoPlan);
  }
}

TEST(CorrelatorTest, APlanThatFitsAnotherJobHasNotDriftedFromThisOne) {
  const auto plan = Totals("totals.json", 0);
  auto other = Start(plan, "other");
  for (JobVertex& vertex : other.graph.vertices) {
    for (ChainOperator& op : vertex.chain) {
      if (op.node_id == 4) op.description = "GroupAggregate(groupBy=[x], select=[x])";
    }
  }
  const auto links =
      Correlate({Start(plan, "totals"), other}, Library({plan}), DefaultUidFormats());
  EXPECT_EQ(links[0].outcome, Outcome::kMatched);
  EXPECT_EQ(links[1].outcome, Outcome::kNoPlan);
}

TEST(CorrelatorTest, APartOfAStatementSetRunsAlone) {
  PlanBuilder builder("set.json");
  const auto orders = builder.Source("orders", "order_id, user_id, amount");
  const auto calc = builder.Calc(orders, "user_id, amount");
  builder.Sink(builder.GroupBy(calc, "user_id", kMillisPerHour), "totals");
  builder.Sink(builder.GroupBy(builder.Source("users", "region"), "region", 0), "regions");
  const auto job = Start(Totals("alone", 0), "alone", Plain(30));
  const auto link = LinkOne(job, Library({builder.Build()}));
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.how, MatchedBy::kDescription);
  EXPECT_EQ(LinkOf(job, link, 34).node_id, 4);
}

TEST(CorrelatorTest, TheFirstJoinOfACascadeIsNotTheSingleJoinOfAnotherJob) {
  PlanBuilder builder("join");
  const auto orders = builder.Source("orders", "order_id, user_id, amount, ts");
  const auto stamped = builder.Add("watermark-assigner",
                                   "WatermarkAssigner(rowtime=[ts], watermark=[ts])", {orders});
  const auto payments = builder.Source("payments", "pay_id, order_id");
  builder.Sink(builder.Join(stamped, payments, "order_id = order_id0", 0, 0), "paid");
  const auto job = Start(builder.Build(), "join", Plain(50));
  EXPECT_EQ(LinkOne(job, Library({Cascade("cascade.json")})).outcome, Outcome::kNoPlan);
}

// Two branches with equal GROUP BYs, told apart by what they write.
CompiledPlan Twins(std::int64_t ttl_a, std::int64_t ttl_b) {
  PlanBuilder builder("twins.json");
  const auto orders = builder.Source("orders", "user_id, amount");
  builder.Sink(builder.GroupBy(orders, "user_id", ttl_a), "a");
  builder.Sink(builder.GroupBy(orders, "user_id", ttl_b), "b");
  return builder.Build();
}

TEST(CorrelatorTest, EqualBranchesAreToldApartByTheirSurroundings) {
  const auto plan = Twins(kMillisPerHour, kMillisPerDay);
  auto job = Start(plan, "twins", Plain(70));
  const auto link = LinkOne(job, Library({plan}));
  EXPECT_EQ(LinkOf(job, link, 73).node_id, 3);
  EXPECT_EQ(LinkOf(job, link, 76).node_id, 6);
  // Numbered the other way round, the tables still tell.
  for (JobVertex& vertex : job.graph.vertices) {
    for (ChainOperator& op : vertex.chain) {
      if (op.node_id == 73)
        op.node_id = 76;
      else if (op.node_id == 76)
        op.node_id = 73;
      else if (op.node_id == 74)
        op.node_id = 77;
      else if (op.node_id == 77)
        op.node_id = 74;
    }
  }
  const auto turned = LinkOne(job, Library({plan}));
  EXPECT_EQ(LinkOf(job, turned, 76).node_id, 3);
  EXPECT_EQ(LinkOf(job, turned, 73).node_id, 6);
}

TEST(CorrelatorTest, TheSinksMaterializerFollowsItsTable) {
  PlanBuilder builder("upsert.json");
  const auto totals =
      builder.GroupBy(builder.Source("orders", "user_id, amount"), "user_id", kMillisPerDay);
  const auto sink = builder.Sink(totals, "kv");
  builder.Node(sink)->state = {{0, "sinkMaterializeState", "0 ms", 0}};
  const auto plan = builder.Build();
  auto job = Start(plan, "upsert");
  EXPECT_EQ(LinkOf(job, LinkOne(job, Library({plan})), sink).how, MatchedBy::kUid);
  job = Start(plan, "upsert", Plain(10));
  const auto link = LinkOne(job, Library({plan}));
  EXPECT_EQ(LinkOf(job, link, sink + 10).how, MatchedBy::kDescription);
  EXPECT_EQ(LinkOf(job, link, sink + 10).node_id, sink);
}

}  // namespace
}  // namespace fss
