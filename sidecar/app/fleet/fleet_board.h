// Between discovery, election, polls and exporters: who is polled now, and what is shown of it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "collectors/kube/kube_watcher.h"
#include "sidecar/app/fleet/fleet_services.h"
#include "sidecar/app/fleet/shard.h"
#include "sidecar/app/log.h"
#include "sidecar/model/cluster_target.h"
#include "sidecar/model/fleet.h"

namespace fss {

// What the board tells; called with no lock of `Show` held, `set_targets` and `forget` one at a
// time.
struct BoardHooks {
  std::function<void(const std::vector<ClusterTarget>&)> set_targets;
  // A cluster is no longer polled here; `deleted`: there is none any more.
  std::function<void(const std::string& cluster, bool deleted)> forget;
  std::function<void(std::shared_ptr<const Fleet>, bool ready)> show;
};

// Safe from any thread.
class FleetBoard {
 public:
  // `elects`: nothing is polled before SetLeads(true).
  FleetBoard(Shard shard, bool elects, FleetServices* services, BoardHooks hooks)
      : shard_(shard), elects_(elects), services_(*services), hooks_(std::move(hooks)) {}

  void SetView(KubeView view);
  void SetLeads(bool leads);
  // What the fleet's last polls gave.
  void SetViews(std::vector<std::shared_ptr<const ClusterView>> views);

  // The numbers about the sidecar itself, as of now.
  ClusterView Own() const;
  // What an Event about the cluster is attached to; a kind that is empty where there is none.
  ObjectReference RegardingOf(const std::string& cluster) const;

 private:
  void Apply();
  void LogTroubles(const std::map<std::string, std::string>& troubles);
  void ShowNow();

  const Shard shard_;
  const bool elects_;
  FleetServices& services_;
  const BoardHooks hooks_;
  std::mutex applying_;                             // held before mutex_
  std::set<std::string> applied_;                   // with applying_
  std::map<std::string, TroubleLog> trouble_logs_;  // with applying_
  std::mutex showing_;                              // held before mutex_
  mutable std::mutex mutex_;
  std::map<std::string, ClusterTarget> targets_;  // of this shard
  std::string trouble_;
  bool asked_ = false;
  bool elected_ = false;  // it is known who leads
  bool leads_ = false;
  std::vector<std::shared_ptr<const ClusterView>> views_;
};

}  // namespace fss
