#include "sidecar/app/fleet/cluster_fleet.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fss {
namespace {

using std::chrono::milliseconds;

// How often whether polls may begin is looked at, beside Wake.
constexpr milliseconds kLookAgain{500};
// Polls leave holes in memory; closing them takes some 10 ms.
constexpr std::int64_t kTrimEveryMillis = 5000;

}  // namespace

ClusterFleet::ClusterFleet(const FleetOptions& options, FleetHooks hooks, const Clock& clock)
    : options_(options),
      hooks_(std::move(hooks)),
      clock_(clock),
      schedule_(options.interval_ms, options.workers, options.at_once),
      working_(options.workers) {
  for (std::size_t i = 0; i < options_.workers; ++i) {
    threads_.emplace_back([this] { Work(); });
  }
}

ClusterFleet::~ClusterFleet() {
  Stop(0);
  Join();
}

void ClusterFleet::SetTargets(const std::vector<ClusterTarget>& targets) {
  std::map<std::string, const ClusterTarget*> wanted;
  for (const ClusterTarget& target : targets) wanted.emplace(target.name, &target);
  std::vector<ClusterTarget> fresh;
  std::vector<Member> left;  // destroyed with no lock held
  {
    const std::lock_guard lock(mutex_);
    for (auto it = members_.begin(); it != members_.end();) {
      const auto target = wanted.find(it->first);
      if (target != wanted.end() && target->second->urls == it->second.target.urls) {
        it->second.target = *target->second;
        wanted.erase(target);
        ++it;
        continue;
      }
      schedule_.Remove(it->first);
      it->second.poller->Cancel();
      left.push_back(std::move(it->second));
      it = members_.erase(it);
    }
    for (const auto& [name, target] : wanted) fresh.push_back(*target);
  }
  for (ClusterTarget& target : fresh) {
    std::shared_ptr<ClusterPoller> poller = hooks_.make(target);
    if (poller == nullptr) continue;
    const std::lock_guard lock(mutex_);
    if (stop_) return;
    std::string name = target.name;
    schedule_.Add(name, clock_.MonotonicMillis());
    members_[std::move(name)] = {std::move(target), std::move(poller), nullptr};
  }
  Publish();
  Wake();
}

void ClusterFleet::Wake() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();
}

bool ClusterFleet::Stop(std::int64_t grace_ms) {
  std::unique_lock lock(mutex_);
  stop_ = true;
  for (auto& [name, member] : members_) member.poller->Cancel();
  changed_.notify_all();
  if (!changed_.wait_for(lock, milliseconds(grace_ms), [this] { return working_ == 0; })) {
    return false;
  }
  lock.unlock();
  Join();
  return true;
}

void ClusterFleet::Join() {
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ClusterFleet::Work() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    lock.unlock();
    const bool may_poll = hooks_.may_poll();
    lock.lock();
    if (stop_) break;
    const std::int64_t now = clock_.MonotonicMillis();
    if (const auto name = may_poll ? schedule_.Take(now) : std::nullopt) {
      PollOne(&lock, *name);
      continue;
    }
    milliseconds wait = kLookAgain;
    if (const auto next = schedule_.NextDue(); next && may_poll) {
      wait = std::clamp(milliseconds(*next - now), milliseconds(1), kLookAgain);
    }
    changed_.wait_for(lock, wait);
  }
  --working_;
  changed_.notify_all();
}

// With mutex_ held, which is let go while the cluster is asked.
void ClusterFleet::PollOne(std::unique_lock<std::mutex>* lock, const std::string& name) {
  // The member may be removed meanwhile: the poller lives on here.
  std::shared_ptr<ClusterPoller> poller = members_.at(name).poller;
  lock->unlock();
  auto view = std::make_shared<const ClusterView>(poller->Poll());
  const bool answered = view->report->health.up;
  lock->lock();
  const auto member = members_.find(name);
  const bool known = member != members_.end() && member->second.poller == poller;
  if (known) {
    member->second.view = view;
    schedule_.Done(name, answered, clock_.MonotonicMillis());
  }
  const std::int64_t now = clock_.MonotonicMillis();
  const bool trim = now - trimmed_ms_ >= kTrimEveryMillis;
  if (trim) trimmed_ms_ = now;
  lock->unlock();
  poller.reset();
  if (known) {
    hooks_.polled(*view);
    Publish();
  }
  if (trim) malloc_trim(0);
  lock->lock();
}

void ClusterFleet::Publish() {
  const std::lock_guard publishing(publishing_);
  std::vector<std::shared_ptr<const ClusterView>> views;
  {
    const std::lock_guard lock(mutex_);
    views.reserve(members_.size());
    for (const auto& [name, member] : members_) {
      if (member.view != nullptr) views.push_back(member.view);
    }
  }
  hooks_.publish(std::move(views));
}

}  // namespace fss
