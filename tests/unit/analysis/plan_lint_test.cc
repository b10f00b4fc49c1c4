#include "sidecar/analysis/plan_lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::CascadeTtls;
using sample::PlanBuilder;
using sample::Totals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const LintedOperator* Find(const LintedPlan& plan, std::int64_t id) {
  for (const LintedOperator& op : plan.operators) {
    if (op.node_id == id) return &op;
  }
  return nullptr;
}

TEST(EvaluatePlanTest, SortsAndFindsEachThingOnce) {
  CascadeTtls ttls;
  ttls.second_left = 0;
  const auto findings = EvaluatePlan(Cascade("c.json", ttls));
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(findings[0].code, "forever-state");
  EXPECT_EQ(findings[1].code, "ttl-from-job-default");
  EXPECT_FALSE(findings[0].first_seen_ms.has_value());
  EXPECT_THAT(EvaluatePlan({}), IsEmpty());
}

TEST(LintPlanTest, ShowsEveryOperatorInTheOrderOfTheFile) {
  const CompiledPlan plan = Cascade("c.json");
  const LintedPlan judged = LintPlan(plan);
  EXPECT_EQ(judged.file, "c.json");
  EXPECT_EQ(judged.flink_version, "2.3");
  EXPECT_THAT(judged.error, IsEmpty());
  ASSERT_THAT(judged.operators, SizeIs(plan.nodes.size()));
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    EXPECT_EQ(judged.operators[i].node_id, plan.nodes[i].id);
    EXPECT_EQ(judged.operators[i].type, plan.nodes[i].type);
  }
}

TEST(LintPlanTest, MarksTheEntryThatHintsDidNotReach) {
  const LintedPlan judged = LintPlan(Cascade("c.json"));
  const LintedOperator* second = Find(judged, 11);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->label, "Join[11]");
  EXPECT_EQ(second->cleanup, Cleanup::kTtl);
  ASSERT_THAT(second->state, SizeIs(2));
  EXPECT_EQ(second->state[0].ttl_ms, 30 * kMillisPerMinute);
  EXPECT_TRUE(second->state[0].suspicious_ttl);
  EXPECT_FALSE(second->state[1].suspicious_ttl);
}

TEST(LintPlanTest, TellsWhatExpiryDoesWhereSomethingExpires) {
  PlanBuilder builder("w.json");
  const auto source = builder.Source("orders", "user_id, ts");
  const auto window = builder.Add("window-aggregate", "WindowAggregate(…)", {source});
  const auto group = builder.GroupBy(window, "user_id", 0);
  builder.Sink(group, "totals");
  const LintedPlan judged = LintPlan(builder.Build());
  EXPECT_THAT(Find(judged, group)->expiry, HasSubstr("start again from zero"));
  EXPECT_THAT(Find(judged, window)->expiry, IsEmpty());
  EXPECT_THAT(Find(judged, source)->expiry, IsEmpty());

  // A sink that keeps nothing has nothing that expires; one that materialises has.
  PlanBuilder keeps("k.json");
  const auto rows = keeps.Source("orders", "user_id");
  const auto sink = keeps.Add("sink", "Sink(table=[kv], upsertMaterialize=[true])", {rows},
                              {{"sinkMaterializeState", 0}});
  EXPECT_THAT(Find(LintPlan(keeps.Build()), sink)->expiry, HasSubstr("order of a key's changes"));
  EXPECT_THAT(judged.operators.back().expiry, IsEmpty());
}

TEST(LintPlanTest, AnOperatorIsKnownAgainByWhatItDoes) {
  const LintedPlan first = LintPlan(Totals("a.json", 0));
  const LintedPlan later = LintPlan(Totals("b.json", kMillisPerMinute, /*first_id=*/101));
  std::set<std::string> identities;
  for (std::size_t i = 0; i < first.operators.size(); ++i) {
    EXPECT_EQ(first.operators[i].identity, later.operators[i].identity);
    EXPECT_THAT(first.operators[i].identity, SizeIs(32));
    identities.insert(first.operators[i].identity);
  }
  EXPECT_THAT(identities, SizeIs(first.operators.size()));
}

}  // namespace
}  // namespace fss
