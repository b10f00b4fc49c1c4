#include "sidecar/app/fleet/fleet_board.h"

#include <algorithm>
#include <utility>

namespace fss {
namespace {

constexpr const char* kKubernetesCollector = "kubernetes";

FoundPlans Found(KubePlans plans) {
  FoundPlans found;
  found.unreadable = std::move(plans.unreadable);
  for (KubePlan& plan : plans.plans) {
    found.plans.push_back({std::move(plan.plan), std::move(plan.cluster)});
  }
  return found;
}

}  // namespace

void FleetBoard::SetView(KubeView view) {
  if (view.plans_changed) {
    Log(LogLevel::kInfo, "plans found in ConfigMaps",
        {{"plans", std::to_string(view.plans.plans.size())},
         {"unreadable", std::to_string(view.plans.unreadable.size())}});
    for (const UnreadablePlan& plan : view.plans.unreadable) {
      Log(LogLevel::kWarn, "plan cannot be read", {{"file", plan.file}, {"error", plan.error}});
    }
    services_.SetFound(Found(std::move(view.plans)));
  }
  std::string trouble;
  for (const auto& [what, why] : view.troubles) {
    if (why.empty()) continue;
    if (!trouble.empty()) trouble += "; ";
    trouble.append(what).append(": ").append(why);
  }
  {
    const std::lock_guard lock(mutex_);
    targets_.clear();
    for (ClusterTarget& target : view.clusters) {
      if (!shard_.Has(target.name)) continue;
      std::string name = target.name;
      targets_[std::move(name)] = std::move(target);
    }
    trouble_ = std::move(trouble);
    asked_ = view.asked;
  }
  {
    const std::lock_guard applying(applying_);
    LogTroubles(view.troubles);
  }
  Apply();
}

void FleetBoard::SetLeads(bool leads) {
  {
    const std::lock_guard lock(mutex_);
    elected_ = true;
    leads_ = leads;
  }
  Apply();
}

void FleetBoard::Apply() {
  const std::lock_guard applying(applying_);
  std::vector<ClusterTarget> targets;
  std::set<std::string> known;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, target] : targets_) {
      known.insert(name);
      if (!elects_ || leads_) targets.push_back(target);
    }
  }
  std::set<std::string> wanted;
  for (const ClusterTarget& target : targets) {
    wanted.insert(target.name);
    if (!applied_.contains(target.name)) {
      Log(LogLevel::kInfo, "cluster found",
          {{"cluster", target.name}, {"url", target.urls.front()}});
    }
  }
  hooks_.set_targets(targets);
  for (const std::string& name : applied_) {
    if (wanted.contains(name)) continue;
    const bool deleted = !known.contains(name);
    if (deleted) Log(LogLevel::kInfo, "cluster is gone", {{"cluster", name}});
    hooks_.forget(name, deleted);
  }
  applied_ = std::move(wanted);
  ShowNow();
}

void FleetBoard::LogTroubles(const std::map<std::string, std::string>& troubles) {
  for (const auto& [what, why] : troubles) {
    TroubleLog& log = trouble_logs_.try_emplace(what, "watching " + what).first->second;
    if (why.empty()) {
      log.Recovered();
    } else {
      log.Failed(why);
    }
  }
}

void FleetBoard::SetViews(std::vector<std::shared_ptr<const ClusterView>> views) {
  {
    const std::lock_guard lock(mutex_);
    views_ = std::move(views);
  }
  ShowNow();
}

ClusterView FleetBoard::Own() const {
  SidecarStats stats;
  stats.collector_success = services_.collector_success();
  auto report = std::make_shared<Report>();
  report->health.up = true;  // it has no JobManager that could be away
  report->plans_loaded = services_.plans_loaded();
  report->plans_unreadable = services_.plans_unreadable();
  const std::lock_guard lock(mutex_);
  report->health.last_error = trouble_;
  if (asked_) stats.collector_success[kKubernetesCollector] = trouble_.empty();
  const bool active = !elects_ || leads_;
  stats.clusters = active ? targets_.size() : 0;
  if (elects_ && elected_) stats.leader = leads_;
  return {std::move(report), std::move(stats)};
}

ObjectReference FleetBoard::RegardingOf(const std::string& cluster) const {
  const std::lock_guard lock(mutex_);
  const auto target = targets_.find(cluster);
  return target == targets_.end() ? ObjectReference{} : target->second.regarding;
}

void FleetBoard::ShowNow() {
  const std::lock_guard showing(showing_);
  auto fleet = std::make_shared<Fleet>();
  fleet->discovered = true;
  fleet->own = Own();
  bool ready = false;
  {
    const std::lock_guard lock(mutex_);
    fleet->clusters = views_;
    ready = asked_ && (!elects_ || elected_);
  }
  hooks_.show(std::move(fleet), ready);
}

}  // namespace fss
