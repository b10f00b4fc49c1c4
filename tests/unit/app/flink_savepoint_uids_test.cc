// Each savepoint among Flink's own test resources lies beside the compiled plan of its job: every
// operator in it is a node of that plan by the hash of its uid. FSS_FLINK_TEST_PLANS as in
// tests/unit/collectors/flink_test_plans_test.cc.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "collectors/checkpoint/local_store.h"
#include "collectors/checkpoint/metadata_reader.h"
#include "collectors/plan_reader.h"
#include "sidecar/analysis/plan_index.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

// "<test>/savepoint/_metadata", "<test>/1.18/savepoint/_metadata" → "<test>/plan".
fs::path FolderOfPlan(fs::path savepoint) {
  while (savepoint.has_relative_path()) {
    savepoint = savepoint.parent_path();
    if (fs::is_directory(savepoint / "plan")) return savepoint / "plan";
  }
  return {};
}

CheckpointMetadata Savepoint(const fs::path& file) {
  auto source = OpenLocalFile(file.string(), std::numeric_limits<std::uint64_t>::max());
  if (!source.ok()) return {};
  auto metadata = ReadCheckpointMetadata(**source);
  return metadata.ok() ? *std::move(metadata) : CheckpointMetadata();
}

TEST(FlinkSavepointUids, EveryOperatorWithStateIsANodeOfItsPlan) {
  const char* folder = std::getenv("FSS_FLINK_TEST_PLANS");
  if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "FSS_FLINK_TEST_PLANS is not set";
  int pairs = 0;
  int found = 0;
  std::multiset<std::string> lost;  // test folder
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().filename() != "_metadata") continue;
    SCOPED_TRACE(entry.path());
    const CheckpointMetadata savepoint = Savepoint(entry.path());
    ASSERT_FALSE(savepoint.operators.empty());
    for (const fs::directory_entry& file : fs::directory_iterator(FolderOfPlan(entry.path()))) {
      Result<CompiledPlan> plan = ReadPlanFile(file.path().string(), "plan");
      ASSERT_TRUE(plan.ok()) << plan.error().ToString();
      ++pairs;
      PlanLibrary library;
      library.plans.push_back(*std::move(plan));
      const PlanIndex index(library, {"<id>_<transformation>"});
      for (const CheckpointOperator& op : savepoint.operators) {
        if (!index.ByUid(op.operator_id).empty()) {
          ++found;
          continue;
        }
        EXPECT_EQ(op.size_bytes, 0) << op.operator_id << " " << op.name << " " << op.uid;
        lost.insert(entry.path().parent_path().parent_path().filename());
      }
    }
  }
  EXPECT_EQ(pairs, 459);
  EXPECT_EQ(found, 2741);
  // Of an interval join over an interval that is empty there are four stateless operators (both
  // versions) whose uids hold more than a transformation of the plan's node.
  EXPECT_EQ(lost.size(), 4U);
  EXPECT_EQ(lost.count("interval-join-negative-interval"), lost.size());
}

}  // namespace
}  // namespace fss
