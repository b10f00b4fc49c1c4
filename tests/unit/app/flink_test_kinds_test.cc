// Every node of the compiled plans among Flink's own test resources is of a kind that the
// catalogue knows. FSS_FLINK_TEST_PLANS as in tests/unit/collectors/flink_test_plans_test.cc.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "collectors/plan_reader.h"
#include "sidecar/analysis/operator_catalogue.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

TEST(FlinkTestKindsTest, CatalogueKnowsEveryNodeOfFlinksTestPlans) {
  const char* folder = std::getenv("FSS_FLINK_TEST_PLANS");
  if (folder == nullptr) GTEST_SKIP() << "FSS_FLINK_TEST_PLANS names no folder";
  std::set<std::string> known;
  std::set<std::string> unknown;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const fs::path extension = entry.path().extension();
    if (extension != ".json" && extension != ".out") continue;
    const Result<CompiledPlan> plan = ReadPlanFile(entry.path().string(), "plan");
    if (!plan) continue;  // explain texts; flink_test_plans_test.cc sees to it that no plan is lost
    for (const PlanNode& node : plan->nodes) {
      const OperatorKind* row = FindOperatorKind(node.kind);
      (row == nullptr ? unknown : known).insert(node.type);
      if (row == nullptr || node.batch) continue;
      // The entries that the plan lists are those of the table.
      for (const StateEntry& state : node.state) {
        bool named = false;
        for (const std::string_view name : row->entries) {
          named =
              named || state.name == name || (name.back() == '-' && state.name.rfind(name, 0) == 0);
        }
        EXPECT_TRUE(named) << node.type << " " << state.name;
      }
      const std::string name = node.description.substr(0, node.description.find('('));
      EXPECT_EQ(FindKindByOperatorName(name), row) << node.type << " " << name;
    }
  }
  EXPECT_EQ(unknown, std::set<std::string>{"null_null"});
  EXPECT_GE(known.size(), 73U);
}

}  // namespace
}  // namespace fss
