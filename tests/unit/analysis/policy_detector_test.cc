#include "sidecar/analysis/policy_detector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sidecar/analysis/plan_lint.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::Totals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<Finding> Judge(const CompiledPlan& plan, const Policy& policy,
                           const std::string& code = "policy") {
  std::vector<Finding> findings = EvaluatePlan(plan);
  JudgeByPolicy(plan, policy, &findings);
  std::erase_if(findings, [&](const Finding& finding) { return finding.code != code; });
  return findings;
}

std::vector<std::string> Places(const std::vector<Finding>& findings) {
  std::vector<std::string> places;
  for (const Finding& finding : findings) {
    places.push_back(finding.operator_label + " " + finding.state);
  }
  std::ranges::sort(places);
  return places;
}

TEST(PolicyTest, NothingIsBrokenWithoutRules) {
  EXPECT_THAT(Judge(Cascade("c.json"), {}), IsEmpty());
}

// The cascade keeps 1 d and 2 h, then 30 min and 7 d.
TEST(PolicyTest, WhatIsKeptLongerThanTheLongest) {
  const auto findings =
      Judge(Cascade("c.json"), {{{"", "", kMillisPerDay, "a day is all we need"}}, {}, {}});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].operator_label, "Join[11]");
  EXPECT_EQ(findings[0].state, "rightState");
  EXPECT_EQ(
      findings[0].message,
      "Join[11] keeps rightState, rows of users, for 7 d: the policy allows 1 d (a day is all "
      "we need).");
  EXPECT_THAT(findings[0].advice.Text(),
              AllOf(HasSubstr("STATE_TTL("), HasSubstr("(\"1 d\")"), HasSubstr("old state kept")));
}

TEST(PolicyTest, KindsAndTablesNarrowARule) {
  const auto places = [](const LongestTtl& rule) {
    return Places(Judge(Cascade("c.json"), {{rule}, {}, {}}));
  };
  EXPECT_THAT(places({"join", "payments", kMillisPerMinute, "r"}),
              ElementsAre("Join[11] leftState", "Join[6] rightState"));
  EXPECT_THAT(places({"j*", "u?ers", kMillisPerMinute, "r"}), ElementsAre("Join[11] rightState"));
  EXPECT_THAT(places({"group-aggregate", "", kMillisPerMinute, "r"}), IsEmpty());
}

TEST(PolicyTest, ForEverHasAFindingOfItsOwn) {
  EXPECT_THAT(Judge(Totals("t.json", 0), {{{"", "", kMillisPerDay, "r"}}, {}, {}}), IsEmpty());
}

TEST(PolicyTest, WhatIsAllowedForEverIsAcknowledged) {
  const auto allowed = [](const AllowedForever& rule) {
    const auto findings = Judge(Totals("t.json", 0), {{}, {rule}, {}}, "forever-state");
    EXPECT_THAT(findings, SizeIs(1));
    return !findings.empty() && findings[0].acknowledged &&
           findings[0].acknowledged_reason == rule.reason;
  };
  EXPECT_TRUE(allowed({"*group-aggregate", "orders", "few users"}));
  EXPECT_TRUE(allowed({"", "orders", "few users"}));
  EXPECT_FALSE(allowed({"join", "", "few users"}));
  EXPECT_FALSE(allowed({"", "payments", "few users"}));
}

TEST(PolicyTest, RowsOfOtherTablesAreNotAllowedWithThoseOfOne) {
  const CompiledPlan plan = Cascade("c.json", {kMillisPerDay, kMillisPerDay, 0, kMillisPerDay});
  const auto acknowledged = [&](const std::string& table) {
    const auto findings = Judge(plan, {{}, {{"", table, "r"}}, {}}, "forever-state");
    return !findings.empty() && findings[0].acknowledged;
  };
  EXPECT_FALSE(acknowledged("orders"));  // the slot has payments too
  EXPECT_TRUE(acknowledged("*"));
}

TEST(PolicyTest, RequiredHints) {
  const auto places = [](const RequiredHint& rule, const CompiledPlan& plan) {
    return Places(Judge(plan, {{}, {}, {rule}}));
  };
  const CompiledPlan plan = Cascade("c.json", {0, 2 * kMillisPerHour, 0, 7 * kMillisPerDay});
  EXPECT_THAT(places({"join", "", std::nullopt, "r"}, plan),
              ElementsAre("Join[11] leftState", "Join[6] leftState"));
  // The result of a join has no name that a hint could use.
  EXPECT_THAT(places({"join", "*", std::nullopt, "r"}, plan), ElementsAre("Join[6] leftState"));
  EXPECT_THAT(places({"join", "users", kMillisPerDay, "r"}, plan),
              ElementsAre("Join[11] rightState"));
  EXPECT_THAT(places({"join", "users", 7 * kMillisPerDay, "r"}, plan), IsEmpty());
  const auto findings =
      Judge(plan, {{}, {}, {{"join", "orders", kMillisPerDay, "paid within a day"}}});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message,
            "Join[6] keeps leftState, rows of orders, for ever: the policy requires a STATE_TTL "
            "hint of 1 d (paid within a day).");
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("Restore: "));
}

TEST(PolicyTest, HintsAreAskedOnlyWhereTheyReach) {
  sample::PlanBuilder plan("d.json");
  plan.Add("deduplicate", "Deduplicate(keep=[FirstRow], key=[id], order=[ROWTIME])",
           {plan.Exchange(plan.Source("orders", "id"), "id")}, {{"deduplicateState", 0}});
  EXPECT_THAT(Judge(plan.Build(), {{}, {}, {{"", "", std::nullopt, "r"}}}), IsEmpty());
}

TEST(PolicyTest, SeveralBreachesOfOneEntryAreOneFinding) {
  const auto findings = Judge(
      Cascade("c.json"),
      {{{"", "users", kMillisPerDay, "one"}}, {}, {{"join", "users", kMillisPerHour, "two"}}});
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, AllOf(HasSubstr("allows 1 d (one); the policy requires"),
                                         HasSubstr("hint of 1 h (two).")));
}

TEST(PolicyTest, AnUnknownTtlBreaksNothing) {
  CompiledPlan plan = Totals("t.json", 30 * kMillisPerDay);
  plan.nodes[3].state[0].ttl_ms.reset();
  EXPECT_THAT(Judge(plan, {{{"", "", kMillisPerDay, "r"}}, {}, {{"", "", std::nullopt, "r"}}}),
              IsEmpty());
}

}  // namespace
}  // namespace fss
