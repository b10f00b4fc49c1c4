#include "collectors/kube/kube_watcher.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

namespace fss {
namespace {

// Changes come in swarms (a list, a rollout): one view for those of so long.
constexpr std::int64_t kGatherMillis = 200;
constexpr std::chrono::milliseconds kLongestWait{1000};

}  // namespace

std::string WatchedText(const InformerOptions& options) {
  std::string text = KubeResourceName(options.kind);
  if (!options.selector.empty()) text += " (" + options.selector + ")";
  return text +
         (options.namespace_name.empty() ? " in all namespaces" : " in " + options.namespace_name);
}

KubeWatcher::KubeWatcher(const KubeWatchOptions& options, std::unique_ptr<KubeHttp> http,
                         const Clock& clock, const RandomFraction& random,
                         std::function<void(KubeView)> take)
    : http_(std::move(http)), clock_(clock), take_(std::move(take)) {
  const auto add = [&](KubeKind kind, const std::string& where, const std::string& selector) {
    informers_.push_back(
        std::make_unique<Informer>(InformerOptions{kind, where, selector}, random));
  };
  const std::vector<std::string> everywhere{""};
  for (const std::string& where : options.namespaces.empty() ? everywhere : options.namespaces) {
    add(KubeKind::kFlinkDeployment, where, "");
    add(KubeKind::kFlinkSessionJob, where, "");
    for (const std::string& selector : options.service_selectors) {
      add(KubeKind::kService, where, selector);
    }
    add(KubeKind::kConfigMap, where, options.plan_selector);
  }
  thread_ = std::thread([this] { Run(); });
}

KubeWatcher::~KubeWatcher() { Stop(); }

void KubeWatcher::Stop() {
  stop_ = true;
  http_->Cancel();
  if (thread_.joinable()) thread_.join();
}

void KubeWatcher::Run() {
  std::uint64_t told = 0;
  bool gathering = false;  // changes, for one Look at all of them
  std::int64_t changed_ms = 0;
  while (!stop_) {
    StartDue(clock_.MonotonicMillis());
    http_->Run(gathering ? std::chrono::milliseconds(kGatherMillis / 4) : kLongestWait / 4);
    const std::int64_t now = clock_.MonotonicMillis();
    if (!gathering && Generation() != told) {
      gathering = true;
      changed_ms = now;
    }
    if (!gathering || now - changed_ms < kGatherMillis || stop_) continue;
    gathering = false;
    told = Generation();
    take_(Look());
  }
}

void KubeWatcher::StartDue(std::int64_t now_ms) {
  for (const auto& informer : informers_) {
    const std::optional<KubeRequest> request = informer->Next(now_ms);
    if (!request) continue;
    Informer* const owner = informer.get();
    KubeHandler handler;
    handler.on_open = [owner] { owner->TakeOpen(); };
    handler.on_line = [owner](std::string_view line) { return owner->TakeLine(line); };
    handler.on_done = [this, owner](Result<KubeAnswer> answer) {
      owner->TakeDone(std::move(answer), clock_.MonotonicMillis());
    };
    http_->Start(*request, std::move(handler));
  }
}

std::uint64_t KubeWatcher::Generation() const {
  std::uint64_t sum = 0;
  for (const auto& informer : informers_) sum += informer->generation();
  return sum;
}

KubeView KubeWatcher::Look() {
  KubeObjects objects;
  KubeView view;
  view.asked = true;
  std::uint64_t plans_generation = 0;
  std::set<std::string> services;  // that several selectors may choose
  for (const auto& informer : informers_) {
    const InformerOptions& options = informer->options();
    view.asked = view.asked && (informer->synced() || !informer->trouble().empty());
    view.troubles[WatchedText(options)] = informer->trouble();
    for (const auto& [key, object] : informer->objects()) {
      switch (options.kind) {
        case KubeKind::kFlinkDeployment:
          objects.deployments.push_back(&object);
          break;
        case KubeKind::kFlinkSessionJob:
          objects.session_jobs.push_back(&object);
          break;
        case KubeKind::kService:
          if (services.insert(key).second) objects.services.push_back(&object);
          break;
        case KubeKind::kConfigMap:
          objects.config_maps.push_back(&object);
          break;
      }
    }
    if (options.kind == KubeKind::kConfigMap)
      plans_generation += informer->objects_generation() + 1;
  }
  view.clusters = FindClusters(objects);
  view.plans_changed = plans_generation != plans_generation_;
  plans_generation_ = plans_generation;
  if (view.plans_changed) view.plans = FindPlans(objects);
  return view;
}

}  // namespace fss
