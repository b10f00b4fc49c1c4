#include "exporters/text/report_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "../golden.h"
#include "../sample_report.h"
#include "exporters/text/lint_text.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

// The columns of the widest line.
std::size_t Widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, DisplayWidth(line));
  }
  return widest;
}

TEST(ReportTextTest, Golden) { ExpectGolden("scan.txt", ReportText(SampleReport(), {})); }

TEST(ReportTextTest, NarrowGolden) {
  ExpectGolden("scan-60.txt", ReportText(SampleReport(), {.width = 60}));
}

TEST(ReportTextTest, ColorGolden) {
  ExpectGolden("scan-color.txt", ReportText(SampleReport(), {.color = true}));
}

TEST(LintTextTest, Golden) { ExpectGolden("lint.txt", LintText(SampleLint(), {})); }

TEST(ReportTextTest, AnEmptyClusterSaysSo) {
  EXPECT_EQ(ReportText(ReportOf({}), {}), "prod: no jobs\n");
}

TEST(ReportTextTest, UnreachableIsNotNoJobs) {
  Report report;
  report.cluster = "prod";
  report.health.polls = 1;
  report.health.last_error = "connection refused";
  EXPECT_EQ(ReportText(report, {}), "prod: the JobManager is unreachable (connection refused)\n");
}

TEST(ReportTextTest, StaleNumbersAreMarked) {
  Report report = ReportOf({OneOperatorJob("j", "1")});
  report.health.up = false;
  report.health.stale = true;
  const std::string text = ReportText(report, {});
  EXPECT_THAT(text, HasSubstr("unreachable; what follows is from the last poll"));
  EXPECT_THAT(text, HasSubstr("GroupAggregate[6]"));
}

TEST(ReportTextTest, HostileNamesWreckNothing) {
  const std::string names[] = {std::string(5000, 'x'),
                               "two\nlines",
                               "\x1B[2Jcleared",
                               std::string(3000, '\xFF'),
                               "注文" + std::string(5000, 'y'),
                               "c1 \u009B31m \u0085 \u2028"};
  std::vector<JobReport> jobs;
  for (const std::string& name : names) {
    JobReport job = OneOperatorJob(name, std::to_string(jobs.size()));
    job.plan = name;
    job.state = name;
    job.flink_version = name;
    job.config = CheckpointConfig{};
    job.config->state_backend = name;
    job.operators[0].label = name;
    job.operators[0].state[0].name = name;
    jobs.push_back(job);
  }
  const std::string text = ReportText(ReportOf(jobs), {});
  EXPECT_LE(Widest(text), 110U);
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
  EXPECT_THAT(text, Not(HasSubstr("\u009B")));
}

TEST(ReportTextTest, HostileFindingsWreckNothing) {
  Report report = ReportOf({OneOperatorJob("j", "1")});
  Finding finding;
  finding.job_id = "1";
  finding.code = "x\n\x1B[31m";
  finding.message = "a\nb\x1B[2J " + std::string(100'000, 'm');
  finding.advice = "do\r\n    SELECT '\x1B';\n\n\n" + std::string(100'000, 'a');
  report.findings = {finding};
  const std::string text = ReportText(report, {});
  EXPECT_LT(text.size(), 60'000U);
  for (const char c : text) {
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST(ReportTextTest, SqlIsNeitherWrappedNorChanged) {
  const std::string text = ReportText(SampleReport(), {.width = 60});
  EXPECT_THAT(text, HasSubstr("CREATE VIEW paid AS SELECT /*+ STATE_TTL('o'='1d','p'='2h') */ * "
                              "FROM orders o JOIN payments p ON o.order_id = p.order_id;\n"));
}

TEST(ReportTextTest, SizesThatDoNotFitDoNotOverflow) {
  JobReport job = OneOperatorJob("j", "1");
  OperatorReport source;
  source.cleanup = Cleanup::kConnector;
  source.kind = "table-source-scan";
  source.size_bytes = std::numeric_limits<std::int64_t>::max();
  job.operators = {source, source};
  EXPECT_THAT(ReportText(ReportOf({job}), {}),
              HasSubstr("Source    2 operators without keyed state (8 EiB)"));
}

TEST(ReportTextTest, FindingsOfNoJobOfTheReportAreShownToo) {
  Report report = ReportOf({});
  Finding finding;
  finding.job_id = "gone";
  finding.code = "plan-missing";
  finding.message = "No plan.";
  report.findings = {finding};
  EXPECT_THAT(ReportText(report, {}), HasSubstr("plan-missing  No plan."));
}

TEST(ReportTextTest, TwoJobsWithOneIdShareTheFindingsOnce) {
  Report report = ReportOf({OneOperatorJob("one", "1"), OneOperatorJob("two", "1")});
  Finding finding;
  finding.job_id = "1";
  finding.code = "forever-state";
  finding.message = "Kept.";
  report.findings = {finding};
  const std::string text = ReportText(report, {});
  EXPECT_EQ(text.find("Kept."), text.rfind("Kept."));
  EXPECT_NE(text.find("Kept."), std::string::npos);
}

TEST(ReportTextTest, CheckpointsOffAndNotYetAreToldApart) {
  JobReport off = OneOperatorJob("off", "1");
  off.config = CheckpointConfig{};
  JobReport none = OneOperatorJob("none", "2");
  none.counts = CheckpointCounts{};
  const std::string text = ReportText(ReportOf({off, none}), {});
  EXPECT_THAT(text, HasSubstr("off  RUNNING  checkpoints off  no plan\n"));
  EXPECT_THAT(text, HasSubstr("none  RUNNING  no completed checkpoint yet  no plan\n"));
}

}  // namespace
}  // namespace fss
