// Watches the API server on a thread of its own, and tells what clusters and plans there are.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "collectors/kube/discovery.h"
#include "collectors/kube/informer.h"
#include "collectors/kube/kube_http.h"
#include "sidecar/base/clock.h"

namespace fss {

struct KubeWatchOptions {
  std::vector<std::string> namespaces;         // empty: all
  std::vector<std::string> service_selectors;  // an object that any of them chooses is watched
  std::string plan_selector;
};

// What is known at one moment.
struct KubeView {
  std::vector<ClusterTarget> clusters;
  KubePlans plans;
  bool plans_changed = true;  // since the last view
  bool asked = false;         // every list was complete once, or refused
  // Why something is not up to date, by what is watched ("services in all namespaces"); empty text:
  // it is.
  std::map<std::string, std::string> troubles;
};

// Stop from the one that made it.
class KubeWatcher {
 public:
  // `take` is called on the watcher's thread, soon after something changed; it may take a while,
  // but what happens meanwhile has to wait. `clock` outlives it.
  KubeWatcher(const KubeWatchOptions& options, std::unique_ptr<KubeHttp> http, const Clock& clock,
              const RandomFraction& random, std::function<void(KubeView)> take);
  ~KubeWatcher();  // Stop
  KubeWatcher(const KubeWatcher&) = delete;
  KubeWatcher& operator=(const KubeWatcher&) = delete;

  void Stop();

 private:
  void Run();
  void StartDue(std::int64_t now_ms);
  std::uint64_t Generation() const;
  KubeView Look();

  const std::unique_ptr<KubeHttp> http_;
  const Clock& clock_;
  const std::function<void(KubeView)> take_;
  std::vector<std::unique_ptr<Informer>> informers_;
  std::uint64_t plans_generation_ = 0;
  std::atomic<bool> stop_{false};
  std::thread thread_;  // last: it uses all above
};

// "services (component=jobmanager) in flink-prod".
std::string WatchedText(const InformerOptions& options);

}  // namespace fss
