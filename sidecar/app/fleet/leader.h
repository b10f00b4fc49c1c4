// Takes part in a leader election, on a thread of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "collectors/kube/kube_http.h"
#include "sidecar/app/fleet/election.h"
#include "sidecar/app/log.h"
#include "sidecar/base/clock.h"

namespace fss {

struct LeaderOptions {
  ElectionOptions election;
  std::string namespace_name;
  std::string lease;
};

// Leads from any thread; Stop from the one that made it.
class Leader {
 public:
  // `changed(leads)` is called on the leader's thread when it begins to lead and when it no longer
  // does, and once with false when it is known that another one leads. `clock` outlives it.
  Leader(LeaderOptions options, std::unique_ptr<KubeHttp> http, const Clock& clock,
         std::function<double()> random, std::function<void(bool leads)> changed);
  ~Leader();  // Stop
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;

  // Starts to take part. Nothing is told before.
  void Begin();

  // True as long as this replica leads, by the clock: also while its thread hangs.
  bool Leads() const;

  // Hands the Lease back, so that another one leads at once. Whatever polls must have stopped.
  void Stop();

 private:
  void Run();
  void Round();
  void Tell();
  Result<Lease> Write(const Lease& lease, bool create);

  const LeaderOptions options_;
  const std::unique_ptr<KubeHttp> http_;
  const Clock& clock_;
  const std::function<double()> random_;
  const std::function<void(bool leads)> changed_;
  Election election_;
  TroubleLog trouble_;
  std::atomic<std::int64_t> leads_until_ms_{0};
  bool told_ = false;
  bool leads_ = false;  // as told
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;  // none before Begin
};

}  // namespace fss
