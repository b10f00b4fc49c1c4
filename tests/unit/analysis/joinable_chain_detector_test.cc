#include "sidecar/analysis/joinable_chain_detector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::PlanBuilder;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<Finding> ChainFindings(const CompiledPlan& plan, const std::string& version = "2.3.0") {
  std::vector<Finding> findings;
  JoinableChainDetector().Inspect({plan, version, "", false}, &findings);
  return findings;
}

// Plans as Flink compiles them, the joins with the columns they give on.
class JoinPlan : public PlanBuilder {
 public:
  using PlanBuilder::PlanBuilder;

  std::int64_t Table(const std::string& table) {
    return Exchange(Source(table, "order_id, " + table + "_id"), "order_id");
  }
  std::int64_t Joined(std::int64_t left, std::int64_t right, const std::string& where,
                      const std::string& select, const std::string& type = "InnerJoin") {
    return Add("join",
               "Join(joinType=[" + type + "], where=[" + where + "], select=[" + select +
                   "], leftInputSpec=[NoUniqueKey], rightInputSpec=[NoUniqueKey])",
               {left, right}, {{"leftState", 0}, {"rightState", 0}});
  }
  std::int64_t Picked(std::int64_t input, const std::string& select) {
    return Exchange(Calc(input, select), "order_id");
  }
};

constexpr const char* kOn = "(order_id = order_id0)";
constexpr const char* kColumns = "order_id, a, order_id0, b";

// orders ⋈ payments ⋈ ships, with the parts that a case changes. Joins are nodes 5 and 10.
struct Parts {
  std::string first_type = "InnerJoin";
  std::string second_type = "InnerJoin";
  std::string between = "order_id, b";
  std::string first_on = kOn;
  std::string second_on = kOn;
};
CompiledPlan ThreeTables(const Parts& parts) {
  JoinPlan plan("c.json");
  const auto orders = plan.Table("orders");
  const auto payments = plan.Table("payments");
  const auto first = plan.Joined(orders, payments, parts.first_on, kColumns, parts.first_type);
  const auto picked = plan.Picked(first, parts.between);
  const auto ships = plan.Table("ships");
  plan.Sink(
      plan.Joined(picked, ships, parts.second_on, "order_id, b, order_id0, c", parts.second_type),
      "s");
  return plan.Build();
}

TEST(JoinableChainDetectorTest, OneFindingAtTheTopmostJoin) {
  const auto findings = ChainFindings(ThreeTables({}));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "joinable-chain");
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
  EXPECT_EQ(findings[0].operator_label, "Join[10]");
  EXPECT_EQ(findings[0].state, "");
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("Join[5] and Join[10] join orders, payments and ships on one key, "
                              "order_id:"),
                    HasSubstr("the result of Join[5] in leftState of Join[10]")));
  EXPECT_THAT(findings[0].advice.Text(),
              AllOf(HasSubstr("    SET 'table.optimizer.multi-join.enabled' = 'true';"),
                    HasSubstr("one MultiJoin with 3 inputs"),
                    HasSubstr("MULTI_JOIN(orders, payments, ships)"),
                    HasSubstr("'orders' = '7d', 'payments' = '7d', 'ships' = '7d'"),
                    HasSubstr("state is not taken over"), HasSubstr("--allowNonRestoredState")));
}

TEST(JoinableChainDetectorTest, OnlyOnAFlinkThatHasTheMultiJoin) {
  for (const char* version : {"2.1", "2.1.3", "2.2.1", "2.3.0", "3.0"}) {
    EXPECT_THAT(ChainFindings(ThreeTables({}), version), SizeIs(1)) << version;
  }
  for (const char* version : {"1.20.5", "2.0.0", "1.9", "nightly"}) {
    EXPECT_THAT(ChainFindings(ThreeTables({}), version), IsEmpty()) << version;
  }
  // The job's version is not known: the plan's counts, and without any nothing is said.
  CompiledPlan plan = ThreeTables({});
  EXPECT_THAT(ChainFindings(plan, ""), SizeIs(1));
  plan.flink_version = "1.20";
  EXPECT_THAT(ChainFindings(plan, ""), IsEmpty());
  plan.flink_version = "";
  EXPECT_THAT(ChainFindings(plan, ""), IsEmpty());
}

TEST(JoinableChainDetectorTest, TheHintCameWith23) {
  EXPECT_THAT(ChainFindings(ThreeTables({}), "2.2.1")[0].advice.Text(),
              Not(HasSubstr("MULTI_JOIN(")));
}

TEST(JoinableChainDetectorTest, InnerAndLeftJoinsAreMergedOthersNot) {
  for (const char* first : {"InnerJoin", "LeftOuterJoin"}) {
    for (const char* second : {"InnerJoin", "LeftOuterJoin"}) {
      EXPECT_THAT(ChainFindings(ThreeTables({first, second})), SizeIs(1)) << first << second;
    }
  }
  for (const char* other : {"RightOuterJoin", "FullOuterJoin", "LeftSemiJoin", "LeftAntiJoin"}) {
    EXPECT_THAT(ChainFindings(ThreeTables({other, "InnerJoin"})), IsEmpty()) << other;
    EXPECT_THAT(ChainFindings(ThreeTables({"InnerJoin", other})), IsEmpty()) << other;
  }
}

TEST(JoinableChainDetectorTest, TheKeyIsFollowedThroughTheColumnsBetween) {
  Parts parts;
  // The right input's column is equal too, and Flink may number names anew.
  parts.between = "order_id0, b";
  parts.second_on = "(order_id0 = order_id)";
  EXPECT_THAT(ChainFindings(ThreeTables(parts)), SizeIs(1));
  parts.between = "order_id0 AS order_id1, b AS b0";
  parts.second_on = "((order_id1 = order_id) AND (b0 > c))";
  EXPECT_THAT(ChainFindings(ThreeTables(parts)), SizeIs(1));
  parts.first_on = "((order_id = order_id0) AND (a > b))";
  EXPECT_THAT(ChainFindings(ThreeTables(parts)), SizeIs(1));
}

TEST(JoinableChainDetectorTest, WhatFlinkLeavesApart) {
  const auto with = [](auto change) {
    Parts parts;
    change(parts);
    return ChainFindings(ThreeTables(parts));
  };
  // Another key; none; one that is computed; a renamed one, which only a view makes.
  EXPECT_THAT(with([](Parts& p) { p.second_on = "(b = order_id0)"; }), IsEmpty());
  EXPECT_THAT(with([](Parts& p) { p.second_on = "true"; }), IsEmpty());
  EXPECT_THAT(with([](Parts& p) { p.first_on = "((order_id = order_id0) OR (a = b))"; }),
              IsEmpty());
  EXPECT_THAT(with([](Parts& p) { p.second_on = "IS NOT DISTINCT FROM(order_id, order_id0)"; }),
              IsEmpty());
  EXPECT_THAT(with([](Parts& p) { p.between = "(order_id + 1) AS order_id, b"; }), IsEmpty());
  EXPECT_THAT(with([](Parts& p) { p.between = "order_id, UPPER(b) AS b"; }), IsEmpty());
  EXPECT_THAT(with([](Parts& p) {
                p.between = "order_id AS oid, b";
                p.second_on = "(oid = order_id)";
              }),
              IsEmpty());
  // A filter on the first result, and a bound in time.
  EXPECT_THAT(with([](Parts& p) { p.between = "order_id, b], where=[b IS NULL"; }), IsEmpty());
  EXPECT_THAT(with([](Parts& p) {
                p.second_on = "((order_id = order_id0) AND (c <= (b + 3600000:INTERVAL HOUR)))";
              }),
              IsEmpty());
}

TEST(JoinableChainDetectorTest, EqualTimesMakeAnIntervalJoinOfIt) {
  JoinPlan plan("t.json");
  const auto first =
      plan.Joined(plan.Table("orders"), plan.Table("payments"), kOn, "order_id, ts, order_id0, b");
  const auto picked = plan.Picked(first, "order_id, ts");
  const auto again = plan.Picked(plan.Source("orders", "order_id, ts"),
                                 "order_id, CAST(ts AS TIMESTAMP(3)) AS ts");
  plan.Joined(picked, again, "((order_id = order_id0) AND (ts0 = ts))",
              "order_id, ts, order_id0, ts0");
  EXPECT_THAT(ChainFindings(plan.Build()), IsEmpty());
}

TEST(JoinableChainDetectorTest, OnlyTheLeftInputIsMerged) {
  JoinPlan plan("bushy.json");
  const auto below = plan.Joined(plan.Table("orders"), plan.Table("ships"), kOn, kColumns);
  plan.Joined(plan.Table("payments"), plan.Picked(below, "order_id, b"), kOn, kColumns);
  EXPECT_THAT(ChainFindings(plan.Build()), IsEmpty());
}

// orders ⋈ payments ⋈ ships on order_id, then ⋈ users on user_id, then ⋈ refs on user_id.
TEST(JoinableChainDetectorTest, AnotherKeyEndsOneChainAndMayBeginTheNext) {
  JoinPlan plan("two.json");
  auto join = plan.Joined(plan.Table("orders"), plan.Table("payments"), kOn,
                          "order_id, user_id, order_id0");
  join = plan.Joined(plan.Picked(join, "order_id, user_id"), plan.Table("ships"), kOn,
                     "order_id, user_id, order_id0");
  const std::int64_t first_top = join;
  join = plan.Joined(plan.Picked(join, "user_id"), plan.Table("users"), "(user_id = user_id0)",
                     "user_id, user_id0, region");
  join = plan.Joined(plan.Picked(join, "user_id0, region"), plan.Table("refs"),
                     "(user_id0 = user_id)", "user_id0, region, user_id");
  const auto findings = ChainFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].node_id, first_top);
  EXPECT_THAT(findings[0].message, HasSubstr("orders, payments and ships on one key, order_id"));
  EXPECT_EQ(findings[1].node_id, join);
  EXPECT_THAT(findings[1].message, HasSubstr("users and refs on one key, user_id"));
}

TEST(JoinableChainDetectorTest, AUnionOrASecondReaderKeepsThemApart) {
  JoinPlan plan("u.json");
  const auto first = plan.Joined(plan.Table("orders"), plan.Table("payments"), kOn, kColumns);
  const auto both = plan.Add("union", "Union(all=[true], union=[order_id, b])",
                             {plan.Calc(first, "order_id, b"), plan.Source("refs", "order_id, b")});
  plan.Joined(plan.Exchange(both, "order_id"), plan.Table("ships"), kOn, kColumns);
  EXPECT_THAT(ChainFindings(plan.Build()), IsEmpty());

  CompiledPlan shared = ThreeTables({});
  PlanNode sink;
  sink.id = 99;
  sink.kind = "sink";
  shared.nodes.push_back(sink);
  shared.edges.push_back({5, 99});
  EXPECT_THAT(ChainFindings(shared), IsEmpty());
}

TEST(JoinableChainDetectorTest, ATableThatIsReadTwiceHasOnlyItsAlias) {
  JoinPlan plan("self.json");
  const auto first = plan.Joined(plan.Table("orders"), plan.Table("payments"), kOn, kColumns);
  plan.Joined(plan.Picked(first, "order_id, b"), plan.Table("orders"), kOn, kColumns);
  EXPECT_THAT(ChainFindings(plan.Build())[0].advice.Text(),
              AllOf(HasSubstr("'<alias of orders, input 1>' = '7d', 'payments' = '7d'"),
                    HasSubstr("MULTI_JOIN(<alias of orders, input 1>, payments, <alias")));
}

TEST(JoinableChainDetectorTest, HostilePlansAreJudgedToo) {
  CompiledPlan ring = ThreeTables({});
  ring.edges.push_back({10, 1});
  EXPECT_LE(ChainFindings(ring).size(), 1U);
  CompiledPlan self = ThreeTables({});
  self.edges = {{10, 10}, {5, 10}};
  EXPECT_THAT(ChainFindings(self), IsEmpty());
  CompiledPlan each_other = ThreeTables({});
  each_other.edges = {{10, 5}, {1, 5}, {5, 10}, {8, 10}};
  EXPECT_THAT(ChainFindings(each_other), IsEmpty());
  // Long chains and long conditions cost no product of their lengths.
  JoinPlan plan("long.json");
  auto join = plan.Joined(plan.Table("t"), plan.Table("t"), kOn, kColumns);
  std::string long_on = "((order_id = order_id0)";
  for (int i = 0; i < 2000; ++i) long_on += " AND (order_id = order_id0)";
  for (int i = 0; i < 2000; ++i) {
    join = plan.Joined(plan.Picked(join, "order_id, b"), plan.Table("t"),
                       i == 0 ? long_on + ")" : kOn, kColumns);
  }
  const auto findings = ChainFindings(plan.Build());
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("and 1995 more join"));
}

}  // namespace
}  // namespace fss
