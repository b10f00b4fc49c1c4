#include "exporters/prometheus/metrics_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../golden.h"
#include "../sample_report.h"
#include "exposition.h"

namespace fss {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Exposition Read(const Report& report) {
  return ReadExposition(MetricsPage(report, SidecarStats{}));
}

// The version is the build's and not this test's business.
std::string WithoutVersion(std::string page) {
  const std::string version = "version=\"" FSS_VERSION "\"";
  const std::size_t at = page.find(version);
  return at == std::string::npos ? page : page.replace(at, version.size(), "version=\"VERSION\"");
}

TEST(MetricsPageTest, Golden) {
  ExpectGolden("metrics.txt", WithoutVersion(MetricsPage(SampleReport(), SampleStats())));
}

TEST(MetricsPageTest, EveryMetricHasHelpAndType) {
  const Exposition page = ReadExposition(MetricsPage(SampleReport(), SampleStats()));
  EXPECT_EQ(page.helped.size(), page.types.size());
  for (const auto& [series, value] : page.series) {
    EXPECT_TRUE(series.starts_with("flink_state_")) << series;
    std::string name = series.substr(0, series.find('{'));
    if (!page.types.contains(name)) {
      name.resize(name.rfind('_'));  // a histogram's _bucket, _sum, _count
    }
    EXPECT_TRUE(page.types.contains(name)) << series;
    EXPECT_FALSE(std::isnan(value)) << series;
  }
}

TEST(MetricsPageTest, PromtoolHasNothingToSay) {
  if (std::system("promtool --version >/dev/null 2>&1") != 0) {  // NOLINT
    GTEST_SKIP() << "no promtool on this machine";
  }
  const std::string path = testing::TempDir() + "/fss_metrics_page_test.txt";
  std::FILE* file = std::fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  const std::string page = MetricsPage(SampleReport(), SampleStats());
  ASSERT_EQ(std::fwrite(page.data(), 1, page.size(), file), page.size());
  std::fclose(file);
  const std::string command = "promtool check metrics < " + path + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");  // NOLINT
  ASSERT_NE(pipe, nullptr);
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    said.push_back(static_cast<char>(c));
  }
  EXPECT_EQ(pclose(pipe), 0);
  EXPECT_EQ(said, "");
  std::remove(path.c_str());
}

TEST(MetricsPageTest, ForEverIsInfinite) {
  const Exposition page = Read(ReportOf({OneOperatorJob("j", "1")}));
  const std::string series =
      R"(flink_state_ttl_seconds{cluster="prod",flink_job="j",job_id="1",vertex_id="v1",)"
      R"(operator="GroupAggregate[6]",kind="group-aggregate",state="groupAggregateState"})";
  ASSERT_TRUE(page.series.contains(series));
  EXPECT_TRUE(std::isinf(page.series.at(series)));
}

TEST(MetricsPageTest, LargeNumbersAreExact) {
  JobReport job = OneOperatorJob("j", "1");
  job.operators[0].size_bytes = 9'007'199'254'740'991;  // 2^53 - 1
  EXPECT_THAT(MetricsPage(ReportOf({job}), {}), HasSubstr(" 9007199254740991\n"));
}

TEST(MetricsPageTest, UnknownIsAbsent) {
  JobReport job = OneOperatorJob("j", "1");
  job.operators[0].size_bytes.reset();
  job.operators[0].state[0].ttl_ms.reset();
  const Exposition page = Read(ReportOf({job}));
  EXPECT_EQ(page.CountPrefix("flink_state_job_info"), 1U);
  for (const char* name : {"size_bytes", "checkpointed_bytes", "ttl_seconds",
                           "checkpoint_age_seconds", "checkpoint_failures_total"}) {
    EXPECT_EQ(page.CountPrefix(std::string("flink_state_") + name), 0U) << name;
    EXPECT_FALSE(page.types.contains(std::string("flink_state_") + name)) << name;
  }
}

TEST(MetricsPageTest, ZeroIsANumber) {
  JobReport job = OneOperatorJob("j", "1");
  job.operators[0].size_bytes = 0;
  job.counts = CheckpointCounts{};
  const Exposition page = Read(ReportOf({job}));
  EXPECT_EQ(page.CountPrefix("flink_state_size_bytes"), 1U);
  EXPECT_EQ(page.CountPrefix("flink_state_checkpoint_failures_total"), 1U);
}

TEST(MetricsPageTest, AnEndedJobHasItsInfoAlone) {
  const std::string page = MetricsPage(SampleReport(), SampleStats());
  const Exposition read = ReadExposition(page);
  std::size_t series = 0;
  for (const auto& [name, value] : read.series) {
    if (name.find("broken at start") != std::string::npos) {
      ++series;
      EXPECT_TRUE(name.starts_with("flink_state_job_info{")) << name;
    }
  }
  EXPECT_EQ(series, 1U);
}

TEST(MetricsPageTest, BeforeTheFirstPollNothingIsSaidOfTheCluster) {
  const Exposition page = Read(Report{});
  EXPECT_EQ(page.CountPrefix("flink_state_up"), 0U);
  EXPECT_EQ(page.CountPrefix("flink_state_sidecar_plans"), 0U);
  EXPECT_EQ(page.CountPrefix("flink_state_sidecar_last_success"), 0U);
  EXPECT_EQ(page.CountPrefix("flink_state_sidecar_build_info"), 1U);
}

TEST(MetricsPageTest, UnreachableIsZeroAndKeepsTheStaleNumbers) {
  Report report = ReportOf({OneOperatorJob("j", "1")});
  report.health.up = false;
  report.health.stale = true;
  const Exposition page = Read(report);
  EXPECT_EQ(page.series.at("flink_state_up{cluster=\"prod\"}"), 0);
  EXPECT_EQ(page.CountPrefix("flink_state_size_bytes"), 1U);

  Report never = {};
  never.cluster = "prod";
  never.health.polls = 1;
  EXPECT_EQ(Read(never).series.at("flink_state_up{cluster=\"prod\"}"), 0);
}

TEST(MetricsPageTest, HostileNamesBreakNothing) {
  const std::string names[] = {"a\"} 1\nflink_state_up{cluster=\"x\"} 1",
                               "back\\slash\\",
                               "\n",
                               std::string("nul\0nul", 7),
                               "\xFF\xFE\x80",
                               "cr\r\nlf",
                               std::string(5000, '"'),
                               "# HELP x y",
                               "注文\u2028テスト"};
  std::vector<JobReport> jobs;
  for (const std::string& name : names) {
    JobReport job = OneOperatorJob(name, std::to_string(jobs.size()));
    job.operators[0].label = name;
    job.operators[0].kind = name;
    job.operators[0].state[0].name = name;
    job.state = name;
    job.plan = name;
    jobs.push_back(job);
  }
  Report report = ReportOf(jobs);
  Finding finding;
  finding.job = names[0];
  finding.job_id = "0";
  finding.code = names[2];
  finding.operator_label = names[4];
  report.findings = {finding};
  const Exposition page = Read(report);
  EXPECT_EQ(page.CountPrefix("flink_state_job_info"), jobs.size());
  EXPECT_EQ(page.CountPrefix("flink_state_up"), 1U);
  EXPECT_THAT(page.LabelValues("flink_job"), Contains(names[0]));
  EXPECT_THAT(page.LabelValues("flink_job"), Contains("back\\slash\\"));
  for (const std::string& value : page.LabelValues("flink_job")) {
    EXPECT_LE(value.size(), 128U);
  }
}

TEST(MetricsPageTest, JobsWhoseNamesAreEqualAfterTheCutDifferById) {
  const std::string start(200, 'n');
  const Exposition page =
      Read(ReportOf({OneOperatorJob(start + "1", "one"), OneOperatorJob(start + "2", "two")}));
  EXPECT_EQ(page.CountPrefix("flink_state_size_bytes"), 2U);
}

TEST(MetricsPageTest, EqualSeriesAreMergedToTheLargest) {
  JobReport small = OneOperatorJob("j", "1");
  small.operators[0].state[0].ttl_ms = 1000;
  JobReport large = small;
  large.operators[0].size_bytes = 700;
  large.operators[0].state[0].ttl_ms = 5000;
  large.operators.push_back(large.operators[0]);  // the same operator twice in a chain
  large.operators[0].state.push_back({"groupAggregateState", 60'000, false});  // a name twice
  const Exposition one = Read(ReportOf({small, large}));
  const Exposition other = Read(ReportOf({large, small}));
  EXPECT_EQ(one.series, other.series);
  EXPECT_EQ(one.CountPrefix("flink_state_size_bytes"), 1U);
  for (const auto& [series, value] : one.series) {
    if (series.starts_with("flink_state_size_bytes")) {
      EXPECT_EQ(value, 700);
    }
    if (series.starts_with("flink_state_ttl_seconds")) {
      EXPECT_EQ(value, 60);
    }
  }
}

TEST(MetricsPageTest, FindingsOfOnePlaceStandOnce) {
  Report report = ReportOf({OneOperatorJob("j", "1")});
  Finding finding;
  finding.code = "forever-state";
  finding.job = "j";
  finding.job_id = "1";
  report.findings = {finding, finding};
  report.findings[1].message = "another sentence";
  EXPECT_EQ(Read(report).CountPrefix("flink_state_finding"), 1U);
  report.findings[1].severity = Severity::kCritical;
  EXPECT_EQ(Read(report).CountPrefix("flink_state_finding"), 2U);
}

TEST(MetricsPageTest, AJobThatHasGoneTakesItsFindingsAlong) {
  Report report = ReportOf({});
  Finding finding;
  finding.code = "forever-state";
  finding.job_id = "gone";
  report.findings = {finding};
  EXPECT_EQ(Read(report).CountPrefix("flink_state_finding"), 0U);
}

TEST(MetricsPageTest, TheHistogramIsCumulative) {
  const std::string page = MetricsPage(SampleReport(), SampleStats());
  EXPECT_THAT(page, HasSubstr("duration_seconds_bucket{le=\"0.025\"} 3\n"));
  EXPECT_THAT(page, HasSubstr("duration_seconds_bucket{le=\"30\"} 6\n"));
  EXPECT_THAT(page, HasSubstr("duration_seconds_bucket{le=\"+Inf\"} 7\n"));
  EXPECT_THAT(page, HasSubstr("duration_seconds_count 7\n"));
  EXPECT_THAT(page, HasSubstr("duration_seconds_sum 45.25\n"));
}

TEST(MetricsPageTest, PrometheusOwnLabelsAreNeverUsed) {
  const Exposition page = ReadExposition(MetricsPage(SampleReport(), SampleStats()));
  for (const char* label : {"{job", ",job", "{instance", ",instance"}) {
    for (const auto& [series, value] : page.series) {
      EXPECT_THAT(series, Not(HasSubstr(std::string(label) + "=\"")));
    }
  }
}

}  // namespace
}  // namespace fss
