#include "collectors/series_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "collectors/series_reader.h"

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

CompletedCheckpoint Checkpoint() {
  CompletedCheckpoint checkpoint;
  checkpoint.id = 7;
  checkpoint.trigger_ms = 5000;
  checkpoint.state_size = 4096;
  checkpoint.external_path = "s3://bucket/chk-7";
  return checkpoint;
}

TEST(SeriesJsonTest, WhatIsWrittenIsRead) {
  CompletedCheckpoint checkpoint = Checkpoint();
  checkpoint.checkpointed_size = 512;
  checkpoint.vertices["aa"] = {4000, 500, 12};
  checkpoint.vertices["bb"] = {96, std::nullopt};
  std::map<std::string, LiveSample> live;
  live["aa"] = {4800,
                {{"Join[19]", "left-records", 3000, 20}, {"Join[19]", "right-records", 0, {}}}};
  const std::string text = SeriesLineJson(checkpoint, {5100, true, 1000, &live});
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_THAT(text, Not(HasSubstr("bucket"))) << "where state lies is nobody's business";
  const auto line = ReadSeriesLine(text);
  ASSERT_TRUE(line.ok()) << line.error().ToString();
  EXPECT_EQ(line->checkpoint.id, 7);
  EXPECT_EQ(line->checkpoint.trigger_ms, 5000);
  EXPECT_EQ(line->checkpoint.state_size, 4096);
  EXPECT_EQ(line->checkpoint.checkpointed_size, 512);
  EXPECT_FALSE(line->checkpoint.savepoint);
  EXPECT_TRUE(line->restored);
  EXPECT_EQ(line->start_ms, 1000);
  EXPECT_EQ(line->polled_ms, 5100);
  ASSERT_THAT(line->checkpoint.vertices, SizeIs(2));
  EXPECT_EQ(line->checkpoint.vertices.at("aa").persisted_data, 12);
  EXPECT_EQ(line->checkpoint.vertices.at("bb").checkpointed_size, std::nullopt);
  ASSERT_THAT(line->live, SizeIs(1));
  const LiveSample& sample = line->live.at("aa");
  EXPECT_EQ(sample.taken_ms, 4800);
  ASSERT_THAT(sample.states, SizeIs(2));
  EXPECT_EQ(sample.states[0].live_bytes, 3000);
  EXPECT_EQ(sample.states[0].keys, 20);
  EXPECT_EQ(sample.states[1].keys, std::nullopt);
}

TEST(SeriesJsonTest, WhatIsNotKnownIsAbsent) {
  CompletedCheckpoint checkpoint = Checkpoint();
  checkpoint.savepoint = true;
  EXPECT_EQ(SeriesLineJson(checkpoint, {5100, false, std::nullopt, nullptr}),
            R"({"t":5000,"id":7,"state_size":4096,"is_savepoint":true,"polled":5100,"tasks":{}})"
            "\n");
}

}  // namespace
}  // namespace fss
