#include "collectors/disk_space.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace fss {
namespace {

namespace fs = std::filesystem;

TEST(DiskSpace, IsWhatTheSystemSays) {
  const auto free = FreeBytes(FSS_TEST_DATA);
  ASSERT_TRUE(free.ok()) << free.error().ToString();
  EXPECT_GT(*free, 0);
  // Others write to it meanwhile.
  const auto expected = static_cast<double>(fs::space(FSS_TEST_DATA).available);
  EXPECT_NEAR(static_cast<double>(*free), expected, 1e9);
}

TEST(DiskSpace, AFileTellsItsFileSystem) {
  const std::string file = std::string(FSS_TEST_DATA) + "/rest/plan.json";
  EXPECT_TRUE(FreeBytes(file).ok());
}

TEST(DiskSpace, NamesThePathThatIsNotThere) {
  const auto missing = FreeBytes("/no/such/folder");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().ToString(), "/no/such/folder: No such file or directory");
  EXPECT_EQ(FreeBytes("").error().code, ErrorCode::kNotFound);
  const std::string below = std::string(FSS_TEST_DATA) + "/rest/plan.json/below";
  EXPECT_EQ(FreeBytes(below).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(FreeBytes(std::string(10'000, 'x')).error().code, ErrorCode::kIo);
}

}  // namespace
}  // namespace fss
