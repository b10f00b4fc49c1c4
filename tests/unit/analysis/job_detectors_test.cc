// The detectors that look at a running job: plan-*, checkpoint-failing, checkpoint-stale.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/analysis/checkpoint_failing_detector.h"
#include "sidecar/analysis/checkpoint_stale_detector.h"
#include "sidecar/analysis/plan_match_detector.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::Totals;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

template <typename Detector>
std::vector<Finding> Inspect(const JobSnapshot& job, const JobLink& link = {},
                             bool plans_configured = true) {
  std::vector<Finding> findings;
  Detector().Inspect({job, link, nullptr, "2.3.0", plans_configured, {}, {}}, &findings);
  return findings;
}

TEST(PlanMatchDetectorTest, AStatefulJobWithoutPlan) {
  const auto job = sample::Start(Totals("t.json", 0), "totals");
  auto findings = Inspect<PlanMatchDetector>(job);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "plan-missing");
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_THAT(findings[0].message, HasSubstr("for how long GroupAggregate[4] keeps state"));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("    COMPILE PLAN 'file:///"));
  // Nobody gave a folder: then it is only a remark.
  findings = Inspect<PlanMatchDetector>(job, {}, false);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::kInfo);
}

TEST(PlanMatchDetectorTest, JobsWithoutKeyedStateMissNoPlan) {
  sample::PlanBuilder builder("filter.json");
  builder.Sink(builder.Calc(builder.Source("orders", "a"), "a"), "s");
  EXPECT_THAT(Inspect<PlanMatchDetector>(sample::Start(builder.Build(), "filter")), IsEmpty());
  EXPECT_THAT(Inspect<PlanMatchDetector>(JobSnapshot{}), IsEmpty());
  // A lookup join keeps nothing, unless it materialises.
  builder.Sink(builder.Add("lookup-join", "LookupJoin(table=[c.d.t], joinType=[InnerJoin])", {2}),
               "s2");
  EXPECT_THAT(Inspect<PlanMatchDetector>(sample::Start(builder.Build(), "lookup")), IsEmpty());
}

TEST(PlanMatchDetectorTest, OperatorsCleanedByWatermarkAreNotSaidToBeKept) {
  sample::PlanBuilder builder("window.json");
  const auto exchange = builder.Exchange(builder.Source("orders", "a"), "a");
  builder.Add("window-aggregate", "WindowAggregate(window=[TUMBLE(size=[10 s])])", {exchange});
  const auto findings = Inspect<PlanMatchDetector>(sample::Start(builder.Build(), "window"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("known by name alone"), Not(HasSubstr("for how long"))));
}

TEST(PlanMatchDetectorTest, AmbiguityIsSevereOnlyWhereTtlsDiffer) {
  JobSnapshot job;
  job.name = "totals";
  JobLink link;
  link.outcome = JobLink::Outcome::kAmbiguous;
  link.candidates = {"a.json", "b.json"};
  link.plan_file = "a.json";
  auto findings = Inspect<PlanMatchDetector>(job, link);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "plan-ambiguous");
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_THAT(findings[0].message, HasSubstr("a.json, b.json"));
  link.candidates_agree = true;
  findings = Inspect<PlanMatchDetector>(job, link);
  EXPECT_EQ(findings.at(0).severity, Severity::kInfo);
}

TEST(PlanMatchDetectorTest, DriftNamesWhatDoesNotFit) {
  JobLink link;
  link.outcome = JobLink::Outcome::kDrifted;
  link.plan_file = "t.json";
  link.details = {"Join[7] runs as A, the plan has B", "Rank[9] of the plan does not run"};
  const auto findings = Inspect<PlanMatchDetector>(JobSnapshot{}, link);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "plan-drift");
  EXPECT_EQ(findings[0].plan, "t.json");
  EXPECT_THAT(findings[0].message, HasSubstr("Join[7] runs as A"));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("    Rank[9] of the plan does not run\n"));
}

TEST(PlanMatchDetectorTest, AMatchedJobIsFine) {
  JobLink link;
  link.outcome = JobLink::Outcome::kMatched;
  EXPECT_THAT(Inspect<PlanMatchDetector>(sample::Start(Totals("t.json", 0), "t"), link), IsEmpty());
}

// A job that has completed checkpoint 41 at 100 min and is asked at `now`.
JobSnapshot Checkpointed(std::int64_t now = 100 * kMillisPerMinute) {
  JobSnapshot job;
  job.state = "RUNNING";
  job.start_ms = 1000;
  job.jobmanager_now_ms = now;
  job.config.emplace();
  job.config->interval_ms = kMillisPerMinute;
  job.config->timeout_ms = 10 * kMillisPerMinute;
  job.counts = CheckpointCounts{41, 0, 0, 0};
  job.latest.emplace();
  job.latest->id = 41;
  job.latest->trigger_ms = 100 * kMillisPerMinute - 1000;
  job.latest->completed_ms = 100 * kMillisPerMinute;
  return job;
}

TEST(CheckpointFailingDetectorTest, SeverityFollowsTheRow) {
  auto job = Checkpointed();
  EXPECT_THAT(Inspect<CheckpointFailingDetector>(job), IsEmpty());
  job.latest_failed = FailedCheckpoint{42, 0, 0, "Checkpoint expired before completing."};
  const std::vector<std::pair<int, Severity>> rows = {{1, Severity::kInfo},
                                                      {kFailuresToWarn, Severity::kWarning},
                                                      {kFailuresToAlarm, Severity::kCritical}};
  for (const auto& [failures, severity] : rows) {
    job.failed_since_completed = failures;
    const auto findings = Inspect<CheckpointFailingDetector>(job);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].code, "checkpoint-failing");
    EXPECT_EQ(findings[0].severity, severity) << failures;
    EXPECT_THAT(findings[0].message, AllOf(HasSubstr("after checkpoint 41 had completed"),
                                           HasSubstr("Checkpoint expired before completing.")));
  }
}

TEST(CheckpointFailingDetectorTest, OldFailuresAreHistory) {
  auto job = Checkpointed();
  job.counts->failed = 17;
  EXPECT_THAT(Inspect<CheckpointFailingDetector>(job), IsEmpty());
}

TEST(CheckpointFailingDetectorTest, NoneHasCompleted) {
  auto job = Checkpointed();
  job.latest.reset();
  job.counts = CheckpointCounts{0, 1, 0, 0};
  // Counted, but in no history: triggered before all tasks ran.
  EXPECT_THAT(Inspect<CheckpointFailingDetector>(job), IsEmpty());
  job.failed_since_completed = 1;
  auto findings = Inspect<CheckpointFailingDetector>(job);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_THAT(findings[0].message, HasSubstr("none has completed since the job started"));
  // The history holds ten; the counter knows of more.
  job.failed_since_completed = 3;
  job.counts->failed = 500;
  findings = Inspect<CheckpointFailingDetector>(job);
  EXPECT_EQ(findings.at(0).severity, Severity::kCritical);
  EXPECT_THAT(findings[0].message, HasSubstr("The last 500 checkpoints failed"));
}

TEST(CheckpointStaleDetectorTest, SeveralIntervalsWithoutOne) {
  const std::int64_t limit = kStaleIntervals * kMillisPerMinute;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(Checkpointed(100 * kMillisPerMinute + limit)),
              IsEmpty());
  const auto findings =
      Inspect<CheckpointStaleDetector>(Checkpointed(100 * kMillisPerMinute + limit + 1));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "checkpoint-stale");
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("for 5 min"), HasSubstr("every 1 min"), HasSubstr("last was 41")));
  EXPECT_EQ(Inspect<CheckpointStaleDetector>(Checkpointed(5 * kMillisPerHour)).at(0).severity,
            Severity::kCritical);
}

TEST(CheckpointStaleDetectorTest, ShortIntervalsHaveAFloor) {
  auto job = Checkpointed(100 * kMillisPerMinute + kStaleFloorMs);
  job.config->interval_ms = 1000;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job.jobmanager_now_ms = *job.jobmanager_now_ms + 1;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), SizeIs(1));
}

TEST(CheckpointStaleDetectorTest, SlowCheckpointsAndOnesInProgressGetTheirTime) {
  auto job = Checkpointed(109 * kMillisPerMinute);
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), SizeIs(1));
  job.counts->in_progress = 1;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job.counts->in_progress = 0;
  job.latest->trigger_ms = 97 * kMillisPerMinute;  // it took three intervals
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
}

TEST(CheckpointStaleDetectorTest, ARestoreOrASavepointStartsTheWaitAnew) {
  auto job = Checkpointed(150 * kMillisPerMinute);
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), SizeIs(1));
  auto restored = job;
  restored.latest_restored = RestoredCheckpoint{41, 149 * kMillisPerMinute, false, ""};
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(restored), IsEmpty());
  auto saved = job;
  saved.history.push_back(*saved.latest);
  saved.history.back().savepoint = true;
  saved.history.back().completed_ms = 149 * kMillisPerMinute;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(saved), IsEmpty());
}

TEST(CheckpointStaleDetectorTest, AJobThatNeverCompletedOneSaysHowManyTasksRun) {
  auto job = Checkpointed(30 * kMillisPerMinute);
  job.latest.reset();
  job.tasks_total = 50;
  job.tasks_running = 0;
  const auto findings = Inspect<CheckpointStaleDetector>(job);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("since the job started"), HasSubstr("0 of 50 tasks run")));
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("TaskManagers"));
}

TEST(CheckpointStaleDetectorTest, WhatCannotBeJudgedIsNot) {
  const auto base = Checkpointed(5 * kMillisPerHour);
  auto job = base;
  job.config->interval_ms.reset();  // checkpointing is off
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job = base;
  job.config->interval_ms = 9'223'372'036'854'775'807;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job = base;
  job.config.reset();
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job = base;
  job.jobmanager_now_ms.reset();
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job = base;
  job.state = "RESTARTING";
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job = base;
  job.jobmanager_now_ms = 5;  // a clock that went back
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), IsEmpty());
  job = base;
  job.latest->trigger_ms = -9'000'000'000'000'000'000;
  EXPECT_THAT(Inspect<CheckpointStaleDetector>(job), SizeIs(1));
}

}  // namespace
}  // namespace fss
