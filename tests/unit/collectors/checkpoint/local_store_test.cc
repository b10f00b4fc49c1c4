#include "collectors/checkpoint/local_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace fss {
namespace {

namespace fs = std::filesystem;

class LocalStoreTest : public testing::Test {
 protected:
  LocalStoreTest() {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("local_store_") + info->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "chk-7");
    Write(folder_ / "elsewhere", "of another place");
    Write(folder_ / "chk-7" / "0e1f", "beside");
  }
  ~LocalStoreTest() override { fs::remove_all(folder_); }

  static void Write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  // What is read of an address: its bytes, or the error.
  std::string Read(const std::string& address, std::uint64_t max_bytes = 1'000) {
    LocalStore store((folder_ / "chk-7").string());
    const auto source = store.Open(address, max_bytes);
    if (!source.ok()) return source.error().message;
    std::string text;
    std::array<char, 5> block{};
    for (;;) {
      const auto got = (*source)->Read(block);
      if (!got.ok()) return got.error().message;
      if (*got == 0) return text;
      text.append(block.data(), *got);
    }
  }

  fs::path folder_;
};

TEST_F(LocalStoreTest, OpensPathsAndFileUrls) {
  const std::string path = folder_ / "elsewhere";
  EXPECT_EQ(Read(path), "of another place");
  EXPECT_EQ(Read("file:" + path), "of another place");
  EXPECT_EQ(Read("file://" + path), "of another place");
  EXPECT_EQ(Read(path, 7), "of anot");
}

TEST_F(LocalStoreTest, FindsAFileBesideTheMetadataWhereTheFolderWasCopied) {
  EXPECT_EQ(Read("file:/where/it/was/written/chk-7/0e1f"), "beside");
  EXPECT_EQ(Read("s3://bucket/job/chk-7/0e1f"), "beside");
  EXPECT_EQ(Read("file:/where/it/was/written/chk-7/other"), "No such file or directory");
  EXPECT_EQ(Read("s3://bucket/job/chk-7/other"), "is no address of a local file");
  EXPECT_EQ(Read("file://host/share/other"), "is no address of a local file");
}

TEST_F(LocalStoreTest, TakesRegularFilesAlone) {
  EXPECT_EQ(Read(folder_ / "chk-7"), "is no regular file");
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(Read(pipe), "is no regular file");  // at once, though nobody writes to it
  const auto source = OpenLocalFile(folder_ / "elsewhere", 3);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ((*source)->size(), 16U);  // the whole file's
}

}  // namespace
}  // namespace fss
