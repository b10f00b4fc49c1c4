// Polls many clusters, each on its own, with a few threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sidecar/app/fleet/poll_schedule.h"
#include "sidecar/base/clock.h"
#include "sidecar/model/cluster_target.h"
#include "sidecar/model/fleet.h"

namespace fss {

// What polls one cluster; one thread at a time. An interface, so that the fleet can be tested
// without a network.
class ClusterPoller {
 public:
  virtual ~ClusterPoller() = default;
  virtual ClusterView Poll() = 0;
  // Ends what can be ended of a poll that is under way. From any thread.
  virtual void Cancel() = 0;
};

struct FleetOptions {
  std::int64_t interval_ms = 15'000;
  std::size_t workers = 16;  // threads; most of them wait for clusters that hang
  std::size_t at_once = 4;   // polls that do not hang
};

// The hooks are called with no lock held but Publish's own: they never overlap.
struct FleetHooks {
  // A poller for a new cluster; nullptr where its address cannot be used (said in the log).
  std::function<std::unique_ptr<ClusterPoller>(const ClusterTarget&)> make;
  // Whether polls may begin now. Asked before each.
  std::function<bool()> may_poll = [] { return true; };
  // After each poll, and whenever clusters come or go.
  std::function<void(std::vector<std::shared_ptr<const ClusterView>>)> publish;
  // A cluster was polled.
  std::function<void(const ClusterView&)> polled = [](const ClusterView&) {};
};

// Safe from any thread, but Stop, which is the owner's.
class ClusterFleet {
 public:
  // `clock` outlives it.
  ClusterFleet(const FleetOptions& options, FleetHooks hooks, const Clock& clock);
  ~ClusterFleet();  // Stop, and waits however long it takes
  ClusterFleet(const ClusterFleet&) = delete;
  ClusterFleet& operator=(const ClusterFleet&) = delete;

  // The clusters from now on. New ones are polled at once; those that are gone are forgotten, with
  // their history in memory; one whose address changed begins anew.
  void SetTargets(const std::vector<ClusterTarget>& targets);

  // Looks again whether polls may begin.
  void Wake();

  // No poll begins any more, those under way are cancelled. False when one did not end within the
  // grace: then its thread still runs, and the process has to be left by _Exit.
  bool Stop(std::int64_t grace_ms);

 private:
  struct Member {
    ClusterTarget target;
    std::shared_ptr<ClusterPoller> poller;
    std::shared_ptr<const ClusterView> view;  // nullptr before its first poll
  };

  void Join();
  void Work();
  void PollOne(std::unique_lock<std::mutex>* lock, const std::string& name);
  void Publish();

  const FleetOptions options_;
  const FleetHooks hooks_;
  const Clock& clock_;
  std::mutex publishing_;  // held before mutex_
  std::mutex mutex_;       // of all below
  std::condition_variable changed_;
  PollSchedule schedule_;
  std::map<std::string, Member> members_;
  bool stop_ = false;
  std::size_t working_ = 0;  // threads that have not ended
  std::int64_t trimmed_ms_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace fss
