// The detectors that look at a running job's sizes: state-growing, growing-past-ttl, capacity,
// heap-pressure, state-skew, and what forever-state says of a running job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/capacity_detector.h"
#include "sidecar/analysis/evaluator.h"
#include "sidecar/analysis/forever_state_detector.h"
#include "sidecar/analysis/growing_past_ttl_detector.h"
#include "sidecar/analysis/heap_pressure_detector.h"
#include "sidecar/analysis/state_growing_detector.h"
#include "sidecar/analysis/state_skew_detector.h"
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

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kDaySeconds = 24 * 3600;

OperatorReport Operator(Cleanup cleanup, const std::vector<std::string>& entries,
                        std::optional<std::int64_t> ttl_ms) {
  OperatorReport op;
  op.vertex_id = "v1";
  op.label = "Join[19]";
  op.kind = "join";
  op.cleanup = cleanup;
  op.size_bytes = 100 * kMebibyte;
  for (const std::string& name : entries) {
    EntryReport& entry = op.state.emplace_back();
    entry.name = name;
    entry.ttl_ms = ttl_ms;
  }
  return op;
}

OperatorReport Rising(OperatorReport op, double rate = 2048) {
  op.trend = {Verdict::kGrowing, false, true, rate, 100.0 * kMebibyte, std::nullopt};
  return op;
}

template <typename Detector>
std::vector<Finding> Inspect(const JobReport& report, const Thresholds& thresholds = {},
                             const std::string& backend = "EmbeddedRocksDBStateBackend",
                             const std::string& version = "2.3.0") {
  JobSnapshot job;
  job.config = CheckpointConfig{};
  job.config->state_backend = backend;
  std::vector<Finding> findings;
  Detector().Inspect({job, {}, nullptr, version, true, report, thresholds}, &findings);
  return findings;
}

JobReport JobOf(OperatorReport op) {
  JobReport report;
  report.operators.push_back(std::move(op));
  return report;
}

TEST(StateGrowing, AForeverEntryThatGrows) {
  const auto findings = Inspect<StateGrowingDetector>(
      JobOf(Rising(Operator(Cleanup::kTtl, {"groupAggregateState"}, 0))));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "state-growing");
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_EQ(findings[0].state, "groupAggregateState");
  EXPECT_EQ(findings[0].message,
            "groupAggregateState of Join[19] grows by 2 KiB/s (100 MiB now), and nothing will stop "
            "it: groupAggregateState is kept for ever (TTL 0).");
  EXPECT_THAT(findings[0].advice.Text(),
              HasSubstr("7 MiB under a TTL of an hour, 169 MiB under a day"));
}

TEST(StateGrowing, TheInputOfAJoinThatGrowsIsNamed) {
  OperatorReport op = Rising(Operator(Cleanup::kTtl, {"leftState", "rightState"}, 0));
  op.state[1].trend = op.trend;
  op.state[1].live_bytes = 60 * kMebibyte;
  op.state[0].trend.verdict = Verdict::kFlat;
  op.state[0].trend.bytes_per_second = 0;
  const auto findings = Inspect<StateGrowingDetector>(JobOf(op));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].state, "rightState");
  EXPECT_THAT(findings[0].message,
              HasSubstr("rightState of Join[19] grows by 2 KiB/s (60 MiB now)"));
}

TEST(StateGrowing, WhyNothingStopsItDependsOnTheKind) {
  const auto message = [](Cleanup cleanup) {
    const auto findings = Inspect<StateGrowingDetector>(JobOf(Rising(Operator(cleanup, {}, {}))));
    return findings.empty() ? std::string()
                            : findings[0].message + "\n" + findings[0].advice.Text();
  };
  EXPECT_THAT(message(Cleanup::kWatermark),
              AllOf(HasSubstr("watermark"), HasSubstr("table.exec.source.idle-timeout")));
  EXPECT_THAT(message(Cleanup::kConnector), HasSubstr("connector's own state"));
  EXPECT_THAT(message(Cleanup::kUnknown), HasSubstr("not known"));
  EXPECT_THAT(message(Cleanup::kTtl), AllOf(HasSubstr("TTL"), HasSubstr("COMPILE PLAN")));
}

TEST(StateGrowing, NothingOfWhatIsFlatFillsOrIsPastItsTtl) {
  OperatorReport op = Rising(Operator(Cleanup::kTtl, {"leftState"}, kMillisPerHour));
  op.trend.past_ttl = true;
  EXPECT_THAT(Inspect<StateGrowingDetector>(JobOf(op)), IsEmpty());
  for (const Verdict verdict :
       {Verdict::kFlat, Verdict::kFilling, Verdict::kShrinking, Verdict::kUnknown}) {
    op.trend.verdict = verdict;
    EXPECT_THAT(Inspect<StateGrowingDetector>(JobOf(op)), IsEmpty());
  }
}

TEST(StateGrowing, AWindowThatShouldHaveClosedGrows) {
  OperatorReport op = Rising(Operator(Cleanup::kWatermark, {}, {}));
  op.trend.past_ttl = true;
  EXPECT_THAT(Inspect<StateGrowingDetector>(JobOf(op)), SizeIs(1));
  EXPECT_THAT(Inspect<GrowingPastTtlDetector>(JobOf(op)), IsEmpty());
}

TEST(GrowingPastTtl, SaysTheTtlAndWhatTheBackendDoes) {
  OperatorReport op = Rising(Operator(Cleanup::kTtl, {"leftState", "rightState"}, kMillisPerHour));
  op.trend.past_ttl = true;
  op.state[1].ttl_ms = 2 * kMillisPerHour;
  auto findings = Inspect<GrowingPastTtlDetector>(JobOf(op));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].code, "growing-past-ttl");
  EXPECT_EQ(findings[0].message,
            "Join[19] grows by 2 KiB/s (100 MiB now) although its TTL of 2 h and the time to clean "
            "up have passed.");
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("periodic-compaction-time"));
  // An option that 1.20 does not have.
  findings =
      Inspect<GrowingPastTtlDetector>(JobOf(op), {}, "EmbeddedRocksDBStateBackend", "1.20.5");
  EXPECT_THAT(findings[0].advice.Text(), AllOf(HasSubstr("compacts"), Not(HasSubstr("periodic"))));
  findings = Inspect<GrowingPastTtlDetector>(JobOf(op), {}, "HashMapStateBackend");
  EXPECT_THAT(findings[0].advice.Text(),
              AllOf(HasSubstr("On the heap"), Not(HasSubstr("RocksDB"))));
  op.trend.past_ttl = false;
  EXPECT_THAT(Inspect<GrowingPastTtlDetector>(JobOf(op)), IsEmpty());
}

OperatorReport FullIn(std::int64_t seconds, FullOf what) {
  OperatorReport op = Rising(Operator(Cleanup::kTtl, {"leftState"}, 0));
  op.seconds_until_full = seconds;
  op.full_of = what;
  return op;
}

TEST(Capacity, SeverityByTheTimeLeft) {
  const auto severity = [](std::int64_t seconds) {
    const auto findings = Inspect<CapacityDetector>(JobOf(FullIn(seconds, FullOf::kDisk)));
    return findings.empty() ? std::optional<Severity>() : findings[0].severity;
  };
  EXPECT_EQ(severity(3600), Severity::kCritical);
  EXPECT_EQ(severity(kDaySeconds - 1), Severity::kCritical);
  EXPECT_EQ(severity(kDaySeconds), Severity::kWarning);
  EXPECT_EQ(severity(7 * kDaySeconds), std::nullopt);
  Thresholds thresholds;
  thresholds.capacity_warning_ms = 1800 * 1000;
  EXPECT_THAT(Inspect<CapacityDetector>(JobOf(FullIn(3600, FullOf::kDisk)), thresholds), IsEmpty());
}

TEST(Capacity, NamesThePlaceThatFills) {
  JobReport job = JobOf(FullIn(7200, FullOf::kHeap));
  job.heap = HeapReport{"tm-1", 3000 * kMebibyte, 4096 * kMebibyte, 300 * kMebibyte, 9.2};
  auto findings = Inspect<CapacityDetector>(job);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message,
            "The heap of TaskManager tm-1 (2.9 GiB of 4 GiB in use after collections) will be full "
            "in 2 h at the present rate: leftState of Join[19] grows by 2 KiB/s (100 MiB now).");
  EXPECT_THAT(findings[0].advice.Text(), HasSubstr("takes 9 bytes of heap"));
  job = JobOf(FullIn(0, FullOf::kJobLimit));
  job.state_limit_bytes = 100 * kMebibyte;
  findings = Inspect<CapacityDetector>(job);
  EXPECT_THAT(findings[0].message, HasSubstr("The job's limit of 100 MiB is full"));
  EXPECT_EQ(findings[0].severity, Severity::kCritical);
}

TEST(Capacity, WhoAddsLittleIsNotNamed) {
  JobReport job = JobOf(FullIn(7200, FullOf::kDisk));
  job.operators.push_back(FullIn(7200, FullOf::kDisk));
  job.operators[1].label = "Rank[4]";
  job.operators[1].trend.bytes_per_second = 20;
  EXPECT_THAT(Inspect<CapacityDetector>(job), SizeIs(1));
}

TEST(HeapPressure, BySharesOfTheHeap) {
  JobReport job;
  EXPECT_THAT(Inspect<HeapPressureDetector>(job), IsEmpty());
  job.heap = HeapReport{"tm-1", 600 * kMebibyte, 1000 * kMebibyte, 60 * kMebibyte, std::nullopt};
  EXPECT_THAT(Inspect<HeapPressureDetector>(job), IsEmpty());
  job.heap->floor = 750 * kMebibyte;
  auto findings = Inspect<HeapPressureDetector>(job);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::kWarning);
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("750 MiB of the 1000 MiB heap"),
                    HasSubstr("60 MiB in the checkpoint"), HasSubstr("some 8 to 10 times")));
  job.heap->floor = 950 * kMebibyte;
  job.heap->factor = 11;
  findings = Inspect<HeapPressureDetector>(job);
  EXPECT_EQ(findings[0].severity, Severity::kCritical);
  EXPECT_THAT(findings[0].message, HasSubstr("11 times"));
  // Something else fills this heap: the job's state is a trifle.
  job.heap->state_bytes = kMebibyte;
  EXPECT_THAT(Inspect<HeapPressureDetector>(job), IsEmpty());
}

TEST(StateSkew, FarMoreThanItsShare) {
  OperatorReport op = Operator(Cleanup::kTtl, {"leftState"}, 0);
  op.subtask_bytes = {400 * kMebibyte, 20 * kMebibyte, 20 * kMebibyte, 20 * kMebibyte};
  const auto findings = Inspect<StateSkewDetector>(JobOf(op));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message,
            "One of the 4 subtasks of Join[19] holds 400 MiB, 87 % of its state; the mean is 115 "
            "MiB.");
}

TEST(StateSkew, NothingOfWhatIsEvenSmallOrAlone) {
  OperatorReport op = Operator(Cleanup::kTtl, {"leftState"}, 0);
  for (const std::vector<std::int64_t>& bytes :
       std::vector<std::vector<std::int64_t>>{{},
                                              {400 * kMebibyte},
                                              {100 * kMebibyte, 90 * kMebibyte},
                                              {150 * kMebibyte, 50 * kMebibyte},
                                              {15 * kMebibyte, 1, 1, 1},
                                              {0, 0}}) {
    op.subtask_bytes = bytes;
    EXPECT_THAT(Inspect<StateSkewDetector>(JobOf(op)), IsEmpty());
  }
  op.subtask_bytes = {180 * kMebibyte, 20 * kMebibyte};
  EXPECT_THAT(Inspect<StateSkewDetector>(JobOf(op)), SizeIs(1));
}

class ForeverState : public testing::Test {
 protected:
  Finding Refine(const OperatorReport& op, const Thresholds& thresholds = {}) {
    const CompiledPlan plan = Totals("t.json", 0);
    std::vector<Finding> findings;
    ForeverStateDetector().Inspect({plan, "2.3.0", "EmbeddedRocksDBStateBackend", true}, &findings);
    EXPECT_THAT(findings, SizeIs(1));
    const JobReport report;
    ForeverStateDetector().Refine({JobSnapshot(), {}, &plan, "2.3.0", true, report, thresholds}, op,
                                  &findings[0]);
    return findings[0];
  }

  OperatorReport op_ = Operator(Cleanup::kTtl, {"groupAggregateState"}, 0);
};

TEST_F(ForeverState, FlatAndSmallIsInfo) {
  op_.trend.verdict = Verdict::kFlat;
  op_.trend.bytes_per_second = 0;
  const Finding finding = Refine(op_);
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_THAT(finding.message, HasSubstr("It holds 100 MiB and does not grow."));
  op_.size_bytes = 2048 * kMebibyte;
  EXPECT_EQ(Refine(op_).severity, Severity::kWarning);
  Thresholds thresholds;
  thresholds.large_bytes = 4096 * kMebibyte;
  EXPECT_EQ(Refine(op_, thresholds).severity, Severity::kInfo);
}

TEST_F(ForeverState, GrowingIsAWarningWithNumbersToChooseFrom) {
  const Finding finding = Refine(Rising(op_));
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_THAT(finding.message, HasSubstr("It holds 100 MiB and grows by 2 KiB/s."));
  EXPECT_THAT(finding.advice.Text(),
              HasSubstr("at 2 KiB/s what is added settles near 7 MiB under a TTL of an hour, 169 "
                        "MiB under a day and 1.2 GiB under a week."));
}

TEST_F(ForeverState, AboutToFillItsPlaceIsCritical) {
  OperatorReport op = Rising(op_);
  op.seconds_until_full = 3600;
  EXPECT_EQ(Refine(op).severity, Severity::kCritical);
  EXPECT_THAT(Refine(op).message, HasSubstr("full in 1 h"));
}

TEST_F(ForeverState, AnUnknownTrendIsJudgedAsThePlanIs) {
  const Finding finding = Refine(op_);
  EXPECT_EQ(finding.severity, Severity::kWarning);
  EXPECT_THAT(finding.message, testing::EndsWith("."));
}

TEST_F(ForeverState, AnEntrysOwnTrendGoesBeforeItsOperators) {
  OperatorReport op = Rising(op_);
  op.state.emplace_back().name = "rightState";
  op.state[0].trend.verdict = Verdict::kFlat;
  op.state[0].trend.bytes_per_second = 0;
  op.state[0].live_bytes = 3 * kMebibyte;
  const Finding finding = Refine(op);
  EXPECT_EQ(finding.severity, Severity::kInfo);
  EXPECT_THAT(finding.message, HasSubstr("It holds 3 MiB and does not grow."));
}

TEST(BoundAdvice, RatesForPeople) {
  EXPECT_EQ(FormatRate(0), "0 B/s");
  EXPECT_EQ(FormatRate(0.3), "less than 1 B/s");
  EXPECT_EQ(FormatRate(2150), "2.1 KiB/s");
  EXPECT_EQ(FormatRate(1e30), "7.8 EiB/s");
}

}  // namespace
}  // namespace fss
