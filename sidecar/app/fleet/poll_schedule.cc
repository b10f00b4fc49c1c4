#include "sidecar/app/fleet/poll_schedule.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>

#include "sidecar/base/stable_hash.h"

namespace fss {

std::int64_t PollPhase(const std::string& name, std::int64_t interval_ms) {
  return static_cast<std::int64_t>(StableHash(name) % static_cast<std::uint64_t>(interval_ms));
}

void PollSchedule::Add(const std::string& name, std::int64_t now_ms) {
  clusters_.try_emplace(name).first->second.due_ms = now_ms;
}

void PollSchedule::Remove(const std::string& name) {
  const auto found = clusters_.find(name);
  if (found == clusters_.end()) return;
  if (found->second.polling && found->second.failures > 0) --suspects_polling_;
  clusters_.erase(found);
}

bool PollSchedule::MayTake(const Cluster& cluster) const {
  if (cluster.polling) return false;
  return cluster.failures == 0 || suspects_polling_ < max_suspects_;
}

std::int64_t PollSchedule::RoomAt() const {
  std::vector<std::int64_t> begun;
  for (const auto& [name, cluster] : clusters_) {
    if (cluster.polling) begun.push_back(cluster.began_ms);
  }
  if (begun.size() < at_once_) return std::numeric_limits<std::int64_t>::min();
  // Once this one hangs, fewer than at_once_ do not.
  const auto last = begun.begin() + static_cast<std::ptrdiff_t>(at_once_ - 1);
  std::ranges::nth_element(begun, last, std::greater());
  return *last + kHangingMillis;
}

std::optional<std::string> PollSchedule::Take(std::int64_t now_ms) {
  if (RoomAt() > now_ms) return std::nullopt;
  auto first = clusters_.end();
  for (auto it = clusters_.begin(); it != clusters_.end(); ++it) {
    if (!MayTake(it->second) || it->second.due_ms > now_ms) continue;
    if (first == clusters_.end() || it->second.due_ms < first->second.due_ms) first = it;
  }
  if (first == clusters_.end()) return std::nullopt;
  first->second.polling = true;
  first->second.began_ms = now_ms;
  if (first->second.failures > 0) ++suspects_polling_;
  return first->first;
}

void PollSchedule::Done(const std::string& name, bool answered, std::int64_t now_ms) {
  const auto found = clusters_.find(name);
  // Removed, or removed and added again, while it was polled.
  if (found == clusters_.end() || !found->second.polling) return;
  Cluster& cluster = found->second;
  cluster.polling = false;
  if (cluster.failures > 0) --suspects_polling_;
  cluster.failures = answered ? 0 : cluster.failures + 1;
  if (!cluster.polled) {
    // All clusters of a fresh start were due at once: from the second poll on they are spread.
    cluster.polled = true;
    cluster.due_ms += interval_ms_ / 2 + PollPhase(name, interval_ms_);
  } else {
    cluster.due_ms += interval_ms_;
  }
  if (cluster.failures > 0) {
    const std::int64_t back_off = std::int64_t{1} << std::min(cluster.failures - 1, 10);
    const std::int64_t waits = std::min(back_off, kMaxBackOffIntervals) * interval_ms_;
    cluster.due_ms = std::max(cluster.due_ms, now_ms + waits / 2 + PollPhase(name, waits) / 2);
  }
  // What was missed is not made up for.
  if (cluster.due_ms <= now_ms) {
    cluster.due_ms += (now_ms - cluster.due_ms) / interval_ms_ * interval_ms_ + interval_ms_;
  }
}

std::optional<std::int64_t> PollSchedule::NextDue() const {
  std::optional<std::int64_t> next;
  for (const auto& [name, cluster] : clusters_) {
    if (MayTake(cluster) && (!next || cluster.due_ms < *next)) next = cluster.due_ms;
  }
  if (next) next = std::max(*next, RoomAt());
  return next;
}

bool PollSchedule::polling(const std::string& name) const {
  const auto found = clusters_.find(name);
  return found != clusters_.end() && found->second.polling;
}

}  // namespace fss
