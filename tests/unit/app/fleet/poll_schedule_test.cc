#include "sidecar/app/fleet/poll_schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fss {
namespace {

constexpr std::int64_t kInterval = 15'000;
constexpr std::size_t kAtOnce = 4;

std::string Name(int i) { return "ns/cluster-" + std::to_string(i); }

// Runs a schedule as workers would: polls take as long as `takes` says, and answer or not.
struct Simulation {
  struct Poll {
    std::string name;
    std::int64_t ends_ms;
    bool answers;
  };
  explicit Simulation(std::size_t worker_count)
      : schedule(kInterval, worker_count, kAtOnce), workers(worker_count) {}

  void Run(std::int64_t until_ms) {
    for (; now_ms < until_ms; now_ms += 10) {
      for (auto poll = under_way.begin(); poll != under_way.end();) {
        if (poll->ends_ms > now_ms) {
          ++poll;
          continue;
        }
        schedule.Done(poll->name, poll->answers, now_ms);
        polls[poll->name].push_back(now_ms);
        poll = under_way.erase(poll);
      }
      while (under_way.size() < workers) {
        const auto name = schedule.Take(now_ms);
        if (!name) break;
        const bool is_dead = dead.contains(*name);
        under_way.push_back({*name, now_ms + (is_dead ? 5000 : 20), !is_dead});
      }
    }
  }

  PollSchedule schedule;
  std::size_t workers;
  std::int64_t now_ms = 0;
  std::set<std::string> dead;
  std::vector<Poll> under_way;
  std::map<std::string, std::vector<std::int64_t>> polls;
};

TEST(PollScheduleTest, ANewClusterIsDueAtOnce) {
  PollSchedule schedule(kInterval, 4, 4);
  EXPECT_FALSE(schedule.Take(0).has_value());
  EXPECT_FALSE(schedule.NextDue().has_value());
  schedule.Add("a", 100);
  EXPECT_EQ(schedule.NextDue(), 100);
  EXPECT_FALSE(schedule.Take(99).has_value());
  EXPECT_EQ(schedule.Take(100), "a");
  EXPECT_FALSE(schedule.Take(200).has_value()) << "it is being polled";
}

TEST(PollScheduleTest, PollsKeepTheirRate) {
  PollSchedule schedule(kInterval, 1, 1);
  schedule.Add("a", 0);
  (void)schedule.Take(0);
  schedule.Done("a", true, 10);
  const std::int64_t second = *schedule.NextDue();
  EXPECT_GE(second, kInterval / 2);
  EXPECT_LT(second, kInterval / 2 + kInterval);
  EXPECT_EQ(schedule.Take(second + 400), "a") << "late, as when the machine was busy";
  schedule.Done("a", true, second + 500);
  EXPECT_EQ(schedule.NextDue(), second + kInterval);
}

TEST(PollScheduleTest, WhatWasMissedIsNotMadeUpFor) {
  PollSchedule schedule(kInterval, 1, 1);
  schedule.Add("a", 0);
  (void)schedule.Take(0);
  schedule.Done("a", true, 100 * kInterval);
  EXPECT_GT(*schedule.NextDue(), 100 * kInterval);
  EXPECT_LE(*schedule.NextDue(), 101 * kInterval);
}

TEST(PollScheduleTest, PollsAreSpreadOverTheInterval) {
  Simulation simulation(4);
  for (int i = 0; i < 300; ++i) simulation.schedule.Add(Name(i), 0);
  simulation.Run(4 * kInterval);
  // Of the third round no second has more than a few times its share of 20.
  std::map<std::int64_t, int> by_second;
  for (const auto& [name, times] : simulation.polls) {
    ASSERT_GE(times.size(), 3U) << name;
    ++by_second[times[2] / 1000];
  }
  for (const auto& [second, count] : by_second) EXPECT_LE(count, 50) << "second " << second;
}

// Nobody is suspect yet: a sidecar that starts, or a network that is cut.
TEST(PollScheduleTest, FiftyThatHangForTheFirstTimeHoldTheOthersForSeconds) {
  Simulation simulation(16);
  for (int i = 0; i < 300; ++i) {
    simulation.schedule.Add(Name(i), 0);
    if (i % 6 == 0) simulation.dead.insert(Name(i));
  }
  simulation.Run(60'000);
  for (int i = 0; i < 300; ++i) {
    if (simulation.dead.contains(Name(i))) continue;
    ASSERT_FALSE(simulation.polls[Name(i)].empty()) << Name(i);
    EXPECT_LE(simulation.polls[Name(i)][0], 20'000) << Name(i);
  }
}

TEST(PollScheduleTest, FourAreUnderWayAtOnceButForThoseThatHang) {
  PollSchedule schedule(kInterval, 16, 4);
  for (int i = 0; i < 10; ++i) schedule.Add(Name(i), 0);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(schedule.Take(i * 100).has_value());
  EXPECT_FALSE(schedule.Take(300).has_value());
  EXPECT_EQ(schedule.NextDue(), kHangingMillis) << "when the first of the four hangs";
  EXPECT_FALSE(schedule.Take(kHangingMillis - 1).has_value());
  EXPECT_TRUE(schedule.Take(kHangingMillis).has_value());
  EXPECT_EQ(schedule.NextDue(), kHangingMillis + 100);
  EXPECT_FALSE(schedule.Take(kHangingMillis + 99).has_value());
  schedule.Done(Name(2), true, kHangingMillis + 50);
  EXPECT_TRUE(schedule.Take(kHangingMillis + 50).has_value()) << "one has ended";
}

TEST(PollScheduleTest, FiftyThatHangDoNotSlowTheOthers) {
  Simulation simulation(4);
  for (int i = 0; i < 300; ++i) {
    simulation.schedule.Add(Name(i), 0);
    if (i % 6 == 0) simulation.dead.insert(Name(i));
  }
  simulation.Run(5 * 60'000);
  simulation.polls.clear();
  simulation.Run(10 * 60'000);
  for (int i = 0; i < 300; ++i) {
    const auto& times = simulation.polls[Name(i)];
    if (simulation.dead.contains(Name(i))) {
      EXPECT_GE(times.size(), 1U) << "those that hang are asked now and then";
      continue;
    }
    ASSERT_GE(times.size(), 19U) << Name(i) << " of 20 intervals";
    for (std::size_t k = 1; k < times.size(); ++k) {
      EXPECT_LE(times[k] - times[k - 1], kInterval + 1000) << Name(i);
    }
  }
}

TEST(PollScheduleTest, OneThatFailsIsAskedMoreAndMoreRarely) {
  PollSchedule schedule(kInterval, 4, 4);
  schedule.Add("a", 0);
  std::int64_t now = 0;
  std::int64_t longest = 0;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t due = *schedule.NextDue();
    longest = std::max(longest, due - now);
    now = due;
    ASSERT_EQ(schedule.Take(now), "a");
    schedule.Done("a", false, now + 1);
  }
  EXPECT_LE(longest, kMaxBackOffIntervals * kInterval + 1);
  EXPECT_GE(longest, kMaxBackOffIntervals * kInterval / 2);
  now = *schedule.NextDue();
  (void)schedule.Take(now);
  schedule.Done("a", true, now + 1);
  EXPECT_LE(*schedule.NextDue(), now + kInterval) << "once it answers, at the old rate";
}

TEST(PollScheduleTest, RemovedAndAddedWhileItIsPolled) {
  PollSchedule schedule(kInterval, 2, 2);
  schedule.Add("a", 0);
  (void)schedule.Take(0);
  schedule.Remove("a");
  schedule.Add("a", 50);
  schedule.Done("a", false, 60);  // of the poll of before
  EXPECT_EQ(schedule.Take(70), "a");
  schedule.Remove("b");
  schedule.Done("b", true, 80);
  EXPECT_EQ(schedule.size(), 1U);
}

}  // namespace
}  // namespace fss
