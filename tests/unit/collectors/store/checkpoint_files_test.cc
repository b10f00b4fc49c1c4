// Files on mounted folders, through the store of --checkpoint_root.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "collectors/store/checkpoint_stores.h"
#include "tests/unit/as_nobody.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class CheckpointFilesTest : public testing::Test {
 protected:
  CheckpointFilesTest() {
    std::string pattern = (fs::temp_directory_path() / "checkpoint_files.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    Write("root/job/chk-7/_metadata", "0123456789");
    Write("outside/secret", "not for us");
  }
  ~CheckpointFilesTest() override { fs::remove_all(folder_); }

  void Write(const std::string& name, const std::string& content) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << content;
  }

  std::string At(const std::string& name) { return (folder_ / name).string(); }

  std::unique_ptr<CheckpointStore> Store(const std::string& roots) {
    CheckpointStoreOptions options;
    options.roots = roots;
    options.environment = [](const char*) { return std::string(); };
    auto store = NewCheckpointStore(options, SystemClock());
    EXPECT_TRUE(store.ok()) << store.error().ToString();
    return store.ok() ? *std::move(store) : nullptr;
  }

  // The file's bytes below the root "root", or the error's code and line.
  std::string Read(const std::string& address, std::uint64_t max_bytes = 100) {
    auto source = Store(At("root"))->Open(address, max_bytes);
    if (!source.ok()) {
      return std::string(ErrorCodeName(source.error().code)) + " " + source.error().message;
    }
    std::string bytes;
    char piece[3];
    for (;;) {
      const auto got = (*source)->Read(piece);
      if (!got.ok()) return got.error().ToString();
      if (*got == 0) return bytes;
      bytes.append(piece, *got);
    }
  }

  fs::path folder_;
};

TEST_F(CheckpointFilesTest, BytesUpToTheLimit) {
  const std::string path = At("root/job/chk-7/_metadata");
  EXPECT_EQ(Read(path), "0123456789");
  EXPECT_EQ(Read("file:" + path), "0123456789");
  EXPECT_EQ(Read("file://" + path), "0123456789");
  EXPECT_EQ(Read(path, 4), "0123");
  EXPECT_EQ(Read(path, 0), "");
  EXPECT_EQ((*Store(At("root"))->Open(path, 4))->size(), 10U);
}

TEST_F(CheckpointFilesTest, WhatIsNotThere) {
  EXPECT_EQ(Read(At("root/job/chk-8/_metadata")), "not-found No such file or directory");
  EXPECT_EQ(Read(At("root/job/chk-7/_metadata/x")), "not-found Not a directory");
  const auto gone = Store(At("nowhere"))->Open(At("nowhere/x"), 1);
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(gone.error().context, At("nowhere/x"));
}

TEST_F(CheckpointFilesTest, NothingOutsideTheRoot) {
  for (const std::string& address :
       {At("outside/secret"), At("root/../outside/secret"), At("root"), At("root2/x"),
        std::string("/etc/passwd"), std::string("s3://root/job")}) {
    const auto source = Store(At("root"))->Open(address, 1);
    ASSERT_FALSE(source.ok()) << address;
    EXPECT_EQ(source.error().code, ErrorCode::kInvalidArgument) << address;
  }
  EXPECT_THAT(Read(At("root/%2e%2e/outside/secret")), HasSubstr("not-found"));
}

TEST_F(CheckpointFilesTest, LinksMayLeadAnywhereBelowTheRoot) {
  fs::create_directory_symlink("job/chk-7", At("root/latest"));
  fs::create_directory_symlink(At("root/job"), At("root/absolute"));
  fs::create_symlink("../outside/secret", At("root/file-out"));
  fs::create_symlink(At("outside/secret"), At("root/file-out-absolute"));
  fs::create_directory_symlink("../outside", At("root/folder-out"));
  fs::create_symlink("loop", At("root/loop"));
  EXPECT_EQ(Read(At("root/latest/_metadata")), "0123456789");
  EXPECT_EQ(Read(At("root/absolute/chk-7/_metadata")), "0123456789");
  for (const char* out : {"root/file-out", "root/file-out-absolute", "root/folder-out/secret"}) {
    EXPECT_EQ(Read(At(out)), "io a symbolic link leads out of the root") << out;
  }
  EXPECT_THAT(Read(At("root/loop")), HasSubstr("symbolic links"));
  // A folder beside the root whose name begins alike is outside, too.
  Write("root-b/secret", "x");
  fs::create_symlink("../root-b/secret", At("root/alike"));
  EXPECT_EQ(Read(At("root/alike")), "io a symbolic link leads out of the root");
}

TEST_F(CheckpointFilesTest, TheRootMayBeALink) {
  fs::create_directory_symlink("root", At("link"));
  auto source = Store(At("link"))->Open(At("link/job/chk-7/_metadata"), 1);
  EXPECT_TRUE(source.ok()) << source.error().ToString();
}

TEST_F(CheckpointFilesTest, OnlyRegularFilesAreOpened) {
  ASSERT_EQ(mkfifo(At("root/pipe").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", At("root/zero"));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Read(At("root/pipe")), "io is no regular file");
  EXPECT_EQ(Read(At("root/zero")), "io a symbolic link leads out of the root");
  EXPECT_EQ(Read(At("root/job")), "io is no regular file");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST_F(CheckpointFilesTest, AFileThatMayNotBeReadSaysSo) {
  fs::permissions(At("root/job/chk-7/_metadata"), fs::perms::none);
  fs::permissions(folder_, fs::perms::all);
  const AsNobody nobody;
  EXPECT_EQ(Read(At("root/job/chk-7/_metadata")), "io Permission denied");
}

TEST_F(CheckpointFilesTest, EscapesAreUndoneOnlyWhereNothingLiesAsWritten) {
  Write("root/a%20b", "as written");
  Write("root/c d", "decoded");
  Write("root/a b", "never");
  EXPECT_EQ(Read(At("root/a%20b")), "as written");
  EXPECT_EQ(Read(At("root/c%20d")), "decoded");
  EXPECT_THAT(Read(At("root/e%20f")), HasSubstr("not-found"));
}

TEST_F(CheckpointFilesTest, MappedRoots) {
  const auto store = Store("s3://flink/ckpts=" + At("root") + ",/opt=" + At("outside"));
  EXPECT_TRUE(store->Open("s3p://flink/ckpts/job/chk-7/_metadata", 1).ok());
  EXPECT_TRUE(store->Open("file:///opt/secret", 1).ok());
  EXPECT_FALSE(store->Open(At("root/job/chk-7/_metadata"), 1).ok());
}

TEST_F(CheckpointFilesTest, WithoutARootItSaysThatNoneIsSet) {
  const auto source = Store("")->Open("/x", 1);
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(source.error().ToString(), "/x: --checkpoint_root is not set");
}

TEST_F(CheckpointFilesTest, AFileForARootEndsTheStart) {
  CheckpointStoreOptions options;
  options.roots = At("outside/secret");
  const auto store = NewCheckpointStore(options, SystemClock());
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().ToString(),
            "--checkpoint_root: " + At("outside/secret") + ": is no folder");
}

}  // namespace
}  // namespace fss
