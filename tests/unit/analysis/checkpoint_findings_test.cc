// What a job's own checkpoint adds to the report: sizes of single operators, TTL on or off,
// ttl-drift, and forever-state of jobs without a plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sidecar/analysis/evaluator.h"
#include "sidecar/analysis/live_entries.h"
#include "sidecar/base/murmur3.h"
#include "tests/unit/analysis/correlator_fixture.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::Start;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

CheckpointState State(const std::string& name, std::optional<bool> ttl) {
  return {name, StateScope::kKeyed, StateKind::kValue, ttl};
}

CheckpointOperator Join(std::int64_t node, std::optional<bool> left, std::optional<bool> right) {
  CheckpointOperator op;
  op.operator_id = OperatorIdFromUid(std::to_string(node) + "_join");
  op.size_bytes = 100 * node;
  op.states = {State("left-records", left), State("right-records", right)};
  return op;
}

class CheckpointFindingsTest : public testing::Test {
 protected:
  Report Evaluate(const std::vector<CompiledPlan>& plans) {
    JobSnapshot job = Start(Cascade("cascade.json"), "cascade");
    job.config.emplace().state_backend = "EmbeddedRocksDBStateBackend";
    ClusterSnapshot snapshot;
    snapshot.flink_version = "2.3.0";
    snapshot.taken_ms = 5000;
    snapshot.jobs = {job};
    CheckpointMetadata metadata;
    metadata.checkpoint_id = 41;
    metadata.operators = operators_;
    std::ranges::sort(metadata.operators, {}, &CheckpointOperator::operator_id);
    CheckpointLibrary checkpoints;
    checkpoints.jobs[{job.id, job.start_ms}] = std::make_shared<CheckpointMetadata>(metadata);
    return *Evaluator({DefaultUidFormats(), true})
                .Evaluate(snapshot, sample::Library(plans), {}, checkpoints);
  }

  static std::vector<std::string> Messages(const Report& report, const std::string& code) {
    std::vector<std::string> messages;
    for (const Finding& finding : report.findings) {
      if (finding.code == code) messages.push_back(finding.message);
    }
    return messages;
  }

  static const OperatorReport& Operator(const Report& report, const std::string& label) {
    for (const OperatorReport& op : report.jobs[0].operators) {
      if (op.label == label) return op;
    }
    ADD_FAILURE() << label;
    return report.jobs[0].operators[0];
  }

  std::vector<CheckpointOperator> operators_;
};

TEST_F(CheckpointFindingsTest, SizesAndTtlStandBesideThePlans) {
  operators_ = {Join(6, true, true), Join(11, true, std::nullopt)};
  const Report report = Evaluate({Cascade("cascade.json")});
  EXPECT_EQ(report.jobs[0].checkpoint_read_id, 41);
  EXPECT_EQ(Operator(report, "Join[6]").operator_bytes, 600);
  EXPECT_EQ(Operator(report, "Join[6]").state[0].ttl_enabled, true);
  EXPECT_EQ(Operator(report, "Join[11]").state[1].ttl_enabled, std::nullopt);
  EXPECT_THAT(Messages(report, "ttl-drift"), IsEmpty());
}

TEST_F(CheckpointFindingsTest, APlanWithATtlThatTheJobLacksIsDrift) {
  operators_ = {Join(6, false, true)};
  const Report report = Evaluate({Cascade("cascade.json")});
  EXPECT_THAT(Messages(report, "ttl-drift"),
              ElementsAre("The plan keeps leftState of Join[6] for 1 d, but checkpoint 41 of the "
                          "running job shows no TTL: it is kept for ever."));
  EXPECT_TRUE(Operator(report, "Join[6]").state[0].suspicious_ttl);
  EXPECT_FALSE(Operator(report, "Join[6]").state[1].suspicious_ttl);
  const auto drift = std::ranges::find(report.findings, "ttl-drift", &Finding::code);
  EXPECT_THAT(drift->advice.Text(), HasSubstr("cascade.json"));
}

TEST_F(CheckpointFindingsTest, APlanForEverOfAJobWithATtlIsDrift) {
  operators_ = {Join(6, true, true)};
  sample::CascadeTtls ttls;
  ttls.first_right = 0;
  const Report report = Evaluate({Cascade("cascade.json", ttls)});
  EXPECT_THAT(Messages(report, "ttl-drift"), ElementsAre(HasSubstr("rightState of Join[6]")));
  EXPECT_THAT(Messages(report, "ttl-drift"), ElementsAre(HasSubstr("shows a TTL")));
}

TEST_F(CheckpointFindingsTest, WithoutAPlanTheCheckpointTellsWhatIsForEver) {
  operators_ = {Join(6, false, true), Join(11, std::nullopt, std::nullopt)};
  const Report report = Evaluate({});
  EXPECT_THAT(Messages(report, "forever-state"),
              ElementsAre("Join[6] keeps leftState for ever: the checkpoint shows no TTL."));
  EXPECT_THAT(Messages(report, "plan-missing"), Not(IsEmpty()));
}

TEST(TtlOfEntryTest, OneStateWithATtlIsEnoughAndAllMustBeKnownToHaveNone) {
  CheckpointOperator op;
  EXPECT_EQ(TtlOfEntry(op, "groupAggregateState", 1), std::nullopt);
  op.states = {State("accState", false)};
  EXPECT_EQ(TtlOfEntry(op, "groupAggregateState", 1), false);
  op.states.push_back(State("distinctAcc_0", std::nullopt));
  EXPECT_EQ(TtlOfEntry(op, "groupAggregateState", 1), std::nullopt);
  op.states.push_back(State("distinctAcc_1", true));
  EXPECT_EQ(TtlOfEntry(op, "groupAggregateState", 1), true);
}

TEST(TtlOfEntryTest, TimersOperatorStateAndOtherEntriesDoNotCount) {
  CheckpointOperator op;
  op.states = {State("left-records", false),
               State("right-records", true),
               {"_timer_state/event_t", StateScope::kKeyed, StateKind::kTimers, std::nullopt},
               {"writer_raw_states", StateScope::kOperator, StateKind::kSplitList, std::nullopt}};
  EXPECT_EQ(TtlOfEntry(op, "leftState", 2), false);
  EXPECT_EQ(TtlOfEntry(op, "rightState", 2), true);
  op.keyed_states_known = false;
  EXPECT_EQ(TtlOfEntry(op, "leftState", 2), std::nullopt) << "there may be more of it";
}

}  // namespace
}  // namespace fss
