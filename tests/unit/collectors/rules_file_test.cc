#include "collectors/rules_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RulesFileTest : public testing::Test {
 protected:
  RulesFileTest() {
    std::string pattern = (fs::temp_directory_path() / "rules_file_test.XXXXXX").string();
    root_ = mkdtemp(pattern.data());
  }
  ~RulesFileTest() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  std::string Path() const { return (root_ / "rules.yaml").string(); }

  static void Write(const fs::path& path, const std::string& bytes) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }
  void Write(const std::string& bytes) const { Write(Path(), bytes); }

  static std::string Job(const std::string& job) { return "jobs:\n  - job: " + job + "\n"; }

  fs::path root_;
};

TEST_F(RulesFileTest, ReadsAndSharesUntilItChanges) {
  Write(Job("a"));
  RulesFile file(Path());
  const auto first = file.Refresh();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ((*first)->jobs.at(0).job, "a");
  EXPECT_EQ(*file.Refresh(), *first);
  Write(Job("b"));
  const auto second = file.Refresh();
  ASSERT_TRUE(second.ok());
  EXPECT_EQ((*second)->jobs.at(0).job, "b");
  EXPECT_EQ((*first)->jobs.at(0).job, "a");
}

TEST_F(RulesFileTest, SeesAnEditThatKeepsSizeAndTime) {
  Write(Job("a"));
  const auto time = fs::last_write_time(Path());
  RulesFile file(Path());
  ASSERT_TRUE(file.Refresh().ok());
  Write(Job("b"));
  fs::last_write_time(Path(), time);
  ASSERT_TRUE(file.Refresh().ok());
  EXPECT_EQ(file.rules()->jobs.at(0).job, "b");
}

TEST_F(RulesFileTest, FollowsAConfigMapsSwap) {
  Write(root_ / "..v1/rules.yaml", Job("a"));
  Write(root_ / "..v2/rules.yaml", Job("b"));
  fs::create_directory_symlink("..v1", root_ / "..data");
  fs::create_symlink("..data/rules.yaml", Path());
  RulesFile file(Path());
  ASSERT_TRUE(file.Refresh().ok());
  fs::create_directory_symlink("..v2", root_ / "..data_tmp");
  fs::rename(root_ / "..data_tmp", root_ / "..data");
  ASSERT_TRUE(file.Refresh().ok());
  EXPECT_EQ(file.rules()->jobs.at(0).job, "b");
}

TEST_F(RulesFileTest, ABrokenEditKeepsTheOldRulesAndSaysWhy) {
  Write(Job("a"));
  RulesFile file(Path());
  const auto good = file.Refresh();
  ASSERT_TRUE(good.ok());
  Write("jobs:\n  - jop: b\n");
  for (int poll = 0; poll < 2; ++poll) {
    const auto broken = file.Refresh();
    ASSERT_FALSE(broken.ok());
    EXPECT_EQ(broken.error().code, ErrorCode::kMalformed);
    EXPECT_THAT(broken.error().ToString(), HasSubstr(Path() + ":2: jobs[0]: unknown key 'jop'"));
    EXPECT_EQ(file.rules(), *good);
  }
  Write(Job("c"));
  ASSERT_TRUE(file.Refresh().ok());
  EXPECT_EQ(file.rules()->jobs.at(0).job, "c");
}

TEST_F(RulesFileTest, MissingAtTheStartIsAnError) {
  RulesFile file(Path());
  const auto missing = file.Refresh();
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().ToString(), Path() + ": No such file or directory");
  EXPECT_TRUE(file.rules()->jobs.empty());
  Write(Job("a"));
  EXPECT_TRUE(file.Refresh().ok());
}

TEST_F(RulesFileTest, VanishedLaterKeepsTheOldRulesAndReports) {
  Write(Job("a"));
  RulesFile file(Path());
  ASSERT_TRUE(file.Refresh().ok());
  fs::remove(Path());
  const auto gone = file.Refresh();
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(file.rules()->jobs.at(0).job, "a");
  Write(Job("a"));
  EXPECT_TRUE(file.Refresh().ok());
}

TEST_F(RulesFileTest, WhatIsNoFileIsRefusedAtOnce) {
  RulesFile folder(root_.string());
  EXPECT_EQ(folder.Refresh().error().code, ErrorCode::kIo);
  RulesFile device("/dev/zero");
  EXPECT_EQ(device.Refresh().error().code, ErrorCode::kIo);
  Write(std::string((1U << 20U) + 1, '#'));
  RulesFile large(Path());
  EXPECT_EQ(large.Refresh().error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace fss
