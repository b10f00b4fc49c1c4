#include "sidecar/analysis/job_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sidecar/base/millis.h"

namespace fss {
namespace {

using testing::AnyOf;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::int64_t kStart = 1'700'000'000'000;

// A job of one vertex v1 with one operator, a checkpoint every ten seconds.
class JobSizesTest : public testing::Test {
 protected:
  JobSizesTest() {
    job_.id = "j1";
    job_.start_ms = kStart;
    job_.config = CheckpointConfig{};
    job_.config->state_backend = "HashMapStateBackend";
    JobVertex vertex;
    vertex.id = "v1";
    vertex.parallelism = 1;
    vertex.chain.emplace_back().name = "GroupAggregate";
    job_.graph.vertices.push_back(vertex);
    record_.key = "line";
    record_.runs = {{"j1", kStart, false}};
  }

  void Checkpoint(std::int64_t bytes, std::optional<std::int64_t> in_flight = std::nullopt) {
    CompletedCheckpoint checkpoint;
    checkpoint.id = ++checkpoints_;
    checkpoint.trigger_ms = kStart + checkpoints_ * 10 * kMillisPerSecond;
    checkpoint.vertices["v1"] = VertexSize{bytes, bytes, in_flight};
    job_.fresh.push_back(checkpoint);
  }

  // Observes what Checkpoint and Live prepared.
  OperatorReport Observe(std::optional<std::int64_t> ttl_ms) {
    std::vector<OperatorReport> operators(1);
    operators[0].vertex_id = "v1";
    operators[0].label = "GroupAggregate[6]";
    operators[0].cleanup = Cleanup::kTtl;
    operators[0].size_bytes = 1;
    for (const std::string& name : entries_) {
      EntryReport& entry = operators[0].state.emplace_back();
      entry.name = name;
      entry.ttl_ms = ttl_ms;
    }
    changes_ = {};
    sizes_.Observe(job_, record_, &operators, &changes_);
    job_.fresh.clear();
    job_.live.clear();
    return operators[0];
  }

  // The same for an operator whose plan lists no entries.
  OperatorReport ObserveIntervalJoin() {
    std::vector<OperatorReport> operators(1);
    operators[0].vertex_id = "v1";
    operators[0].kind = "interval-join";
    operators[0].cleanup = Cleanup::kWatermark;
    operators[0].size_bytes = 1;
    sizes_.Observe(job_, record_, &operators, &changes_);
    job_.fresh.clear();
    return operators[0];
  }

  JobSnapshot job_;
  LineRecord record_;
  std::vector<std::string> entries_{"groupAggregateState"};
  JobSizes sizes_{"line"};
  HistoryChanges changes_;
  std::int64_t checkpoints_ = 0;
};

TEST_F(JobSizesTest, AStraightLineWithoutTtlGrows) {
  OperatorReport op;
  for (int i = 0; i < 30; ++i) {
    Checkpoint(100'000 + i * 10'000);
    op = Observe(0);
  }
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_NEAR(*op.trend.bytes_per_second, 1000, 50);
  EXPECT_NEAR(*op.trend.level_bytes, 390'000, 10'000);
}

TEST_F(JobSizesTest, WithinItsTtlItIsFillingAndSettlesAtRateTimesTtl) {
  OperatorReport op;
  for (int i = 0; i < 30; ++i) {
    Checkpoint(10'000 + i * 10'000);
    op = Observe(60 * kMillisPerMinute);
  }
  EXPECT_EQ(op.trend.verdict, Verdict::kFilling);
  EXPECT_NEAR(*op.trend.plateau_bytes, 3'600'000, 200'000);
}

TEST_F(JobSizesTest, PastItsTtlItIsGrowing) {
  OperatorReport op;
  for (int i = 0; i < 120; ++i) {
    Checkpoint(10'000 + i * 10'000);
    op = Observe(2 * kMillisPerMinute);
  }
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_TRUE(op.trend.past_ttl);
}

TEST_F(JobSizesTest, AWindowOfADayIsFillingNotGrowing) {
  job_.graph.vertices[0].chain[0].description =
      "WindowAggregate(window=[TUMBLE(time_col=[ts], size=[1 d])], select=[a])";
  entries_.clear();
  OperatorReport op;
  for (int i = 0; i < 30; ++i) {
    Checkpoint(10'000 + i * 10'000);
    std::vector<OperatorReport> operators(1);
    operators[0].vertex_id = "v1";
    operators[0].cleanup = Cleanup::kWatermark;
    operators[0].size_bytes = 1;
    sizes_.Observe(job_, record_, &operators, &changes_);
    job_.fresh.clear();
    op = operators[0];
  }
  EXPECT_EQ(op.trend.verdict, Verdict::kFilling);
}

TEST_F(JobSizesTest, TooFewCheckpointsAreUnknown) {
  Checkpoint(1000);
  Checkpoint(2000);
  const OperatorReport op = Observe(0);
  EXPECT_EQ(op.trend.verdict, Verdict::kUnknown);
  EXPECT_EQ(op.trend.bytes_per_second, std::nullopt);
}

TEST_F(JobSizesTest, InFlightDataOfUnalignedCheckpointsIsNoState) {
  OperatorReport op;
  for (int i = 0; i < 40; ++i) {
    Checkpoint(100'000 + i * 10'000, i * 10'000);
    op = Observe(0);
  }
  EXPECT_EQ(op.trend.verdict, Verdict::kFlat);
}

TEST_F(JobSizesTest, LiveBytesDecideWhereRocksDbTellsThem) {
  job_.config->state_backend = "EmbeddedRocksDBStateBackend";
  entries_ = {"leftState", "rightState"};
  OperatorReport op;
  for (int i = 0; i < 40; ++i) {
    Checkpoint(5'000'000 + (i % 5) * 1'000'000);
    job_.live["v1"] = LiveSample{kStart + i * kMillisPerMinute,
                                 {{"GroupAggregate[6]", "left-records", 60'000 * i, i},
                                  {"GroupAggregate[6]", "right-records", 40'000, 4}}};
    op = Observe(0);
  }
  EXPECT_EQ(op.state[0].trend.verdict, Verdict::kGrowing);
  EXPECT_EQ(op.state[0].live_bytes, 60'000 * 39);
  EXPECT_EQ(op.state[0].keys, 39);
  EXPECT_EQ(op.state[1].trend.verdict, Verdict::kFlat);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_NEAR(*op.trend.bytes_per_second, 1000, 100);
  // The checkpoint's own size is what a limit is for.
  EXPECT_GT(*op.trend.level_bytes, 5'000'000);
}

// Bytes per checkpoint as seen on Flink 2.3.0 with a flat state: RocksDB's MANIFEST.
TEST_F(JobSizesTest, RocksDbsBookkeepingIsNoGrowth) {
  job_.config->state_backend = "EmbeddedRocksDBStateBackend";
  const auto verdict = [this](std::int64_t per_checkpoint) {
    sizes_ = JobSizes("line");
    checkpoints_ = 0;
    Verdict last = Verdict::kUnknown;
    for (int i = 0; i < 200; ++i) {
      Checkpoint(180'000 + (i % 4) * 12'000 + i * per_checkpoint);
      last = ObserveIntervalJoin().trend.verdict;
    }
    return last;
  };
  EXPECT_EQ(verdict(2'840), Verdict::kFlat);
  EXPECT_EQ(verdict(20'000), Verdict::kGrowing);
}

TEST_F(JobSizesTest, LiveBytesDecideForOperatorsWithoutEntriesToo) {
  job_.config->state_backend = "EmbeddedRocksDBStateBackend";
  OperatorReport op;
  for (int i = 0; i < 40; ++i) {
    Checkpoint(100'000 + i * 50'000);
    job_.live["v1"] = LiveSample{kStart + i * kMillisPerMinute,
                                 {{"IntervalJoin[78]", "IntervalJoinLeftCache", 20'000, 100},
                                  {"IntervalJoin[78]", "IntervalJoinRightCache", 10'000, 70}}};
    op = ObserveIntervalJoin();
  }
  EXPECT_EQ(op.trend.verdict, Verdict::kFlat);
  EXPECT_GT(*op.trend.level_bytes, 1'000'000);
}

TEST_F(JobSizesTest, NoFiguresOfAJobThatIsHalfRunning) {
  job_.tasks_total = 4;
  job_.tasks_running = 2;
  job_.live["v1"] = LiveSample{kStart, {{"GroupAggregate[6]", "accState", 5, 1}}};
  const OperatorReport op = Observe(0);
  EXPECT_EQ(op.state[0].live_bytes, 5);
  EXPECT_THAT(changes_.appended, IsEmpty());
}

TEST_F(JobSizesTest, OperatorsThatNeverHeldAnythingHaveNoLine) {
  for (int i = 0; i < 5; ++i) Checkpoint(0);
  Observe(0);
  EXPECT_EQ(sizes_.subjects(), 0U);
  EXPECT_TRUE(changes_.empty());
}

TEST_F(JobSizesTest, EveryCheckpointIsWrittenOnceAndLinesAreRewrittenNowAndThen) {
  std::size_t appended = 0;
  std::size_t replaced = 0;
  for (int i = 0; i < 1000; ++i) {
    Checkpoint(1000 + i);
    Observe(0);
    appended += changes_.appended.size();
    replaced += changes_.replaced.size();
    for (const auto& replace : changes_.replaced) {
      EXPECT_THAT(replace.points, SizeIs(std::min(i + 1, 128)));
    }
  }
  EXPECT_EQ(appended + replaced, 1000U);
  // When the first one comes differs by line: 20,000 of them would come in one poll.
  EXPECT_THAT(replaced, AnyOf(1000U / 129, 1000U / 129 + 1));
  // The same checkpoint again (a sidecar that restarted) is not new.
  job_.fresh.emplace_back().trigger_ms = kStart + checkpoints_ * 10 * kMillisPerSecond;
  job_.fresh.back().vertices["v1"].state_size = 7;
  Observe(0);
  EXPECT_TRUE(changes_.empty());
}

TEST_F(JobSizesTest, SavepointsAreKeptApart) {
  for (int i = 0; i < 12; ++i) Checkpoint(1000);
  CompletedCheckpoint savepoint;
  savepoint.id = 99;
  savepoint.savepoint = true;
  savepoint.trigger_ms = kStart + 500 * kMillisPerSecond;
  savepoint.state_size = 5'000'000;
  job_.history.push_back(savepoint);
  OperatorReport op = Observe(0);
  ASSERT_THAT(changes_.savepoints, SizeIs(1));
  EXPECT_EQ(changes_.savepoints[0].bytes, 5'000'000);
  EXPECT_EQ(op.trend.verdict, Verdict::kFlat);
  Observe(0);
  EXPECT_THAT(changes_.savepoints, IsEmpty());
}

TEST_F(JobSizesTest, AStoredLineGoesOn) {
  SubjectRecord stored;
  stored.key = {"v1", ""};
  for (int i = 0; i < 40; ++i) {
    const auto bytes = static_cast<float>(i * 10'000);
    stored.points.push_back({kStart + i * 10 * kMillisPerSecond, bytes, bytes});
  }
  sizes_.Load({stored});
  checkpoints_ = 39;
  Checkpoint(400'000);
  const OperatorReport op = Observe(0);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
}

TEST_F(JobSizesTest, PointsThatCameBeforeTheStoreWasReadStay) {
  checkpoints_ = 20;
  for (int i = 0; i < 20; ++i) Checkpoint((20 + i) * 10'000);
  Observe(0);
  SubjectRecord stored;
  stored.key = {"v1", ""};
  for (int i = 0; i < 30; ++i) {
    const auto bytes = static_cast<float>(i * 10'000);
    stored.points.push_back({kStart + i * 10 * kMillisPerSecond, bytes, bytes});
  }
  sizes_.Load({stored});
  HistoryChanges all;
  sizes_.DescribeAll(&all);
  ASSERT_THAT(all.replaced, SizeIs(1));
  EXPECT_EQ(all.replaced[0].points.front().t_ms(), kStart);
  EXPECT_EQ(all.replaced[0].points.back().t_ms(), kStart + 40 * 10 * kMillisPerSecond);
  EXPECT_THAT(all.replaced[0].points, SizeIs(41));
}

TEST_F(JobSizesTest, CheckpointsThatComeLateFindTheirPlace) {
  // At a start the newest comes first, older ones of Flink's history with the next poll.
  checkpoints_ = 20;
  Checkpoint(300'000);
  Observe(0);
  checkpoints_ = 5;
  for (int i = 5; i < 20; ++i) Checkpoint(100'000 + i * 10'000);
  const OperatorReport op = Observe(0);
  EXPECT_EQ(op.trend.verdict, Verdict::kGrowing);
  EXPECT_THAT(changes_.appended, SizeIs(15));
}

TEST_F(JobSizesTest, WhatTheStoreHasIsNotAddedAgain) {
  SubjectRecord stored;
  stored.key = {"v1", ""};
  stored.points.push_back({kStart + 100 * kMillisPerSecond, 5, 5, 10});
  sizes_.Load({stored});
  for (int i = 0; i < 12; ++i) Checkpoint(5);  // 10 of them are in the thinned point
  Observe(0);
  EXPECT_THAT(changes_.appended, SizeIs(2));
}

TEST_F(JobSizesTest, ARestartDoesNotRewriteAllLinesAtOnce) {
  SubjectRecord stored;
  stored.key = {"v1", ""};
  for (int i = 0; i < static_cast<int>(kMaxSizePoints); ++i) {
    stored.points.push_back({kStart - (1000 - i) * kMillisPerSecond, 5, 5});
  }
  constexpr std::size_t kLines = 1000;
  std::size_t rewritten = 0;
  for (std::size_t l = 0; l < kLines; ++l) {
    sizes_ = JobSizes("line " + std::to_string(l));
    sizes_.Load({stored});
    Checkpoint(7);
    Observe(0);
    ASSERT_EQ(changes_.appended.size() + changes_.replaced.size(), 1U);
    rewritten += changes_.replaced.size();
  }
  EXPECT_LT(rewritten, kLines / 32);
}

TEST_F(JobSizesTest, AStartWithoutStateForgets) {
  for (int i = 0; i < 20; ++i) Checkpoint(1000 + i * 1000);
  Observe(0);
  HistoryChanges changes;
  sizes_.Clear(&changes);
  ASSERT_THAT(changes.replaced, SizeIs(1));
  EXPECT_THAT(changes.replaced[0].points, IsEmpty());
  EXPECT_EQ(sizes_.subjects(), 0U);
}

}  // namespace
}  // namespace fss
