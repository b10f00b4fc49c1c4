#include "collectors/lab/lab_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

namespace fss {
namespace {

namespace fs = std::filesystem;

const std::string kLab = std::string(FSS_TEST_DATA) + "/lab";

TEST(LabFolder, ReadsARealRun) {
  const LabFolder folder = ReadLabFolder(kLab + "/");
  EXPECT_TRUE(folder.calc_plan.ok());
  EXPECT_TRUE(folder.agg_ttl_plan.ok());
  EXPECT_TRUE(folder.window_plan.ok());
  ASSERT_TRUE(folder.cascade_plan.ok());
  EXPECT_EQ(folder.cascade_plan->nodes.size(), 16U);
  ASSERT_TRUE(folder.rocks_job.ok());
  EXPECT_EQ(folder.rocks_job->name, "flk-state-rocks");
  ASSERT_TRUE(folder.rocks_backend.ok());
  EXPECT_EQ(*folder.rocks_backend, "EmbeddedRocksDBStateBackend");
  ASSERT_TRUE(folder.report.ok());
  EXPECT_EQ(folder.report->rocks_groups, 40);
  const auto orders = ReadLabOrders(kLab + "/csv");
  ASSERT_TRUE(orders.ok());
  EXPECT_EQ(orders->size(), 200U);
}

TEST(LabFolder, EachFileFailsByItselfAndIsNamed) {
  const LabFolder folder = ReadLabFolder("/nowhere");
  ASSERT_FALSE(folder.agg_plan.ok());
  EXPECT_EQ(folder.agg_plan.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(folder.agg_plan.error().context, "/nowhere/agg-plan.json");
  ASSERT_FALSE(folder.rocks_out.ok());
  EXPECT_EQ(folder.rocks_out.error().context, "/nowhere/rocks.out");
  EXPECT_EQ(ReadLabOrders("/nowhere").error().context, "/nowhere/state_orders.csv");
}

TEST(LabFolder, APipeIsNotWaitedFor) {
  const fs::path dir = fs::path(testing::TempDir()) / "lab_pipe";
  fs::remove_all(dir);
  fs::create_directories(dir);
  ASSERT_EQ(mkfifo((dir / "rocks.out").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((dir / "agg-plan.json").c_str(), 0600), 0);
  const LabFolder folder = ReadLabFolder(dir.string());
  EXPECT_EQ(folder.rocks_out.error().code, ErrorCode::kIo);
  EXPECT_EQ(folder.agg_plan.error().code, ErrorCode::kIo);
  fs::remove_all(dir);
}

}  // namespace
}  // namespace fss
