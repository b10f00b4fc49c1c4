#include "exporters/alertmanager/alert_sender.h"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "exporters/json/alert_json.h"

namespace fss {
namespace {

// How often the last report is looked at again when no other comes.
constexpr std::chrono::seconds kLookAgain{15};

}  // namespace

AlertSender::AlertSender(AlertBookOptions options, std::unique_ptr<AlertPoster> poster,
                         const Clock& clock, std::string generator_url, AlertRoundLog log)
    : book_(std::move(options)),
      poster_(std::move(poster)),
      clock_(clock),
      generator_url_(std::move(generator_url)),
      log_(std::move(log)),
      thread_([this] { Run(); }) {}

AlertSender::~AlertSender() { Stop(); }

void AlertSender::Offer(std::shared_ptr<const Report> report, SidecarStats stats) {
  const std::lock_guard lock(mutex_);
  latest_ = {std::move(report), std::move(stats)};
  fresh_ = true;
  changed_.notify_all();
}

void AlertSender::Stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  poster_->Cancel();
  if (thread_.joinable()) thread_.join();
}

void AlertSender::Run() {
  std::unique_lock lock(mutex_);
  while (!stop_) {
    changed_.wait_for(lock, kLookAgain, [this] { return stop_ || fresh_; });
    if (stop_ || latest_.report == nullptr) continue;
    fresh_ = false;
    const Offered offered = latest_;
    lock.unlock();
    Round(offered);
    lock.lock();
  }
}

void AlertSender::Round(const Offered& offered) {
  const std::vector<Alert> alerts =
      book_.Update(*offered.report, offered.stats, clock_.WallMillis());
  std::vector<std::string> bodies;
  for (std::span<const Alert> rest(alerts); !rest.empty();) {
    const std::size_t count = std::min(rest.size(), kAlertsPerPost);
    bodies.push_back(AlertsJson(rest.first(count), generator_url_));
    rest = rest.subspan(count);
  }
  const std::vector<PostOutcome> outcomes =
      bodies.empty() ? std::vector<PostOutcome>() : poster_->Post(bodies);
  std::unique_lock lock(mutex_);
  const bool stopped = stop_;
  lock.unlock();
  if (!stopped) log_(alerts.size(), outcomes);  // a post that Stop broke off is no trouble
}

}  // namespace fss
