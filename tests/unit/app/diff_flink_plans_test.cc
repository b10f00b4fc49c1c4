// Every compiled plan among Flink's own test resources, and below the folder that FSS_PLANS names,
// does not differ from itself, whatever the order of its nodes, and is wholly paired with itself
// under other numbers. FSS_FLINK_TEST_PLANS as in
// tests/unit/collectors/flink_test_plans_test.cc.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include "collectors/plan_reader.h"
#include "sidecar/analysis/plan_diff.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

// Every place that holds plans; the golden ones are always there.
std::vector<fs::path> Roots() {
  std::vector<fs::path> roots = {FSS_TEST_DATA "/plans"};
  for (const char* variable : {"FSS_FLINK_TEST_PLANS", "FSS_PLANS"}) {
    if (const char* folder = std::getenv(variable)) roots.emplace_back(folder);
  }
  return roots;
}

std::vector<CompiledPlan> AllPlans() {
  std::vector<CompiledPlan> plans;
  for (const fs::path& root : Roots()) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      const fs::path extension = entry.path().extension();
      if (!entry.is_regular_file() || (extension != ".json" && extension != ".out")) continue;
      Result<CompiledPlan> plan = ReadPlanFile(entry.path().string(), entry.path().string());
      if (plan.ok()) plans.push_back(*std::move(plan));
    }
  }
  return plans;
}

CompiledPlan Shuffled(CompiledPlan plan) {
  std::mt19937 random(7);
  std::shuffle(plan.nodes.begin(), plan.nodes.end(), random);
  return plan;
}

CompiledPlan Renumbered(CompiledPlan plan) {
  constexpr std::int64_t kShift = 100'000;
  for (PlanNode& node : plan.nodes) node.id += kShift;
  for (PlanEdge& edge : plan.edges) {
    edge.source += kShift;
    edge.target += kShift;
  }
  return plan;
}

TEST(DiffFlinkPlansTest, NoPlanDiffersFromItself) {
  const std::vector<CompiledPlan> plans = AllPlans();
  ASSERT_FALSE(plans.empty());
  if (std::getenv("FSS_FLINK_TEST_PLANS") != nullptr) {
    EXPECT_GE(plans.size(), 200U);
  }
  for (const CompiledPlan& plan : plans) {
    SCOPED_TRACE(plan.file);
    const PlanDiff diff = DiffPlans(plan, plan, {});
    EXPECT_TRUE(diff.changes.empty()) << diff.changes[0].message;
    const PlanDiff shuffled = DiffPlans(plan, Shuffled(plan), {});
    EXPECT_TRUE(shuffled.changes.empty()) << shuffled.changes[0].message;
  }
  RecordProperty("plans", static_cast<int>(plans.size()));
}

TEST(DiffFlinkPlansTest, UnderOtherNumbersEveryOperatorIsFoundAndItsStateLost) {
  for (const CompiledPlan& plan : AllPlans()) {
    SCOPED_TRACE(plan.file);
    const bool numbered = std::ranges::any_of(plan.nodes, [](const auto& n) { return n.id != 0; });
    if (!numbered) continue;  // Flink's plans of zeros
    const PlanDiff diff = DiffPlans(plan, Shuffled(Renumbered(plan)), {});
    for (const PlanChange& change : diff.changes) {
      ASSERT_TRUE(change.node_id_old && change.node_id_new) << change.message;
      EXPECT_EQ(change.restore, RestoreOutcome::kLost) << change.message;
      EXPECT_EQ(change.change, PlanChangeKind::kDescription) << change.message;
    }
  }
}

}  // namespace
}  // namespace fss
