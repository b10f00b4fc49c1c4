#include "exporters/json/report_json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>

#include <limits>

#include "../golden.h"
#include "../sample_report.h"
#include "exporters/json/lint_json.h"

namespace fss {
namespace {

rapidjson::Document Parse(const std::string& text) {
  rapidjson::Document document;
  // Strict: no byte that is not UTF-8 gets through.
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

std::string Pretty(const std::string& text) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 1);
  Parse(text).Accept(writer);
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

TEST(ReportJsonTest, ScanGolden) { ExpectGolden("scan.json", Pretty(ScanJson(SampleReport()))); }

TEST(LintJsonTest, Golden) { ExpectGolden("lint.json", Pretty(LintJson(SampleLint()))); }

TEST(LintJsonTest, NoPlans) { EXPECT_EQ(LintJson({}), R"({"plans":[]})"); }

TEST(ReportJsonTest, JobsComeWithoutOperators) {
  const auto document = Parse(JobsJson(SampleReport()));
  ASSERT_EQ(document["jobs"].Size(), 4U);
  EXPECT_FALSE(document["jobs"][0].HasMember("operators"));
  EXPECT_FALSE(document.HasMember("findings"));
}

TEST(ReportJsonTest, OperatorsOfOneJobOrAll) {
  EXPECT_EQ(Parse(OperatorsJson(SampleReport(), ""))["jobs"].Size(), 4U);
  const std::string id(32, 'b');
  const auto one = Parse(OperatorsJson(SampleReport(), id));
  ASSERT_EQ(one["jobs"].Size(), 1U);
  EXPECT_EQ(one["jobs"][0]["job_id"].GetString(), id);
  EXPECT_GT(one["jobs"][0]["operators"].Size(), 0U);
  EXPECT_EQ(Parse(OperatorsJson(SampleReport(), "none"))["jobs"].Size(), 0U);
}

TEST(ReportJsonTest, FindingsAlone) {
  const auto document = Parse(FindingsJson(SampleReport()));
  ASSERT_EQ(document["findings"].Size(), 5U);
  EXPECT_FALSE(document["findings"][0].HasMember("acknowledged"));
  EXPECT_TRUE(document["findings"][4]["acknowledged"].GetBool());
}

TEST(ReportJsonTest, FindingsOfOneJobAndTheFirstOfThem) {
  const auto fleet = FleetOf(std::make_shared<const Report>(SampleReport()), {});
  const auto findings = [&fleet](const JsonFilter& filter) {
    return Parse(
        JsonText([&](JsonSink sink) { WriteFindingsJson(*fleet, filter, std::move(sink)); }));
  };
  const std::string id(32, 'a');
  const auto of_job = findings({{}, id});
  ASSERT_EQ(of_job["findings"].Size(), 1U);
  EXPECT_EQ(of_job["findings"][0]["job_id"].GetString(), id);
  EXPECT_EQ(of_job["total"].GetInt(), 1);
  const auto first = findings({{}, {}, 2});
  ASSERT_EQ(first["findings"].Size(), 2U);
  EXPECT_STREQ(first["findings"][0]["severity"].GetString(), "critical");
  EXPECT_EQ(first["total"].GetInt(), 5);
  EXPECT_EQ(findings({{}, "none", 0})["total"].GetInt(), 0);
}

TEST(ReportJsonTest, JobsCountTheirFindings) {
  const auto document = Parse(JobsJson(SampleReport()));
  const auto counts = [&document](unsigned job, const char* what) {
    return document["jobs"][job]["finding_counts"][what].GetInt();
  };
  EXPECT_EQ(counts(0, "warning"), 1);
  EXPECT_EQ(counts(1, "critical"), 1);
  EXPECT_EQ(counts(1, "warning"), 0);
  EXPECT_EQ(counts(2, "info"), 0) << "it is acknowledged";
  EXPECT_EQ(counts(2, "acknowledged"), 1);
}

TEST(ReportJsonTest, WhatFillsFirstIsNamedWithItsPicture) {
  const auto document = Parse(JobsJson(SampleReport()));
  const auto& first = document["jobs"][0]["fills_first"];
  EXPECT_STREQ(first["operator"].GetString(), "Join[24]");
  EXPECT_STREQ(first["full_of"].GetString(), "disk");
  EXPECT_EQ(first["seconds_until_full"].GetInt(), 7'776'000);
  ASSERT_EQ(first["size_history"].Size(), 1U);
  EXPECT_FALSE(document["jobs"][2].HasMember("fills_first"));
}

TEST(ReportJsonTest, OperatorsTellTheirInputsAndSizesOverTime) {
  const auto document = Parse(OperatorsJson(SampleReport(), std::string(32, 'a')));
  const auto& operators = document["jobs"][0]["operators"];
  EXPECT_EQ(operators[0]["inputs"].Size(), 0U);
  ASSERT_EQ(operators[1]["inputs"].Size(), 1U);
  EXPECT_EQ(operators[1]["inputs"][0].GetInt(), 0);
  const auto& history = operators[1]["size_history"];
  ASSERT_EQ(history.Size(), 2U);
  EXPECT_EQ(history[1][0].GetInt64() - history[0][0].GetInt64(), 3'590'000);
  EXPECT_EQ(history[1][1].GetInt64(), 943'718);
  EXPECT_FALSE(operators[2].HasMember("size_history"));
  // Not known is not "fed by nobody".
  const auto without = Parse(OperatorsJson(SampleReport(), std::string(32, 'b')));
  EXPECT_FALSE(without["jobs"][0]["operators"][0].HasMember("inputs"));
}

TEST(ReportJsonTest, ClustersTellWhetherTheyAnswer) {
  Report report = SampleReport();
  report.health.poll_interval_ms = 15'000;
  const auto document = Parse(JsonText([&report](JsonSink sink) {
    WriteClustersJson(*FleetOf(std::make_shared<const Report>(report), {}), {}, std::move(sink));
  }));
  ASSERT_EQ(document["clusters"].Size(), 1U);
  const auto& cluster = document["clusters"][0];
  EXPECT_STREQ(cluster["cluster"].GetString(), "prod");
  EXPECT_TRUE(cluster["up"].GetBool());
  EXPECT_EQ(cluster["poll_interval_ms"].GetInt(), 15'000);
  EXPECT_EQ(cluster["taken_ms"].GetInt64(), report.taken_ms);
  EXPECT_EQ(cluster["jobs"].GetInt(), 4);
  EXPECT_EQ(document["poll_interval_ms"].GetInt(), 15'000);
}

TEST(ReportJsonTest, UnknownIsLeftOut) {
  JobReport job;
  job.operators.emplace_back();
  job.operators[0].state.emplace_back();
  const auto document = Parse(ScanJson(ReportOf({job})));
  const auto& written = document["jobs"][0];
  for (const char* name : {"start_ms", "flink_version", "state_backend", "plan", "checkpoint_id",
                           "checkpoint_age_ms", "incremental", "tasks_total"}) {
    EXPECT_FALSE(written.HasMember(name)) << name;
  }
  const auto& op = written["operators"][0];
  for (const char* name : {"node_id", "size_bytes", "checkpointed_bytes"}) {
    EXPECT_FALSE(op.HasMember(name)) << name;
  }
  EXPECT_STREQ(op["verdict"].GetString(), "unknown");
  EXPECT_STREQ(op["matched_by"].GetString(), "none");
  EXPECT_FALSE(op["state"][0].HasMember("ttl_ms"));
  EXPECT_FALSE(op["state"][0].HasMember("forever"));
}

TEST(ReportJsonTest, ZeroAndHugeNumbersStay) {
  JobReport job = OneOperatorJob("j", "1");
  job.operators[0].size_bytes = std::numeric_limits<std::int64_t>::max();
  job.operators[0].checkpointed_bytes = 0;
  const auto document = Parse(ScanJson(ReportOf({job})));
  const auto& op = document["jobs"][0]["operators"][0];
  EXPECT_EQ(op["size_bytes"].GetInt64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(op["checkpointed_bytes"].GetInt64(), 0);
  EXPECT_EQ(op["state"][0]["ttl_ms"].GetInt64(), 0);
  EXPECT_TRUE(op["state"][0]["forever"].GetBool());
}

TEST(ReportJsonTest, HostileTextsSurvive) {
  const std::string name = std::string("q\" b\\ n\n z\0 e\x1B bad\xFF\xC0\xAF", 21) + "注文";
  const auto document = Parse(ScanJson(ReportOf({OneOperatorJob(name, name)})));
  const auto& written = document["jobs"][0]["name"];
  const std::string read(written.GetString(), written.GetStringLength());
  EXPECT_TRUE(read.starts_with(std::string("q\" b\\ n\n z\0 e\x1B bad\uFFFD", 20)));
  EXPECT_TRUE(read.ends_with("注文"));
}

TEST(ReportJsonTest, UnreachableIsNotNoJobs) {
  Report report;
  report.health.polls = 1;
  report.health.last_error = "connection refused";
  const auto document = Parse(JobsJson(report));
  EXPECT_FALSE(document["up"].GetBool());
  EXPECT_STREQ(document["error"].GetString(), "connection refused");
  EXPECT_FALSE(document.HasMember("taken_ms"));
  EXPECT_TRUE(Parse(JobsJson(ReportOf({})))["up"].GetBool());
}

TEST(ReportJsonTest, ManyJobsComeInPiecesThatMakeOneDocument) {
  std::vector<JobReport> jobs;
  for (int i = 0; i < 2000; ++i) {
    jobs.push_back(OneOperatorJob("job", std::to_string(i)));
  }
  const Report report = ReportOf(jobs);
  std::string whole;
  std::size_t pieces = 0;
  WriteOperatorsJson(*FleetOf(std::make_shared<const Report>(report), {}), {},
                     [&](std::string_view piece) {
                       whole.append(piece);
                       ++pieces;
                       return true;
                     });
  EXPECT_GT(pieces, 3U);
  EXPECT_EQ(Parse(whole)["jobs"].Size(), 2000U);
}

TEST(ReportJsonTest, AReaderThatLeavesStopsTheWriting) {
  const Report report = ReportOf(std::vector<JobReport>(20'000, OneOperatorJob("job", "1")));
  std::size_t pieces = 0;
  WriteOperatorsJson(*FleetOf(std::make_shared<const Report>(report), {}), {},
                     [&](std::string_view) {
                       ++pieces;
                       return false;
                     });
  EXPECT_EQ(pieces, 1U);
}

}  // namespace
}  // namespace fss
