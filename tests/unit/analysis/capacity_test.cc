// HeapWatch and ApplyCapacity: what fills first, and when.
#include "sidecar/analysis/capacity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

constexpr double kMega = 1 << 20;
constexpr std::int64_t kMegaBytes = 1 << 20;

OperatorReport Growing(double rate, std::int64_t size) {
  OperatorReport op;
  op.size_bytes = size;
  op.trend.verdict = Verdict::kGrowing;
  op.trend.bytes_per_second = rate;
  op.trend.level_bytes = static_cast<double>(size);
  return op;
}

OperatorReport Filling(double rate, std::int64_t size, double plateau) {
  OperatorReport op = Growing(rate, size);
  op.trend.verdict = Verdict::kFilling;
  op.trend.plateau_bytes = plateau;
  return op;
}

JobReport Job(const std::string& id, const char* backend, std::vector<OperatorReport> operators) {
  JobReport job;
  job.id = id;
  job.config = CheckpointConfig{};
  job.config->state_backend = backend;
  job.operators = std::move(operators);
  return job;
}

constexpr const char* kRocksDbName = "EmbeddedRocksDBStateBackend";
constexpr const char* kHeap = "HashMapStateBackend";

TEST(Capacity, TheDiskIsSharedByAllRocksDbJobs) {
  std::vector<JobReport> jobs{Job("a", kRocksDbName, {Growing(100, 2000), Growing(0, 1000)}),
                              Job("b", kRocksDbName, {Growing(300, 3000)}),
                              Job("c", kHeap, {Growing(1000, 9000)})};
  ApplyCapacity(HeapWatch(), {10'000, std::nullopt}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, 10);
  EXPECT_EQ(jobs[0].operators[0].full_of, FullOf::kDisk);
  EXPECT_EQ(jobs[0].operators[1].seconds_until_full, std::nullopt);
  EXPECT_EQ(jobs[1].operators[0].seconds_until_full, 10);
  EXPECT_EQ(jobs[2].operators[0].seconds_until_full, std::nullopt);
}

TEST(Capacity, TheLesserOfLimitAndFreeSpaceCounts) {
  std::vector<JobReport> jobs{Job("a", kRocksDbName, {Growing(100, 2000)})};
  ApplyCapacity(HeapWatch(), {10'000, 500}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, 5);
}

TEST(Capacity, WithoutALimitNothingIsSaid) {
  std::vector<JobReport> jobs{Job("a", kRocksDbName, {Growing(100, 2000)}),
                              Job("b", kHeap, {Growing(100, 2000)})};
  ApplyCapacity(HeapWatch(), {}, &jobs);
  for (const JobReport& job : jobs) {
    EXPECT_EQ(job.operators[0].seconds_until_full, std::nullopt);
  }
}

TEST(Capacity, WhatSettlesBelowTheLimitIsNeverFull) {
  std::vector<JobReport> jobs{Job("a", kRocksDbName, {Filling(100, 2000, 5000)})};
  ApplyCapacity(HeapWatch(), {10'000, std::nullopt}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, std::nullopt);
  ApplyCapacity(HeapWatch(), {4'000, std::nullopt}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, 20);
}

TEST(Capacity, WhatSettlesWithLittleIsNotTheCause) {
  std::vector<JobReport> jobs{Job(
      "a", kRocksDbName, {Growing(100, 2000), Filling(100, 1000, 1010), Filling(100, 1000, 3000)})};
  ApplyCapacity(HeapWatch(), {12'000, std::nullopt}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, 59);  // 8000 = 59.9 x 100 + 10 + 2000
  EXPECT_EQ(jobs[0].operators[1].seconds_until_full, std::nullopt);
  EXPECT_EQ(jobs[0].operators[2].seconds_until_full, 59);
}

TEST(Capacity, TheJobsOwnLimitIsNearer) {
  std::vector<JobReport> jobs{Job("a", kRocksDbName, {Growing(100, 2000)})};
  jobs[0].state_limit_bytes = 2'500;
  ApplyCapacity(HeapWatch(), {10'000, std::nullopt}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, 5);
  EXPECT_EQ(jobs[0].operators[0].full_of, FullOf::kJobLimit);
  jobs[0].state_limit_bytes = 1'000;
  ApplyCapacity(HeapWatch(), {}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].seconds_until_full, 0);
}

TEST(Capacity, EntriesThatGrowHaveTheTimeToo) {
  std::vector<JobReport> jobs{Job("a", kRocksDbName, {Growing(100, 2000)})};
  jobs[0].operators[0].state.resize(2);
  jobs[0].operators[0].state[0].trend = jobs[0].operators[0].trend;
  ApplyCapacity(HeapWatch(), {10'000, std::nullopt}, &jobs);
  EXPECT_EQ(jobs[0].operators[0].state[0].seconds_until_full, 80);
  EXPECT_EQ(jobs[0].operators[0].state[1].seconds_until_full, std::nullopt);
}

// A TaskManager whose heap has a base of 100 MiB, holds `factor` times the state, and is seen
// somewhere between two collections.
class HeapTest : public testing::Test {
 protected:
  void Poll(double state_mb, double factor, double max_mb = 4096) {
    ClusterSnapshot snapshot;
    snapshot.taken_ms = ++polls_ * 15'000;
    JobSnapshot& job = snapshot.jobs.emplace_back();
    job.id = "j1";
    job.state = "RUNNING";
    job.config = CheckpointConfig{};
    job.config->state_backend = kHeap;
    job.latest.emplace().vertices["v1"].state_size = static_cast<std::int64_t>(state_mb * kMega);
    for (int i = 0; i < managers_; ++i) {
      TaskManagerSnapshot& manager = snapshot.task_managers.emplace_back();
      manager.id = "tm" + std::to_string(i);
      manager.taken_ms = snapshot.taken_ms;
      const double garbage = static_cast<double>((polls_ * 7 + i) % 8) * 60;
      manager.heap_used =
          static_cast<std::int64_t>((100 + state_mb / managers_ * factor + garbage) * kMega);
      manager.heap_max = static_cast<std::int64_t>(max_mb * kMega);
      manager.slots_by_job["j1"] = 2;
    }
    watch_.Observe(snapshot);
  }

  HeapWatch watch_;
  int managers_ = 1;
  std::int64_t polls_ = 0;
};

TEST_F(HeapTest, TheFactorIsLearntFromTheFloor) {
  for (int i = 0; i < 100; ++i) Poll(1.0 * i, 9);
  ASSERT_EQ(watch_.heaps().size(), 1U);
  const HeapWatch::Heap& heap = watch_.heaps().at("tm0");
  ASSERT_TRUE(heap.factor.has_value());
  EXPECT_NEAR(*heap.factor, 9, 1);
  EXPECT_NEAR(heap.floor, (100 + 9 * 92) * kMega, 80 * kMega);
}

TEST_F(HeapTest, SharedByTheSlotsOnEachTaskManager) {
  managers_ = 3;
  for (int i = 0; i < 100; ++i) Poll(3.0 * i, 8);
  ASSERT_EQ(watch_.heaps().size(), 3U);
  const HeapWatch::Heap& heap = watch_.heaps().at("tm1");
  EXPECT_NEAR(*heap.factor, 8, 1);
  EXPECT_NEAR(heap.state_by_job.at("j1"), 99 * kMega, 3 * kMega);
}

TEST_F(HeapTest, AFlatStateTeachesNothing) {
  for (int i = 0; i < 200; ++i) Poll(50, 9);
  EXPECT_EQ(watch_.heaps().at("tm0").factor, std::nullopt);
}

TEST_F(HeapTest, AHeapThatFillsWithoutTheStateTeachesNothing) {
  // A leak beside the state: more heap, the same state but for a little noise.
  for (int i = 0; i < 200; ++i) Poll(50 + i % 3, 9 + i * 0.05);
  const auto& factor = watch_.heaps().at("tm0").factor;
  EXPECT_FALSE(factor.has_value()) << *factor;
}

TEST_F(HeapTest, AWarmUpBesideATrifleOfStateTeachesNothing) {
  // As seen on Flink 2.3.0: 0.8 MB of state settle while the TaskManager's own heap warms up.
  for (int i = 0; i < 100; ++i) Poll(0.4 + 0.004 * i, 57, 433);
  EXPECT_EQ(watch_.heaps().at("tm0").factor, std::nullopt);
}

TEST_F(HeapTest, ManyPollsStayBoundedAndStillTell) {
  for (int i = 0; i < 5000; ++i) Poll(0.05 * i, 10);
  EXPECT_NEAR(*watch_.heaps().at("tm0").factor, 10, 1);
}

TEST_F(HeapTest, TooFewPollsKnowNoFloor) {
  for (int i = 0; i < 5; ++i) Poll(i, 9);
  EXPECT_TRUE(watch_.heaps().empty());
}

TEST_F(HeapTest, TimeUntilTheHeapIsFull) {
  for (int i = 0; i < 100; ++i) Poll(1.0 * i, 9);
  const HeapWatch::Heap& heap = watch_.heaps().at("tm0");
  std::vector<JobReport> jobs{Job("j1", kHeap, {Growing(kMega / 15, 99 * kMegaBytes)})};
  ApplyCapacity(watch_, {}, &jobs);
  const double left = (heap.max - heap.floor) / *heap.factor;
  ASSERT_TRUE(jobs[0].operators[0].seconds_until_full.has_value());
  EXPECT_NEAR(static_cast<double>(*jobs[0].operators[0].seconds_until_full), left / (kMega / 15),
              60);
  EXPECT_EQ(jobs[0].operators[0].full_of, FullOf::kHeap);
  ASSERT_TRUE(jobs[0].heap.has_value());
  EXPECT_EQ(jobs[0].heap->task_manager, "tm0");
}

TEST_F(HeapTest, ATaskManagerThatIsGoneIsForgotten) {
  for (int i = 0; i < 20; ++i) Poll(i, 9);
  ClusterSnapshot empty;
  watch_.Observe(empty);
  EXPECT_TRUE(watch_.heaps().empty());
}

}  // namespace
}  // namespace fss
