#include "sidecar/analysis/state_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/memory_history_store.h"

namespace fss {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kJobStart = 1'700'000'000'000;
constexpr const char* kJobId = "1a2b3c4d5e6f70819203a4b5c6d7e8f9";
constexpr const char* kRestoredId = "99992c4d5e6f70819203a4b5c6d7e8f9";

// A cluster with one job of one operator whose state grows by 1,000 bytes a second; a checkpoint
// and a poll every ten seconds.
class StateHistoryTest : public testing::Test {
 protected:
  StateHistoryTest() { Restart(); }

  // The sidecar starts anew: what it knows comes from the store alone.
  void Restart() {
    history_ = std::make_unique<StateHistory>(std::make_unique<MemoryHistoryStore>(&held_));
  }

  void Deploy(const std::string& id, bool with_state) {
    job_ = JobSnapshot();
    job_.id = id;
    job_.name = "totals";
    job_.state = "RUNNING";
    job_.start_ms = kJobStart + now_s_ * kMillisPerSecond;
    job_.counts = CheckpointCounts{};
    if (with_state) job_.latest_restored = RestoredCheckpoint{1, job_.start_ms, true, ""};
    JobVertex vertex;
    vertex.id = "v1";
    vertex.chain.emplace_back().name = "GroupAggregate";
    job_.graph.vertices = {vertex};
    checkpoint_id_ = 0;
  }

  OperatorReport Poll(std::int64_t bytes) {
    now_s_ += 10;
    CompletedCheckpoint checkpoint;
    checkpoint.id = ++checkpoint_id_;
    checkpoint.trigger_ms = kJobStart + now_s_ * kMillisPerSecond;
    checkpoint.vertices["v1"].state_size = bytes;
    job_.fresh = {checkpoint};
    ClusterSnapshot snapshot;
    snapshot.taken_ms = checkpoint.trigger_ms + kMillisPerSecond;
    snapshot.jobs = {job_};
    history_->Begin(snapshot);
    std::vector<OperatorReport> operators(1);
    operators[0].vertex_id = "v1";
    operators[0].cleanup = Cleanup::kTtl;
    operators[0].size_bytes = bytes;
    EntryReport& entry = operators[0].state.emplace_back();
    entry.name = "groupAggregateState";
    entry.ttl_ms = 0;
    history_->Observe(0, &operators);
    findings_.clear();
    findings_.emplace_back().code = "forever-state";
    history_->Stamp(&findings_);
    history_->Commit();
    return operators[0];
  }

  // Polls with a state that grows on, until it is `to` bytes.
  OperatorReport GrowTo(std::int64_t to) {
    OperatorReport op;
    while (bytes_ < to) {
      bytes_ += 10'000;
      op = Poll(bytes_);
    }
    return op;
  }

  MemoryHistoryStore::Held held_;
  std::unique_ptr<StateHistory> history_;
  JobSnapshot job_;
  std::vector<Finding> findings_;
  std::int64_t now_s_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t checkpoint_id_ = 0;
};

TEST_F(StateHistoryTest, ARestartOfTheSidecarGoesOn) {
  Deploy(kJobId, false);
  GrowTo(300'000);
  const std::int64_t first_seen = *findings_[0].first_seen_ms;
  Restart();
  // The first poll of the new process: without the store it would be unknown.
  bytes_ += 10'000;
  const OperatorReport op = Poll(bytes_);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_EQ(findings_[0].first_seen_ms, first_seen);
  EXPECT_THAT(held_.lines, SizeIs(1));
}

TEST_F(StateHistoryTest, ARestoreUnderANewIdGoesOn) {
  Deploy(kJobId, false);
  GrowTo(300'000);
  Deploy(kRestoredId, true);
  const OperatorReport op = GrowTo(320'000);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_NEAR(*op.trend.bytes_per_second, 1000, 100);
  EXPECT_THAT(held_.lines, SizeIs(1));
  EXPECT_THAT(held_.lines.begin()->second.runs, SizeIs(2));
}

TEST_F(StateHistoryTest, ARedeploymentWithoutStateBeginsAnew) {
  Deploy(kJobId, false);
  GrowTo(300'000);
  Deploy(kRestoredId, false);
  bytes_ = 0;
  const OperatorReport op = GrowTo(30'000);
  EXPECT_EQ(op.trend.verdict, Verdict::kUnknown);
  EXPECT_THAT(held_.lines, SizeIs(1));
  EXPECT_THAT(held_.points.begin()->second[(SubjectKey{"v1", ""})], SizeIs(3));
}

TEST_F(StateHistoryTest, AStoreThatCannotBeWrittenIsReportedAndGetsEverythingLater) {
  Deploy(kJobId, false);
  GrowTo(100'000);
  held_.writes_fail = true;
  const OperatorReport op = GrowTo(300'000);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_THAT(history_->trouble(), HasSubstr("history.db: the disk is full"));
  held_.writes_fail = false;
  GrowTo(310'000);
  EXPECT_EQ(history_->trouble(), "");
  EXPECT_THAT(held_.points.begin()->second[(SubjectKey{"v1", ""})], SizeIs(31));
  EXPECT_THAT(held_.findings, SizeIs(1));
}

TEST_F(StateHistoryTest, AStoreThatCanBeReadOnlyLaterIsJoined) {
  Deploy(kJobId, false);
  GrowTo(200'000);
  Restart();
  held_.reads_fail = true;
  GrowTo(250'000);
  EXPECT_THAT(history_->trouble(), HasSubstr("the disk is full"));
  held_.reads_fail = false;
  const OperatorReport op = GrowTo(260'000);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_EQ(history_->trouble(), "");
  EXPECT_THAT(held_.lines, SizeIs(1));
  EXPECT_THAT(held_.points.begin()->second[(SubjectKey{"v1", ""})], SizeIs(26));
}

TEST_F(StateHistoryTest, WithoutAStoreMemoryDoes) {
  history_ = std::make_unique<StateHistory>(nullptr);
  Deploy(kJobId, false);
  GrowTo(200'000);
  // The job is away for a while and comes back from its savepoint.
  ClusterSnapshot empty;
  empty.taken_ms = kJobStart + now_s_ * kMillisPerSecond;
  for (int poll = 0; poll < 50; ++poll) {
    history_->Begin(empty);
    history_->Commit();
  }
  Deploy(kRestoredId, true);
  EXPECT_EQ(GrowTo(220'000).trend.verdict, Verdict::kGrowing);
  EXPECT_EQ(history_->trouble(), "");
}

TEST_F(StateHistoryTest, FindingsThatEndAreForgotten) {
  Deploy(kJobId, false);
  GrowTo(20'000);
  EXPECT_THAT(held_.findings, SizeIs(1));
  ClusterSnapshot empty;
  empty.taken_ms = kJobStart + now_s_ * kMillisPerSecond;
  std::vector<Finding> none;
  history_->Begin(empty);
  history_->Stamp(&none);
  history_->Commit();
  EXPECT_THAT(held_.findings, IsEmpty());
}

}  // namespace
}  // namespace fss
