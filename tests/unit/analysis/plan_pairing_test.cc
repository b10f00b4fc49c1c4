#include "sidecar/analysis/plan_pairing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "sidecar/analysis/comparable_text.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::PlanBuilder;

constexpr const char* kFormat = "<id>_<transformation>";

// Old node id → new node id, of what was paired.
std::map<std::int64_t, std::int64_t> Pairs(const CompiledPlan& old_plan,
                                           const CompiledPlan& new_plan) {
  const PlanPairing pairing = PairPlans(PlanGraph(old_plan), PlanGraph(new_plan), kFormat);
  EXPECT_EQ(pairing.new_of_old.size(), old_plan.nodes.size());
  EXPECT_EQ(pairing.old_of_new.size(), new_plan.nodes.size());
  std::map<std::int64_t, std::int64_t> pairs;
  for (std::size_t i = 0; i < pairing.new_of_old.size(); ++i) {
    if (!pairing.new_of_old[i]) continue;
    EXPECT_EQ(pairing.old_of_new[*pairing.new_of_old[i]], i);
    pairs[old_plan.nodes[i].id] = new_plan.nodes[*pairing.new_of_old[i]].id;
  }
  return pairs;
}

CompiledPlan Shuffled(CompiledPlan plan, unsigned seed) {
  std::mt19937 random(seed);
  std::shuffle(plan.nodes.begin(), plan.nodes.end(), random);
  // Edges into one node stand in the order of its inputs.
  std::stable_sort(plan.edges.begin(), plan.edges.end(),
                   [seed](const PlanEdge& a, const PlanEdge& b) {
                     return (a.target * (seed + 3)) % 7 < (b.target * (seed + 3)) % 7;
                   });
  return plan;
}

TEST(PlanPairingTest, EqualPlansPairNodeByNode) {
  const CompiledPlan plan = sample::Cascade("a.json");
  const auto pairs = Pairs(plan, plan);
  for (const auto& [before, now] : pairs) EXPECT_EQ(before, now);
  const auto visible =
      std::ranges::count_if(plan.nodes, [](const PlanNode& node) { return !IsInvisible(node); });
  EXPECT_EQ(pairs.size(), static_cast<std::size_t>(visible));
}

TEST(PlanPairingTest, OtherNumbersChangeNothing) {
  const auto pairs = Pairs(sample::Cascade("a.json"), sample::Cascade("a.json", {}, 101));
  ASSERT_FALSE(pairs.empty());
  for (const auto& [before, now] : pairs) EXPECT_EQ(before + 100, now);
}

TEST(PlanPairingTest, NeitherDoesTheOrderOfNodes) {
  const CompiledPlan old_plan = sample::Cascade("a.json");
  const CompiledPlan new_plan = sample::Cascade("a.json", {}, 4);  // numbers that mean others
  const auto expected = Pairs(old_plan, new_plan);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(Pairs(Shuffled(old_plan, seed), Shuffled(new_plan, seed + 100)), expected);
  }
}

// Two joins of one text over other tables. `swapped`: the second is built first, so that each has
// the other's numbers.
CompiledPlan TwoJoins(bool swapped) {
  PlanBuilder plan("two.json");
  const auto branch = [&](const std::string& left, const std::string& right,
                          const std::string& sink) {
    const auto a = plan.Source(left, "id");
    const auto b = plan.Source(right, "id");
    plan.Sink(plan.Join(a, b, "id = id0", 0, 0), sink);
  };
  if (swapped) branch("c", "d", "cd");
  branch("a", "b", "ab");
  if (!swapped) branch("c", "d", "cd");
  return plan.Build();
}

TEST(PlanPairingTest, EqualJoinsAreToldApartByWhatFeedsThem) {
  EXPECT_EQ(Pairs(TwoJoins(false), TwoJoins(true)),
            (std::map<std::int64_t, std::int64_t>{
                {1, 7}, {2, 8}, {5, 11}, {6, 12}, {7, 1}, {8, 2}, {11, 5}, {12, 6}}));
}

TEST(PlanPairingTest, LeftAndRightAreNotTheSame) {
  const auto joined = [](const std::string& left, const std::string& right) {
    PlanBuilder plan("lr.json");
    const auto a = plan.Source(left, "id");
    const auto b = plan.Source(right, "id");
    const auto below = plan.Join(a, b, "id = id0", 0, 0);
    const auto c = plan.Source(right, "id");
    const auto d = plan.Source(left, "id");
    const auto above = plan.Join(c, d, "id = id0", 0, 0);
    plan.Sink(plan.Join(below, above, "x = y", 0, 0), "out");
    return plan.Build();
  };
  // a ⋈ b is node 5, b ⋈ a node 10; the other way round in the second plan.
  const auto pairs = Pairs(joined("a", "b"), joined("b", "a"));
  EXPECT_EQ(pairs.at(5), 10);
  EXPECT_EQ(pairs.at(10), 5);
}

TEST(PlanPairingTest, AnOperatorPutInTheMiddleLeavesTheOthersWhatTheyAre) {
  PlanBuilder plan("b.json");
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto dedup = plan.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[order_id])",
                              {orders}, {{"deduplicateState", 0}});
  const auto calc = plan.Calc(dedup, "user_id, amount");
  plan.Sink(plan.GroupBy(calc, "user_id", 0), "totals");
  const auto pairs = Pairs(sample::Totals("a.json", 0), plan.Build());
  EXPECT_EQ(pairs, (std::map<std::int64_t, std::int64_t>{{1, 1}, {2, 3}, {4, 5}, {5, 6}}));
}

TEST(PlanPairingTest, TheSameNumberOverTheSameTablesIsTheSameOperatorChanged) {
  PlanBuilder plan("b.json");
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto calc = plan.Calc(orders, "product_id, amount");
  plan.Sink(plan.GroupBy(calc, "product_id", 0), "totals");
  // And an operator of the old text over another table, which must not take its place.
  const auto other = plan.Source("refunds", "user_id, amount");
  plan.Sink(plan.GroupBy(other, "user_id", 0), "refund_totals");
  const auto pairs = Pairs(sample::Totals("a.json", 0), plan.Build());
  EXPECT_EQ(pairs.at(4), 4);
}

TEST(PlanPairingTest, TheSameNumberOverOtherTablesIsAnotherOperator) {
  const auto grouped = [](const std::string& table, const std::string& key) {
    PlanBuilder plan("g.json");
    plan.Sink(plan.GroupBy(plan.Source(table, key), key, 0), "out_" + table);
    return plan.Build();
  };
  EXPECT_TRUE(Pairs(grouped("orders", "user_id"), grouped("clicks", "page")).empty());
}

TEST(PlanPairingTest, OfOperatorsThatCannotBeToldApartTheNumberDecides) {
  const auto twins = [](int count) {
    PlanBuilder plan("twins.json");
    const auto orders = plan.Source("orders", "user_id, amount");
    for (int i = 0; i < count; ++i) plan.Sink(plan.GroupBy(orders, "user_id", 0), "same");
    return plan.Build();
  };
  // 3 and 6 are the GROUP BYs of two; one is left over.
  const auto pairs = Pairs(twins(2), twins(3));
  EXPECT_EQ(pairs.at(3), 3);
  EXPECT_EQ(pairs.at(6), 6);
}

TEST(PlanPairingTest, PlansOfAllZeroIdsPairByText) {
  CompiledPlan plan = sample::Totals("z.json", kMillisPerHour);
  for (PlanNode& node : plan.nodes) node.id = 0;
  plan.edges.clear();
  const PlanPairing pairing = PairPlans(PlanGraph(plan), PlanGraph(plan), kFormat);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    if (!IsInvisible(plan.nodes[i])) {
      EXPECT_EQ(pairing.new_of_old[i], i);
    }
  }
}

TEST(PlanPairingTest, LoopsDoNoHarm) {
  CompiledPlan plan = sample::Totals("loop.json", 0);
  plan.edges.push_back({5, 1});
  plan.edges.push_back({4, 4});
  EXPECT_EQ(Pairs(plan, plan).size(), 4U);
}

TEST(ComparableTextTest, LeavesOutWhatFlinkCounts) {
  EXPECT_EQ(ComparableDescription("Join(a=[x], b=[Join[19], Calc[20]])"),
            "Join(a=[x], b=[Join, Calc])");
  EXPECT_EQ(ComparableDescription("MultipleInput(members=[\\n:- [#12] Exchange])"),
            "MultipleInput(members=[\\n:-  Exchange])");
  EXPECT_EQ(ComparableDescription("Sink(table=[anonymous_blackhole$1], fields=[f0, $f1])"),
            "Sink(table=[anonymous_blackhole$], fields=[f0, $f1])");
  EXPECT_EQ(ComparableDescription("TableSourceScan(table=[[*anonymous_datagen$15*]], fields=[a1])"),
            "TableSourceScan(table=[[*anonymous_datagen$*]], fields=[a1])");
  EXPECT_EQ(ComparableDescription(
                "MultiJoin(k=[a], stateTtlHints=[[[STATE_TTL options:[1d, 2h]]]], select=[a])"),
            "MultiJoin(k=[a], select=[a])");
  // Numbers that mean something, and brackets that do not close.
  for (const char* same : {"Rank(rankRange=[rankStart=1, rankEnd=3])", "Limit(fetch=[10])",
                           "Calc(select=[a[", "x, stateTtlHints=[[", "[", "*anonymous_", ""}) {
    EXPECT_EQ(ComparableDescription(same), same);
  }
}

}  // namespace
}  // namespace fss
