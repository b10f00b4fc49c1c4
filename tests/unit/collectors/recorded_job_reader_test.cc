#include "collectors/recorded_job_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<RecordedJob> ReadJob(const std::string& text) {
  constexpr int kOk = 200;
  return ReadRecordedJob({kOk, "application/json", text});
}

TEST(RecordedJobTest, WhatIsWrittenIsRead) {
  const auto job =
      ReadJob(RecordedJobJson({"ab", "my \"job\"\n\xff", 17, "2.3.0", "FINISHED", 99}));
  ASSERT_TRUE(job.ok()) << job.error().ToString();
  EXPECT_EQ(job->job_id, "ab");
  EXPECT_EQ(job->name, "my \"job\"\n\xEF\xBF\xBD");
  EXPECT_EQ(job->start_ms, 17);
  EXPECT_EQ(job->flink_version, "2.3.0");
  EXPECT_EQ(job->state, "FINISHED");
  EXPECT_EQ(job->ended_ms, 99);
}

TEST(RecordedJobTest, WhatIsMissingIsEmpty) {
  const auto job = ReadJob("{}");
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->name, "");
  EXPECT_EQ(job->ended_ms, std::nullopt);
  EXPECT_FALSE(ReadJob("[]").ok());
}

TEST(RecordedJobTest, AnonymousHoldsNothingOfOnesOwn) {
  const std::string json =
      AnonymousRecordedJobJson({"ab", "acme", 17, "2.3.0-acme-1", "ACME", std::nullopt});
  EXPECT_EQ(json, "{\"job_id\":\"ab\",\"start_ms\":17,\"flink_version\":\"2.3.0\"}\n");
  EXPECT_THAT(AnonymousRecordedJobJson({"ab", "acme", 17, "2.3.0", "RUNNING", 3}),
              testing::AllOf(HasSubstr("RUNNING"), HasSubstr("2.3.0\""), Not(HasSubstr("acme"))));
}

}  // namespace
}  // namespace fss
