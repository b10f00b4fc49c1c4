#include "collectors/recorded_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/unit/as_nobody.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

class RecordedFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string File(const std::string& name) const { return (dir_ / name).string(); }
  std::string Content(const std::string& name) const {
    std::ifstream in(dir_ / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  const fs::path dir_ =
      fs::path(testing::TempDir()) /
      (std::string("files_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

// No file may grow beyond `bytes` in here: what a full disk does.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(RecordedFilesTest, MakesFoldersForItsOwnerAlone) {
  ASSERT_TRUE(MakeFolder(File("a/b")).ok());
  struct stat info {};
  ASSERT_EQ(stat(File("a/b").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
  EXPECT_TRUE(MakeFolder(File("a/b")).ok()) << "it is there";
  std::ofstream(dir_ / "file") << "x";
  const Status status = MakeFolder(File("file"));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().ToString(), File("file") + ": is no folder");
}

TEST_F(RecordedFilesTest, WritesAFileWhole) {
  ASSERT_TRUE(WriteWholeFile(File("f"), "one").ok());
  ASSERT_TRUE(WriteWholeFile(File("f"), "two").ok());
  EXPECT_EQ(Content("f"), "two");
  EXPECT_FALSE(fs::exists(dir_ / "f.tmp"));
  const Status status = WriteWholeFile(File("none/f"), "x");
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
}

TEST_F(RecordedFilesTest, AFullDiskLeavesTheFileOfBefore) {
  ASSERT_TRUE(WriteWholeFile(File("f"), "before").ok());
  ASSERT_TRUE(AppendLines(File("lines"), "{1}\n{2}\n").ok());
  const SmallDisk small(10);
  const Status whole = WriteWholeFile(File("f"), std::string(100, 'x'));
  ASSERT_FALSE(whole.ok());
  EXPECT_EQ(whole.error().context, File("f"));
  EXPECT_EQ(Content("f"), "before");
  EXPECT_FALSE(fs::exists(dir_ / "f.tmp"));
  const Status appended = AppendLines(File("lines"), "{333}\n");
  ASSERT_FALSE(appended.ok());
  EXPECT_EQ(Content("lines"), "{1}\n{2}\n") << "nothing of half a line";
}

TEST_F(RecordedFilesTest, TellsAFolderThatCannotBeWritten) {
  EXPECT_TRUE(TryToWrite(dir_.string()).ok());
  EXPECT_TRUE(fs::is_empty(dir_));
  fs::permissions(dir_, fs::perms::owner_read | fs::perms::owner_exec);
  {
    const AsNobody nobody;
    const Status status = TryToWrite(dir_.string());
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().context, dir_.string());
  }
  fs::permissions(dir_, fs::perms::owner_all);
}

TEST_F(RecordedFilesTest, TakesNoPipeAndFollowsNoLink) {
  ASSERT_EQ(mkfifo(File("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(AppendLines(File("pipe"), "x\n").ok());
  EXPECT_FALSE(MendAndReadTail(File("pipe"), 1).ok());
  fs::create_symlink("/dev/full", dir_ / "link");
  EXPECT_FALSE(AppendLines(File("link"), "x\n").ok());
}

TEST_F(RecordedFilesTest, MendsALineThatAKillLeft) {
  ASSERT_TRUE(AppendLines(File("f"), "{1}\n{2}\n{\"t\":").ok());
  const auto tail = MendAndReadTail(File("f"), 10);
  ASSERT_TRUE(tail.ok());
  EXPECT_EQ(tail->lines, "{1}\n{2}\n");
  EXPECT_TRUE(tail->all);
  EXPECT_EQ(Content("f"), "{1}\n{2}\n");
  ASSERT_TRUE(AppendLines(File("g"), "{\"t\":").ok());
  const auto nothing = MendAndReadTail(File("g"), 10);
  ASSERT_TRUE(nothing.ok());
  EXPECT_EQ(nothing->lines, "");
  EXPECT_EQ(Content("g"), "");
}

TEST_F(RecordedFilesTest, ReadsTheEndOfALongFile) {
  constexpr int kLines = 1000;
  std::string lines;
  for (int i = 0; i < kLines; ++i) {
    lines += std::to_string(i) + std::string(1000, ' ') + "\n";
  }
  ASSERT_TRUE(AppendLines(File("f"), lines).ok());
  auto tail = MendAndReadTail(File("f"), 50);
  ASSERT_TRUE(tail.ok());
  EXPECT_FALSE(tail->all);
  EXPECT_LT(tail->lines.size(), 300'000U);
  EXPECT_TRUE(lines.ends_with(tail->lines));
  EXPECT_NE(tail->lines.front(), ' ') << "begins with a whole line";
  tail = MendAndReadTail(File("f"), 900);
  ASSERT_TRUE(tail.ok());
  EXPECT_TRUE(tail->all) << "as many lines as were asked for are not in less";
  EXPECT_EQ(tail->lines, lines);
}

}  // namespace
}  // namespace fss
