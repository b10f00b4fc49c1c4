#include "sidecar/analysis/entry_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::PlanBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

EntrySources Sources(const CompiledPlan& plan, std::int64_t id, std::string_view entry) {
  const PlanGraph graph(plan);
  return SourcesOf(graph, *graph.IndexOf(id), entry);
}

TEST(EntrySourcesTest, EachSideOfAJoinHasItsOwn) {
  const CompiledPlan plan = Cascade("c.json");
  const EntrySources left = Sources(plan, 6, "leftState");
  EXPECT_THAT(left.tables, ElementsAre("orders"));
  const EntrySources right = Sources(plan, 6, "rightState");
  EXPECT_THAT(right.tables, ElementsAre("payments"));
  // What the second join keeps of the first one comes from both of its tables.
  EXPECT_THAT(Sources(plan, 11, "leftState").tables, ElementsAre("orders", "payments"));
  EXPECT_THAT(Sources(plan, 11, "rightState").tables, ElementsAre("users"));
}

TEST(EntrySourcesTest, TheKeyOfAJoinIsCalledAsItsInputCallsIt) {
  PlanBuilder plan("j.json");
  const auto join = plan.Add("join", "Join(joinType=[InnerJoin], where=[(id = id0)], select=[a])",
                             {plan.Exchange(plan.Source("a", "id, x"), "id, x"),
                              plan.Exchange(plan.Source("b", "id, x"), "id, x")},
                             {{"leftState", 0}, {"rightState", 0}});
  EXPECT_THAT(Sources(plan.Build(), join, "leftState").keys, ElementsAre("id", "x"));
  EXPECT_THAT(Sources(plan.Build(), join, "rightState").keys, ElementsAre("id", "x"));
}

TEST(EntrySourcesTest, WithoutExchangesTheConditionTellsTheKey) {
  PlanBuilder plan("j.json");
  const auto left = plan.Calc(plan.Source("a", "id, x"), "id, x");
  const auto right = plan.Source("b", "id, y");
  const auto join =
      plan.Add("join", "Join(joinType=[InnerJoin], where=[((id = id0) AND (y = x))], select=[a])",
               {left, right}, {{"leftState", 0}, {"rightState", 0}});
  EXPECT_THAT(Sources(plan.Build(), join, "leftState").keys, ElementsAre("id", "x"));
  EXPECT_THAT(Sources(plan.Build(), join, "rightState").keys, ElementsAre("id", "y"));
}

TEST(EntrySourcesTest, AJoinOnNothingHasNoKey) {
  PlanBuilder plan("j.json");
  const auto single = "Exchange(distribution=[single])";
  const auto join = plan.Add("join", "Join(joinType=[InnerJoin], where=[true], select=[a])",
                             {plan.Add("exchange", single, {plan.Source("a", "id")}),
                              plan.Add("exchange", single, {plan.Source("b", "id")})},
                             {{"leftState", 0}, {"rightState", 0}});
  const EntrySources left = Sources(plan.Build(), join, "leftState");
  EXPECT_THAT(left.tables, ElementsAre("a"));
  EXPECT_THAT(left.keys, IsEmpty());
}

TEST(EntrySourcesTest, OneInputIsKeptByTheOperatorsKey) {
  PlanBuilder plan("g.json");
  const auto group = plan.GroupBy(plan.Source("orders", "a, b"), "a, b", 0);
  const auto rank = plan.Add("rank", "Rank(partitionBy=[a], orderBy=[b DESC])",
                             {plan.Exchange(group, "a")}, {{"rankState", 0}});
  const auto all =
      plan.Add("rank", "Rank(partitionBy=[], orderBy=[b DESC])", {rank}, {{"rankState", 0}});
  EXPECT_THAT(Sources(plan.Build(), group, "groupAggregateState").keys, ElementsAre("a", "b"));
  EXPECT_THAT(Sources(plan.Build(), rank, "rankState").keys, ElementsAre("a"));
  EXPECT_THAT(Sources(plan.Build(), all, "rankState").keys, IsEmpty());
  EXPECT_THAT(Sources(plan.Build(), all, "rankState").tables, ElementsAre("orders"));
}

TEST(EntrySourcesTest, ASinkIsKeptByThePrimaryKeyOfItsTable) {
  PlanBuilder plan("s.json");
  const auto sink = plan.Add("sink", "Sink(table=[c.d.out], fields=[a], upsertMaterialize=[true])",
                             {plan.Source("orders", "a")}, {{"sinkMaterializeState", 0}});
  EXPECT_THAT(Sources(plan.Build(), sink, "sinkMaterializeState").keys, IsEmpty());
  plan.Node(sink)->sink_keys = std::make_shared<SinkKeys>(SinkKeys{{"region", "day"}, {}});
  EXPECT_THAT(Sources(plan.Build(), sink, "sinkMaterializeState").keys,
              ElementsAre("region", "day"));
  EXPECT_THAT(Sources(plan.Build(), sink, "sinkMaterializeState").tables, ElementsAre("orders"));
}

TEST(EntrySourcesTest, AMultiJoinHasAnInputForEachEntry) {
  PlanBuilder plan("m.json");
  std::vector<std::int64_t> inputs;
  for (const char* table : {"orders", "payments"}) {
    inputs.push_back(plan.Exchange(plan.Source(table, "id"), "id"));
  }
  const auto join = plan.Add("multi-join", "MultiJoin(commonJoinKey=[id])", inputs,
                             {{"input-state-0", 0}, {"input-state-1", 0}});
  EXPECT_THAT(Sources(plan.Build(), join, "input-state-1").tables, ElementsAre("payments"));
  EXPECT_THAT(Sources(plan.Build(), join, "input-state-1").keys, ElementsAre("id"));
  EXPECT_THAT(Sources(plan.Build(), join, "input-state-2").tables, IsEmpty());
}

TEST(EntrySourcesTest, TablesOfOneNameAreToldApartByTheirPaths) {
  PlanBuilder plan("p.json");
  const auto scan = [&](const std::string& database) {
    return plan.Add("table-source-scan", "TableSourceScan(table=[[cat, " + database +
                                             ", orders, project=[id], metadata=[]]], fields=[id])");
  };
  const auto both =
      plan.Add("union", "Union(all=[true], union=[id])", {scan("new"), scan("old"), scan("new")});
  const auto lookup =
      plan.Add("lookup-join", "LookupJoin(table=[cat.db.users], joinType=[x])", {both});
  const auto group = plan.GroupBy(lookup, "id", kMillisPerDay);
  EXPECT_THAT(Sources(plan.Build(), group, "groupAggregateState").tables,
              ElementsAre("users", "cat.new.orders", "cat.old.orders"));
}

TEST(EntrySourcesTest, MoreThanCanBeLookedAtIsNotKnown) {
  PlanBuilder wide("w.json");
  std::vector<std::int64_t> scans;
  for (int i = 0; i < 100; ++i) scans.push_back(wide.Source("t" + std::to_string(i), "id"));
  const auto group = wide.GroupBy(wide.Add("union", "Union(all=[true])", scans), "id", 0);
  EXPECT_THAT(Sources(wide.Build(), group, "groupAggregateState").tables, IsEmpty());
  PlanBuilder deep("d.json");
  auto node = deep.Source("orders", "id");
  for (int i = 0; i < 2000; ++i) node = deep.Calc(node, "id");
  const auto below = deep.GroupBy(node, "id", 0);
  EXPECT_THAT(Sources(deep.Build(), below, "groupAggregateState").tables, IsEmpty());
  EXPECT_THAT(Sources(deep.Build(), below, "groupAggregateState").keys, ElementsAre("id"));
}

TEST(EntrySourcesTest, ALoopIsWalkedOnce) {
  PlanBuilder builder("l.json");
  const auto group = builder.GroupBy(builder.Source("orders", "id"), "id", 0);
  CompiledPlan plan = builder.Build();
  plan.edges.push_back({group, group - 1});
  plan.edges.push_back({group, group});
  EXPECT_THAT(Sources(plan, group, "groupAggregateState").tables, ElementsAre("orders"));
}

TEST(EntrySourcesTest, ManyTablesAreCounted) {
  EXPECT_EQ(TablesText({}), "");
  EXPECT_EQ(TablesText({"a"}), "a");
  EXPECT_EQ(TablesText({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(TablesText({"a", "b", "c", "d", "e", "f"}), "a, b, c, d and 2 more");
}

}  // namespace
}  // namespace fss
