#include "exporters/alertmanager/alert_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../sample_report.h"
#include "exporters/alertmanager/alert_texts.h"
#include "sidecar/base/millis.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::int64_t kStart = 1'800'000'000'000;
constexpr std::int64_t kPoll = 15 * kMillisPerSecond;

const char* const kJob = "job-id-1";

Finding MakeFinding(const std::string& code, Severity severity = Severity::kWarning,
                    const std::string& state = "groupAggregateState") {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.job = "totals";
  finding.job_id = kJob;
  finding.vertex_id = "vertex-1";
  finding.operator_label = "GroupAggregate[5]";
  finding.state = state;
  finding.message = "It grows by 12 KiB/s.";
  return finding;
}

// Polls a book; time passes by itself.
class AlertBookTest : public testing::Test {
 protected:
  AlertBookTest() {
    report_ = ReportOf({OneOperatorJob("totals", kJob)});
    report_.cluster = "eu";
    report_.findings.clear();
    report_.plans_unreadable = 0;
    report_.health.up = true;
    report_.health.stale = false;
  }

  // "name/severity" of what is posted now, "-" before what is resolved.
  std::vector<std::string> Post() {
    if (report_.health.up && !poll_hangs_) report_.health.last_success_ms = now_;
    posted_ = book_.Update(report_, stats_, now_);
    std::vector<std::string> names;
    for (const Alert& alert : posted_) {
      names.push_back((alert.ends_ms <= now_ ? "-" : "") +
                      std::string(LabelOf(alert.labels, "alertname")) + "/" +
                      std::string(LabelOf(alert.labels, "severity")));
    }
    return names;
  }

  // Polls for `millis`; what the last poll posted. Any earlier post is a failure.
  std::vector<std::string> QuietFor(std::int64_t millis) {
    const std::int64_t end = now_ + millis;
    while (now_ < end) {
      EXPECT_THAT(Post(), IsEmpty()) << (now_ - kStart) / kMillisPerSecond << " s";
      now_ += kPoll;
    }
    return Post();
  }
  // Polls for `millis`, whatever is posted; what the last poll posted.
  std::vector<std::string> After(std::int64_t millis) {
    for (const std::int64_t end = now_ + millis; now_ < end; now_ += kPoll) Post();
    return Post();
  }

  Report report_;
  SidecarStats stats_;
  std::int64_t now_ = kStart;
  bool poll_hangs_ = false;
  std::vector<Alert> posted_;
  AlertBook book_{{"pod-1:9249", "https://wiki.test/runbooks", kPoll}};
};

TEST_F(AlertBookTest, FiresWhenTheFindingHasStood) {
  report_.findings = {MakeFinding("forever-state")};
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateKeptForever/warning"));
  ASSERT_EQ(posted_.size(), 1U);
  const Alert& alert = posted_[0];
  EXPECT_EQ(alert.starts_ms, kStart + 15 * kMillisPerMinute);
  EXPECT_EQ(alert.ends_ms, now_ + 4 * kMillisPerMinute);
  EXPECT_EQ(alert.labels, (AlertPairs{{"alertname", "FlinkStateKeptForever"},
                                      {"severity", "warning"},
                                      {"cluster", "eu"},
                                      {"flink_job", "totals"},
                                      {"job_id", kJob},
                                      {"vertex_id", "vertex-1"},
                                      {"operator", "GroupAggregate[5]"},
                                      {"state", "groupAggregateState"},
                                      {"code", "forever-state"}}));
  EXPECT_EQ(alert.annotations,
            (AlertPairs{{"summary",
                         "State is kept for ever, and it grows: groupAggregateState of "
                         "GroupAggregate[5] of job totals on cluster eu."},
                        {"description", "It grows by 12 KiB/s."},
                        {"runbook_url", "https://wiki.test/runbooks/FlinkStateKeptForever.md"}}));
}

TEST_F(AlertBookTest, EndsLaterWherePollsAreRare) {
  AlertBook book({"", "", 5 * kMillisPerMinute});
  report_.findings = {MakeFinding("plan-missing")};
  const auto poll = [&] {
    report_.health.last_success_ms = now_;
    return book.Update(report_, stats_, now_);
  };
  for (; now_ < kStart + 60 * kMillisPerMinute; now_ += 5 * kMillisPerMinute)
    EXPECT_THAT(poll(), IsEmpty());
  const std::vector<Alert> alerts = poll();
  ASSERT_EQ(alerts.size(), 1U);
  EXPECT_EQ(alerts[0].ends_ms, now_ + 20 * kMillisPerMinute);
  EXPECT_EQ(LabelOf(alerts[0].annotations, "runbook_url"), "");
}

TEST_F(AlertBookTest, IsToldAgainEveryMinute) {
  report_.findings = {MakeFinding("forever-state")};
  QuietFor(15 * kMillisPerMinute);
  for (int minute = 0; minute < 3; ++minute) {
    now_ += kPoll;
    EXPECT_THAT(QuietFor(kMillisPerMinute - kPoll), ElementsAre("FlinkStateKeptForever/warning"));
    EXPECT_EQ(posted_[0].starts_ms, kStart + 15 * kMillisPerMinute);
    EXPECT_EQ(posted_[0].ends_ms, now_ + 4 * kMillisPerMinute);
  }
}

TEST_F(AlertBookTest, TheSentenceIsTheLatest) {
  report_.findings = {MakeFinding("forever-state")};
  QuietFor(15 * kMillisPerMinute);
  report_.findings[0].message = "It grows by 99 KiB/s.";
  now_ += kMillisPerMinute;
  Post();
  ASSERT_EQ(posted_.size(), 1U);
  EXPECT_EQ(LabelOf(posted_[0].annotations, "description"), "It grows by 99 KiB/s.");
}

TEST_F(AlertBookTest, IsResolvedAtOnceAndToldForAQuarterOfAnHour) {
  report_.findings = {MakeFinding("forever-state")};
  QuietFor(15 * kMillisPerMinute);
  report_.findings.clear();
  now_ += kPoll;
  const std::int64_t over = now_;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateKeptForever/warning"));
  int told = 0;
  while (now_ < over + 20 * kMillisPerMinute) {
    now_ += kPoll;
    const auto names = Post();
    if (names.empty()) continue;
    ++told;
    EXPECT_EQ(posted_[0].ends_ms, over);
    EXPECT_LE(now_, over + 15 * kMillisPerMinute);
  }
  EXPECT_EQ(told, 15);
}

TEST_F(AlertBookTest, WhatComesBackWaitsAnew) {
  report_.findings = {MakeFinding("forever-state")};
  QuietFor(15 * kMillisPerMinute);
  const std::vector<Finding> findings = std::exchange(report_.findings, {});
  now_ += kPoll;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateKeptForever/warning"));
  report_.findings = findings;
  now_ += kPoll;
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateKeptForever/warning"));
  EXPECT_EQ(posted_[0].starts_ms, now_);
}

TEST_F(AlertBookTest, AFindingAtItsThresholdFires) {
  const Finding finding = MakeFinding("forever-state");
  for (; now_ < kStart + 15 * kMillisPerMinute; now_ += 5 * kMillisPerMinute) {
    report_.findings = {finding};
    EXPECT_THAT(Post(), IsEmpty());
    report_.findings.clear();
    now_ += kPoll;
    EXPECT_THAT(Post(), IsEmpty());
    now_ -= kPoll;
  }
  report_.findings = {finding};
  EXPECT_THAT(Post(), ElementsAre("FlinkStateKeptForever/warning"));
}

TEST_F(AlertBookTest, OneSampleRaisesNothing) {
  report_.findings = {MakeFinding("forever-state")};
  Post();
  const std::vector<Finding> findings = std::exchange(report_.findings, {});
  now_ += kPoll;
  EXPECT_THAT(QuietFor(11 * kMillisPerMinute), IsEmpty());
  report_.findings = findings;  // beyond the look back: its wait begins now
  EXPECT_THAT(QuietFor(14 * kMillisPerMinute), IsEmpty());
}

TEST_F(AlertBookTest, InfoRaisesNothing) {
  report_.findings = {MakeFinding("forever-state", Severity::kInfo),
                      MakeFinding("unknown-operator", Severity::kWarning)};
  EXPECT_THAT(QuietFor(120 * kMillisPerMinute), IsEmpty());
}

TEST_F(AlertBookTest, SeverityOfTheAlertIsTheTables) {
  report_.findings = {MakeFinding("ttl-drift", Severity::kCritical)};
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateTtlDrift/warning"));
  report_.findings = {MakeFinding("ttl-drift", Severity::kWarning)};
  now_ += kMillisPerMinute;
  EXPECT_THAT(Post(), ElementsAre("FlinkStateTtlDrift/warning"));  // the same alert, still standing
}

TEST_F(AlertBookTest, AnAcknowledgementResolvesAtOnceAndHolds) {
  report_.findings = {MakeFinding("forever-state"), MakeFinding("plan-missing")};
  QuietFor(15 * kMillisPerMinute);
  report_.findings[0].acknowledged = true;
  report_.findings[1].acknowledged = true;  // waits still
  now_ += kPoll;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateKeptForever/warning"));
  now_ += 16 * kMillisPerMinute;
  EXPECT_THAT(QuietFor(120 * kMillisPerMinute), IsEmpty());
  report_.findings[0].acknowledged = false;  // its end date has come
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateKeptForever/warning"));
}

TEST_F(AlertBookTest, AnAcknowledgedFindingExcludesNone) {
  report_.findings = {MakeFinding("forever-state"), MakeFinding("state-growing")};
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateKeptForever/warning"));
  report_.findings[0].acknowledged = true;
  now_ += kPoll;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateKeptForever/warning"));
  EXPECT_THAT(After(16 * kMillisPerMinute), IsEmpty());
  EXPECT_THAT(After(kMillisPerMinute), testing::SizeIs(testing::Le(1)));
  bool growing = false;
  for (int poll = 0; poll < 5; ++poll, now_ += kPoll) {
    for (const std::string& name : Post()) growing |= name == "FlinkStateGrowing/warning";
  }
  EXPECT_TRUE(growing);
}

TEST_F(AlertBookTest, AStaleReportNeitherFiresNorResolves) {
  report_.findings = {MakeFinding("forever-state", Severity::kWarning, "old")};
  QuietFor(15 * kMillisPerMinute);
  const std::int64_t fired = now_;
  report_.findings.push_back(MakeFinding("forever-state", Severity::kWarning, "young"));
  now_ += kPoll;
  Post();
  // Unreachable: the numbers are of the last poll; the report could even be empty.
  report_.health.up = false;
  report_.health.stale = true;
  for (; now_ < fired + 9 * kMillisPerMinute; now_ += kPoll) {
    for (const std::string& name : Post()) EXPECT_EQ(name, "FlinkStateKeptForever/warning");
    for (const Alert& alert : posted_) EXPECT_EQ(LabelOf(alert.labels, "state"), "old");
  }
  report_.findings.clear();
  for (; now_ < fired + 40 * kMillisPerMinute; now_ += kPoll) {
    for (const std::string& name : Post()) EXPECT_THAT(name, testing::Not(HasSubstr("-")));
  }
  report_.health.up = true;
  report_.health.stale = false;
  EXPECT_THAT(Post(), UnorderedElementsAre("-FlinkStateKeptForever/warning",
                                           "-FlinkStateJobManagerUnreachable/critical"));
}

TEST_F(AlertBookTest, AJobThatEndsTakesItsAlertsAlong) {
  report_.findings = {MakeFinding("forever-state")};
  QuietFor(15 * kMillisPerMinute);
  report_.jobs[0].terminal = true;
  now_ += kPoll;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateKeptForever/warning"));
}

TEST_F(AlertBookTest, ATicketStandsUntilThePageTakesItsPlace) {
  report_.findings = {MakeFinding("capacity")};
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateFillsUp/warning"));
  report_.findings = {MakeFinding("capacity", Severity::kCritical)};
  const std::int64_t turned = now_ += kPoll;
  for (; now_ < turned + 12 * kMillisPerMinute; now_ += kPoll) {
    for (const std::string& name : Post()) EXPECT_EQ(name, "FlinkStateFillsUp/warning");
  }
  EXPECT_THAT(Post(),
              UnorderedElementsAre("FlinkStateFillsUp/critical", "-FlinkStateFillsUp/warning"));
}

TEST_F(AlertBookTest, OneCauseIsOnePage) {
  report_.findings = {MakeFinding("forever-state", Severity::kCritical),
                      MakeFinding("heap-pressure", Severity::kCritical)};
  EXPECT_THAT(QuietFor(12 * kMillisPerMinute), ElementsAre("FlinkStateHeapPressure/critical"));
  EXPECT_THAT(After(kMillisPerMinute), ElementsAre("FlinkStateHeapPressure/critical"));
}

TEST_F(AlertBookTest, ExclusionsKeepToTheirSeverityJobAndOperator) {
  Finding other_operator = MakeFinding("forever-state");
  other_operator.operator_label = "Join[19]";
  Finding other_job = MakeFinding("checkpoint-failing", Severity::kCritical);
  other_job.job_id = "job-id-2";
  report_.jobs.push_back(OneOperatorJob("other", "job-id-2"));
  report_.findings = {MakeFinding("state-growing"), other_operator, other_job,
                      MakeFinding("checkpoint-stale", Severity::kCritical)};
  EXPECT_THAT(QuietFor(12 * kMillisPerMinute),
              UnorderedElementsAre("FlinkStateCheckpointFailing/critical",
                                   "FlinkStateCheckpointStale/critical"));
  now_ += 3 * kMillisPerMinute;
  EXPECT_THAT(Post(), testing::IsSupersetOf(
                          {"FlinkStateGrowing/warning", "FlinkStateKeptForever/warning"}));
}

TEST_F(AlertBookTest, AnExcludedAlertIsResolvedAndToldSo) {
  report_.findings = {MakeFinding("state-growing")};
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute), ElementsAre("FlinkStateGrowing/warning"));
  report_.findings.push_back(MakeFinding("growing-past-ttl"));
  now_ += kPoll;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateGrowing/warning"));
  now_ += kPoll;
  EXPECT_THAT(QuietFor(kMillisPerMinute - kPoll), ElementsAre("-FlinkStateGrowing/warning"));
}

TEST_F(AlertBookTest, ARestartGoesOnWhereItsHistorySays) {
  report_.findings = {MakeFinding("forever-state")};
  report_.findings[0].first_seen_ms = kStart - 60 * kMillisPerMinute;
  EXPECT_THAT(Post(), ElementsAre("FlinkStateKeptForever/warning"));
  EXPECT_EQ(posted_[0].starts_ms, kStart - 45 * kMillisPerMinute);
}

TEST_F(AlertBookTest, LaterOnFirstSeenSaysNothingOfASeverity) {
  EXPECT_THAT(Post(), IsEmpty());
  report_.findings = {MakeFinding("forever-state")};
  report_.findings[0].first_seen_ms = kStart - 60 * kMillisPerMinute;
  EXPECT_THAT(QuietFor(14 * kMillisPerMinute), IsEmpty());
}

TEST_F(AlertBookTest, TheClockMayGoBack) {
  report_.findings = {MakeFinding("forever-state")};
  QuietFor(15 * kMillisPerMinute);
  now_ -= 60 * kMillisPerMinute;
  Post();
  EXPECT_THAT(After(kMillisPerMinute), ElementsAre("FlinkStateKeptForever/warning"));
}

TEST_F(AlertBookTest, EqualLabelsAreOneAlert) {
  Finding twin = MakeFinding("forever-state");
  twin.node_id = 7;
  report_.findings = {MakeFinding("forever-state"), twin};
  EXPECT_EQ(QuietFor(15 * kMillisPerMinute).size(), 1U);
}

TEST_F(AlertBookTest, HostileNamesAreCutAsInMetrics) {
  Finding finding = MakeFinding("forever-state");
  finding.job = std::string(1'000, 'x') + "\n\x01";
  finding.message = "broken \xFF\nlines " + std::string(10'000, 'y');
  report_.findings = {finding};
  ASSERT_EQ(QuietFor(15 * kMillisPerMinute).size(), 1U);
  EXPECT_EQ(LabelOf(posted_[0].labels, "flink_job"), std::string(128, 'x'));
  const std::string_view text = LabelOf(posted_[0].annotations, "description");
  EXPECT_LE(text.size(), 2'048U);
  EXPECT_EQ(text.find('\n'), std::string_view::npos);
}

// --- the sidecar itself ---

TEST_F(AlertBookTest, AnUnreachableJobManagerWakes) {
  Post();
  now_ += kPoll;
  report_.health.up = false;
  report_.health.last_error = "connection refused";
  EXPECT_THAT(QuietFor(10 * kMillisPerMinute),
              ElementsAre("FlinkStateJobManagerUnreachable/critical"));
  EXPECT_EQ(LabelOf(posted_[0].labels, "cluster"), "eu");
  EXPECT_EQ(LabelOf(posted_[0].labels, "instance"), "");
  EXPECT_THAT(std::string(LabelOf(posted_[0].annotations, "description")),
              HasSubstr("the last answer came 10 min ago (connection refused)"));
  report_.health.up = true;
  now_ += kPoll;
  EXPECT_THAT(Post(), ElementsAre("-FlinkStateJobManagerUnreachable/critical"));
}

TEST_F(AlertBookTest, OneGoodPollBeginsTheWaitAnew) {
  report_.health.up = false;
  EXPECT_THAT(QuietFor(9 * kMillisPerMinute), IsEmpty());
  report_.health.up = true;
  EXPECT_THAT(Post(), IsEmpty());
  report_.health.up = false;
  now_ += kPoll;
  EXPECT_THAT(QuietFor(9 * kMillisPerMinute), IsEmpty());
}

TEST_F(AlertBookTest, APollThatHangsIsStale) {
  Post();
  poll_hangs_ = true;
  EXPECT_THAT(QuietFor(15 * kMillisPerMinute + kPoll),
              ElementsAre("FlinkStateReportStale/warning"));
  EXPECT_EQ(LabelOf(posted_[0].labels, "instance"), "pod-1:9249");
}

TEST_F(AlertBookTest, RarePollsAreNotStale) {
  AlertBook book({"", "", 20 * kMillisPerMinute});
  report_.health.last_success_ms = now_;
  for (; now_ < kStart + 60 * kMillisPerMinute; now_ += kMillisPerMinute) {
    EXPECT_THAT(book.Update(report_, stats_, now_), IsEmpty());
  }
}

TEST_F(AlertBookTest, FailingRequestsAreATicket) {
  const auto poll_failing = [&](std::uint64_t good, std::uint64_t bad) {
    stats_.rest_requests["2xx"] += good;
    stats_.rest_requests["4xx"] += 5;
    stats_.rest_requests["timeout"] += bad;
    now_ += kPoll;
    return Post();
  };
  for (int poll = 0; poll < 120; ++poll) EXPECT_THAT(poll_failing(15, 2), IsEmpty());  // 9%
  std::vector<std::string> names;
  int polls = 0;
  for (; names.empty() && polls < 240; ++polls) names = poll_failing(14, 6);  // 24%
  EXPECT_THAT(names, ElementsAre("FlinkStatePollsFailing/warning"));
  EXPECT_GT(polls, 60);  // 15 min at least
  EXPECT_EQ(LabelOf(posted_[0].labels, "reason"), "requests");
  for (names.clear(), polls = 0; polls < 100; ++polls) {
    for (const std::string& name : poll_failing(20, 0)) names.push_back(name);
  }
  EXPECT_THAT(names, testing::Contains("-FlinkStatePollsFailing/warning"));
}

TEST_F(AlertBookTest, UnreadablePlansAndFailingCollectorsAreTickets) {
  report_.plans_unreadable = 2;
  stats_.collector_success = {{"flink", false}, {"plans", false}, {"history", true}};
  EXPECT_THAT(QuietFor(20 * kMillisPerMinute),
              UnorderedElementsAre("FlinkStatePlansUnreadable/warning",
                                   "FlinkStateCollectorFailing/warning"));
  for (const Alert& alert : posted_) {
    if (LabelOf(alert.labels, "alertname") == "FlinkStateCollectorFailing") {
      EXPECT_EQ(LabelOf(alert.labels, "collector"), "plans");
    } else {
      EXPECT_THAT(std::string(LabelOf(alert.annotations, "description")), HasSubstr("2 file(s)"));
    }
  }
}

}  // namespace
}  // namespace fss
