// Which cluster is polled when, and by whom: pure, time comes with each call.
//
// Each cluster is polled at a fixed rate of its own, all of them spread over the interval by their
// names. A cluster whose last poll failed is suspect: it may hold whoever polls it until its
// time-out. Suspects are polled more and more rarely, and by half of the workers at most, so that
// however many hang, the other half serves those that answer.
//
// Those that never failed yet may hang too: all of them, when a network is cut. So there are more
// workers than may work at once, and a poll that hangs does not count as work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fss {

// How rarely a suspect is polled at most, in intervals.
inline constexpr std::int64_t kMaxBackOffIntervals = 4;

// A poll that took so long waits for an answer: a healthy one takes some 20 ms.
inline constexpr std::int64_t kHangingMillis = 1000;

// Not thread safe. Times are milliseconds of a monotonic clock.
class PollSchedule {
 public:
  // `at_once`: the most polls that are under way and do not hang; workers at most, at least 1.
  PollSchedule(std::int64_t interval_ms, std::size_t workers, std::size_t at_once)
      : interval_ms_(interval_ms),
        max_suspects_(workers > 1 ? workers / 2 : 1),
        at_once_(at_once) {}

  // Due at once.
  void Add(const std::string& name, std::int64_t now_ms);
  // A poll of it that is under way ends as ever.
  void Remove(const std::string& name);

  // The cluster that has waited longest, marked as being polled; absent when none is due.
  std::optional<std::string> Take(std::int64_t now_ms);
  // Its poll ended. No effect on a cluster that was removed meanwhile.
  void Done(const std::string& name, bool answered, std::int64_t now_ms);

  // When Take may next have one, given that no poll ends before; absent: not before.
  std::optional<std::int64_t> NextDue() const;

  bool polling(const std::string& name) const;
  std::size_t size() const { return clusters_.size(); }

 private:
  struct Cluster {
    std::int64_t due_ms = 0;
    bool polled = false;  // once at least
    bool polling = false;
    std::int64_t began_ms = 0;  // of the poll that is under way
    int failures = 0;           // in a row
  };
  bool MayTake(const Cluster& cluster) const;
  // From when on a further poll may begin, given that none ends before.
  std::int64_t RoomAt() const;

  const std::int64_t interval_ms_;
  const std::size_t max_suspects_;
  const std::size_t at_once_;
  std::size_t suspects_polling_ = 0;
  std::map<std::string, Cluster> clusters_;
};

// Where in the interval a cluster's polls lie: 0 … interval - 1, the same in every process.
std::int64_t PollPhase(const std::string& name, std::int64_t interval_ms);

}  // namespace fss
