#include "collectors/recording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::SizeIs;
using testing::StartsWith;

constexpr std::size_t kMaxLineBytes = 16U << 20U;
constexpr const char* kLine = R"({"t":5000,"id":1,"state_size":9})";

class RecordingTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(dir_);
    fs::create_directories(dir_);
    for (const char* name : {"plan.json", "job-plan.json", "checkpoints-config.json"}) {
      fs::copy_file(fs::path(FSS_TEST_DATA) / "series/A-agg-forever-rocksdb" / name, dir_ / name);
    }
    Write("series.jsonl", std::string(kLine) + "\n");
  }
  void TearDown() override { fs::remove_all(dir_); }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  std::string File(const std::string& name) const { return (dir_ / name).string(); }
  std::string OpenError() const {
    const auto recording = Recording::Open(dir_.string());
    return recording.ok() ? "no error" : recording.error().ToString();
  }

  const fs::path dir_ =
      fs::path(testing::TempDir()) /
      (std::string("recording_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(RecordingTest, ReadsAllFiles) {
  auto recording = Recording::Open(dir_.string());
  ASSERT_TRUE(recording.ok()) << recording.error().ToString();
  ASSERT_TRUE(recording->plan().has_value());
  EXPECT_EQ(recording->plan()->flink_version, "2.3");
  EXPECT_THAT(recording->job().graph.vertices, SizeIs(2));
  EXPECT_EQ(recording->job().config->state_backend, "EmbeddedRocksDBStateBackend");
  auto line = recording->Next();
  ASSERT_TRUE(line.ok() && line->has_value());
  EXPECT_EQ((*line)->checkpoint.trigger_ms, 5000);
  line = recording->Next();
  ASSERT_TRUE(line.ok());
  EXPECT_FALSE(line->has_value());
}

TEST_F(RecordingTest, ThePlanIsOptional) {
  fs::remove(dir_ / "plan.json");
  const auto recording = Recording::Open(dir_.string());
  ASSERT_TRUE(recording.ok()) << recording.error().ToString();
  EXPECT_FALSE(recording->plan().has_value());
}

TEST_F(RecordingTest, NamesTheFileThatIsMissing) {
  for (const char* name : {"series.jsonl", "checkpoints-config.json", "job-plan.json"}) {
    fs::remove(dir_ / name);
    const auto recording = Recording::Open(dir_.string());
    ASSERT_FALSE(recording.ok()) << name;
    EXPECT_EQ(recording.error().code, ErrorCode::kNotFound) << name;
    EXPECT_EQ(recording.error().context, File(name));
  }
}

TEST_F(RecordingTest, NamesTheFileThatIsBroken) {
  Write("checkpoints-config.json", "<html>");
  EXPECT_THAT(OpenError(), StartsWith(File("checkpoints-config.json") + ": "));
  Write("job-plan.json", "[]");
  EXPECT_THAT(OpenError(), StartsWith(File("job-plan.json") + ": "));
  Write("plan.json", "{\"nodes\":");
  EXPECT_THAT(OpenError(), StartsWith(File("plan.json") + ": "));
}

TEST_F(RecordingTest, TakesOnlyFiles) {
  fs::remove(dir_ / "series.jsonl");
  fs::create_directory(dir_ / "series.jsonl");
  EXPECT_EQ(OpenError(), File("series.jsonl") + ": cannot be read");
  fs::remove(dir_ / "series.jsonl");
  // Nobody writes into it: opening it would wait for ever.
  ASSERT_EQ(mkfifo(File("series.jsonl").c_str(), 0600), 0);
  EXPECT_EQ(OpenError(), File("series.jsonl") + ": cannot be read");
  Write("job-plan.json", std::string((32U << 20U) + 1, ' '));
  EXPECT_THAT(OpenError(), StartsWith(File("job-plan.json") + ": "));
}

TEST_F(RecordingTest, ABrokenLineIsNamedAndTheNextOneRead) {
  Write("series.jsonl", std::string("\n{\"t\":1\n  \r\n{}\n") + kLine);
  auto recording = Recording::Open(dir_.string());
  ASSERT_TRUE(recording.ok());
  auto line = recording->Next();
  ASSERT_FALSE(line.ok());
  EXPECT_EQ(line.error().ToString(), File("series.jsonl") + ":2: not a JSON object");
  line = recording->Next();
  ASSERT_FALSE(line.ok());
  EXPECT_EQ(line.error().ToString(),
            File("series.jsonl") + ":4: no checkpoint: t, id or state_size is missing");
  line = recording->Next();
  ASSERT_TRUE(line.ok() && line->has_value());
  EXPECT_EQ((*line)->checkpoint.id, 1);
  line = recording->Next();
  ASSERT_TRUE(line.ok());
  EXPECT_FALSE(line->has_value());
}

TEST_F(RecordingTest, ALineHasALimit) {
  const std::string padded = std::string(kLine).insert(1, kMaxLineBytes - std::strlen(kLine), ' ');
  Write("series.jsonl", padded + "\n" + padded + " \n" + kLine + "\n");
  auto recording = Recording::Open(dir_.string());
  ASSERT_TRUE(recording.ok());
  auto line = recording->Next();
  ASSERT_TRUE(line.ok() && line->has_value()) << "just as long as may be";
  line = recording->Next();
  ASSERT_FALSE(line.ok());
  EXPECT_EQ(line.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(line.error().ToString(), File("series.jsonl") + ":2: an absurdly long line");
  line = recording->Next();
  EXPECT_TRUE(line.ok() && line->has_value());
}

TEST_F(RecordingTest, WhatAKillLeftOfALineIsNoLine) {
  Write("series.jsonl", std::string(kLine) + "\n{\"t\":6000,\"id");
  auto recording = Recording::Open(dir_.string());
  ASSERT_TRUE(recording.ok());
  auto line = recording->Next();
  ASSERT_TRUE(line.ok() && line->has_value());
  line = recording->Next();
  ASSERT_TRUE(line.ok()) << line.error().ToString();
  EXPECT_FALSE(line->has_value());
}

TEST_F(RecordingTest, ReadsWhatIsSaidOfTheJob) {
  Write("job.json", R"({"name":"cascade","flink_version":"2.3.0"})");
  auto recording = Recording::Open(dir_.string());
  ASSERT_TRUE(recording.ok()) << recording.error().ToString();
  EXPECT_EQ(recording->job().name, "cascade");
  EXPECT_EQ(recording->flink_version(), "2.3.0");
  Write("job.json", "[]");
  EXPECT_THAT(OpenError(), StartsWith(File("job.json") + ": "));
}

}  // namespace
}  // namespace fss
