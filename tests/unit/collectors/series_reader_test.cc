#include "collectors/series_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kWhole = R"({"t":1796001394034,"id":7,"state_size":4096,
  "checkpointed_size":512,"start_ms":1796001390000,"restored":true,
  "tasks":{"aa":{"state_size":4000,"checkpointed_size":500,"persisted_data":12},
           "bb":{"state_size":96}},
  "rocks":{"aa":{"Join[19].left-records.rocksdb_estimate-live-data-size":3000.0,
                 "Join[19].left-records.rocksdb_estimate-num-keys":20,
                 "Join[19].right-records.rocksdb_estimate-num-keys":0,
                 "Join[19].right-records.rocksdb_total-sst-files-size":77}}})";

std::string SeriesError(const std::string& text) {
  const auto line = ReadSeriesLine(text);
  return line.ok() ? "no error" : line.error().ToString();
}

TEST(SeriesReaderTest, ReadsAWholeLine) {
  const auto line = ReadSeriesLine(kWhole);
  ASSERT_TRUE(line.ok()) << line.error().ToString();
  const CompletedCheckpoint& checkpoint = line->checkpoint;
  EXPECT_EQ(checkpoint.id, 7);
  EXPECT_EQ(checkpoint.trigger_ms, 1796001394034);
  EXPECT_EQ(checkpoint.state_size, 4096);
  EXPECT_EQ(checkpoint.checkpointed_size, 512);
  EXPECT_FALSE(checkpoint.savepoint);
  EXPECT_TRUE(line->restored);
  EXPECT_EQ(line->start_ms, 1796001390000);
  ASSERT_THAT(checkpoint.vertices, SizeIs(2));
  EXPECT_EQ(checkpoint.vertices.at("aa").state_size, 4000);
  EXPECT_EQ(checkpoint.vertices.at("aa").checkpointed_size, 500);
  EXPECT_EQ(checkpoint.vertices.at("aa").persisted_data, 12);
  EXPECT_EQ(checkpoint.vertices.at("bb").checkpointed_size, std::nullopt);
}

TEST(SeriesReaderTest, ReadsRocksDbsFiguresByState) {
  const auto line = ReadSeriesLine(kWhole);
  ASSERT_TRUE(line.ok());
  ASSERT_THAT(line->live, SizeIs(1));
  const LiveSample& sample = line->live.at("aa");
  EXPECT_EQ(sample.taken_ms, 1796001394034);
  ASSERT_THAT(sample.states, SizeIs(2));
  EXPECT_EQ(sample.states[0].state_name, "left-records");
  EXPECT_EQ(sample.states[0].live_bytes, 3000);
  EXPECT_EQ(sample.states[0].keys, 20);
  EXPECT_EQ(sample.states[1].operator_name, "Join[19]");
  EXPECT_EQ(sample.states[1].live_bytes, std::nullopt);
  EXPECT_EQ(sample.states[1].keys, 0);
}

TEST(SeriesReaderTest, ReadsASavepoint) {
  const auto line = ReadSeriesLine(R"({"t":5,"id":1,"state_size":9,"is_savepoint":true})");
  ASSERT_TRUE(line.ok());
  EXPECT_TRUE(line->checkpoint.savepoint);
  EXPECT_FALSE(line->restored);
  EXPECT_EQ(line->start_ms, std::nullopt);
  EXPECT_THAT(line->live, IsEmpty());
}

TEST(SeriesReaderTest, WhatIsNoNumberIsAbsent) {
  const auto line = ReadSeriesLine(
      R"({"t":5,"id":1,"state_size":9,"checkpointed_size":"NaN","restored":"yes","start_ms":-1,
          "tasks":{"aa":{"state_size":"9"},"bb":7,"cc":{"state_size":-1},"dd":{"state_size":1.5}},
          "rocks":{"aa":3,"bb":{"Join[1].s.rocksdb_estimate-num-keys":"4",
                                "Join[1].s.rocksdb_estimate-live-data-size":-1,
                                "Join[1].t.rocksdb_estimate-live-data-size":1.8e19}}})");
  ASSERT_TRUE(line.ok()) << line.error().ToString();
  EXPECT_EQ(line->checkpoint.checkpointed_size, std::nullopt);
  EXPECT_FALSE(line->restored);
  EXPECT_EQ(line->start_ms, std::nullopt);
  EXPECT_THAT(line->checkpoint.vertices, IsEmpty());
  EXPECT_THAT(line->live, IsEmpty());
}

TEST(SeriesReaderTest, TasksAndRocksMayBeOfAnyType) {
  for (const char* value : {"null", "7", "[]", "[{}]", "\"x\""}) {
    const auto line = ReadSeriesLine(std::string(R"({"t":5,"id":1,"state_size":9,"tasks":)") +
                                     value + R"(,"rocks":)" + value + "}");
    ASSERT_TRUE(line.ok()) << value;
    EXPECT_THAT(line->checkpoint.vertices, IsEmpty());
  }
}

TEST(SeriesReaderTest, SaysWhatIsNoLine) {
  const std::string missing = "no checkpoint: t, id or state_size is missing";
  EXPECT_EQ(SeriesError("{}"), missing);
  EXPECT_EQ(SeriesError(R"({"t":5,"id":1})"), missing);
  EXPECT_EQ(SeriesError(R"({"t":5,"state_size":1})"), missing);
  EXPECT_EQ(SeriesError(R"({"id":5,"state_size":1})"), missing);
  EXPECT_EQ(SeriesError(R"({"t":-5,"id":1,"state_size":1})"), missing);
  EXPECT_EQ(SeriesError(R"({"t":"5","id":1,"state_size":1})"), missing);
  for (const char* text : {"", "[]", "7", R"({"t":5,"id":1,"state_size":9)", "<html>", "\xff"}) {
    EXPECT_EQ(SeriesError(text), "not a JSON object") << text;
  }
}

TEST(SeriesReaderTest, DepthHasALimit) {
  const std::string deep(100'000, '[');
  const auto line = ReadSeriesLine(R"({"t":5,"id":1,"state_size":9,"x":)" + deep + "}");
  ASSERT_FALSE(line.ok());
  EXPECT_EQ(line.error().code, ErrorCode::kTooLarge);
}

TEST(SeriesReaderTest, FiguresMayHaveATimeOfTheirOwn) {
  const auto line = ReadSeriesLine(
      R"({"t":9000,"id":1,"state_size":1,"polled":9500,"rocks_t":{"aa":8000,"cc":"x"},"rocks":{)"
      R"("aa":{"A[1].accState.rocksdb_estimate-num-keys":1},)"
      R"("bb":{"A[1].accState.rocksdb_estimate-num-keys":1}}})");
  ASSERT_TRUE(line.ok()) << line.error().ToString();
  EXPECT_EQ(line->polled_ms, 9500);
  EXPECT_EQ(line->live.at("aa").taken_ms, 8000);
  EXPECT_EQ(line->live.at("bb").taken_ms, 9000) << "else with the checkpoint";
}

}  // namespace
}  // namespace fss
