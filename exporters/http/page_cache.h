// The page of /metrics of many clusters, rendered when somebody asks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "exporters/http/routes.h"
#include "sidecar/model/fleet.h"

namespace fss {

// Safe from any thread. Who asks while another one's page is being rendered waits for that.
class PageCache {
 public:
  using SteadyClock = std::chrono::steady_clock;
  using Now = std::function<SteadyClock::time_point()>;
  explicit PageCache(Now now = &SteadyClock::now) : now_(std::move(now)) {}

  // The page of `fleet`, or of an earlier one as long as that page is fresh enough: for a second,
  // and for ten times as long as it took to render.
  std::shared_ptr<const MetricsBody> Of(const std::shared_ptr<const Fleet>& fleet);

 private:
  const Now now_;
  std::mutex mutex_;
  std::weak_ptr<const Fleet> fleet_;  // what page_ shows; its reports are not kept for that
  std::shared_ptr<const MetricsBody> page_;
  SteadyClock::time_point fresh_until_;
};

}  // namespace fss
