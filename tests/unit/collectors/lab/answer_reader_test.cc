#include "collectors/lab/answer_reader.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

constexpr std::string_view kReport =
    R"({"default_ttl":"0 ms","join_left_ttl":"1 d","join_right_ttl":"2 h",)"
    R"("cascade_second_left_ttl":"30 min","window_state_entries":0,)"
    R"("state_backend":"EmbeddedRocksDBStateBackend","rocks_groups":40})";

std::string With(std::string_view old, std::string_view replacement) {
  std::string text(kReport);
  return text.replace(text.find(old), old.size(), replacement);
}

TEST(LabAnswerReader, Job) {
  const auto job = ReadLabJob(R"({"jid":"x","name":"flk-state-rocks","job-type":"STREAMING"})");
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(job->name, "flk-state-rocks");
  EXPECT_EQ(job->type, "STREAMING");
  EXPECT_EQ(ReadLabJob(R"({"name":"x"})")->type, "");
  EXPECT_EQ(ReadLabJob("{}").error().ToString(), "not an answer of /jobs/:jid (no name)");
  EXPECT_EQ(ReadLabJob(R"({"name":7})").error().ToString(),
            "not an answer of /jobs/:jid (no name)");
}

TEST(LabAnswerReader, SavedErrorsOfFlinkAreTold) {
  const std::string gone = R"({"errors":["org.x.FlinkJobNotFoundException: Could not find job"]})";
  EXPECT_EQ(ReadLabJob(gone).error().ToString(), "an error of Flink's: Could not find job");
  EXPECT_EQ(ReadLabBackend(gone).error().ToString(), "an error of Flink's: Could not find job");
}

TEST(LabAnswerReader, Backend) {
  EXPECT_EQ(*ReadLabBackend(R"({"interval":5000,"state_backend":"HashMapStateBackend"})"),
            "HashMapStateBackend");
  EXPECT_EQ(ReadLabBackend(R"({"interval":5000,"state_backend":"Unknown"})").error().ToString(),
            "it names no state_backend");
  EXPECT_FALSE(ReadLabBackend("<html>").ok());
  EXPECT_FALSE(ReadLabBackend("").ok());
}

TEST(LabAnswerReader, Report) {
  const auto report = ReadLabReport(std::string(kReport));
  ASSERT_TRUE(report.ok()) << report.error().ToString();
  EXPECT_EQ(report->default_ttl, "0 ms");
  EXPECT_EQ(report->join_left_ttl, "1 d");
  EXPECT_EQ(report->join_right_ttl, "2 h");
  EXPECT_EQ(report->cascade_second_left_ttl, "30 min");
  EXPECT_EQ(report->window_state_entries, 0);
  EXPECT_EQ(report->state_backend, "EmbeddedRocksDBStateBackend");
  EXPECT_EQ(report->rocks_groups, 40);
}

TEST(LabAnswerReader, ReportNamesTheField) {
  EXPECT_EQ(ReadLabReport(With("join_left_ttl", "x")).error().message, "no join_left_ttl in it");
  EXPECT_EQ(ReadLabReport(With("\"0 ms\"", "0")).error().message, "default_ttl is not a text");
  EXPECT_EQ(ReadLabReport(With(":40", ":\"40\"")).error().message,
            "rocks_groups is not a whole number of 0 or more");
  EXPECT_EQ(ReadLabReport(With(":40", ":40.5")).error().message,
            "rocks_groups is not a whole number of 0 or more");
  EXPECT_EQ(ReadLabReport(With("}", "")).error().message, "not a JSON object");
  EXPECT_EQ(ReadLabReport("[]").error().message, "not a JSON object");
}

}  // namespace
}  // namespace fss
