#include "exporters/alertmanager/alert_sender.h"

#include <algorithm>
#include <chrono>
#include <iterator>
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
    : book_options_(std::move(options)),
      poster_(std::move(poster)),
      clock_(clock),
      generator_url_(std::move(generator_url)),
      log_(std::move(log)),
      thread_([this] { Run(); }) {}

AlertSender::~AlertSender() { Stop(); }

void AlertSender::Offer(std::shared_ptr<const Report> report, SidecarStats stats) {
  const std::lock_guard lock(mutex_);
  const std::string& name = report->cluster;
  Cluster& cluster = clusters_[name];
  fresh_.insert(name);
  if (cluster.book == nullptr) cluster.book = std::make_shared<AlertBook>(book_options_);
  cluster.report = std::move(report);
  cluster.stats = std::move(stats);
  cluster.forgotten_ms.reset();
  changed_.notify_all();
}

void AlertSender::Forget(const std::string& name, bool deleted) {
  const std::lock_guard lock(mutex_);
  const auto cluster = clusters_.find(name);
  if (cluster == clusters_.end()) return;
  fresh_.erase(name);
  if (!deleted) {
    clusters_.erase(cluster);
    return;
  }
  // A cluster that answers and has no jobs: all that fires of it is over.
  auto gone = std::make_shared<Report>();
  gone->cluster = name;
  gone->health.up = true;
  cluster->second.report = std::move(gone);
  cluster->second.stats = {};
  cluster->second.forgotten_ms = clock_.MonotonicMillis();
  fresh_.insert(name);
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
    changed_.wait_for(lock, kLookAgain, [this] { return stop_ || !fresh_.empty(); });
    if (stop_ || clusters_.empty()) continue;
    const Clusters due = Due();
    lock.unlock();
    Round(due);
    lock.lock();
  }
}

// With mutex_ held: those with a new report, and, once in a while, all.
AlertSender::Clusters AlertSender::Due() {
  const std::int64_t now = clock_.MonotonicMillis();
  std::erase_if(clusters_, [now](const auto& item) {
    const auto& forgotten = item.second.forgotten_ms;
    return forgotten.has_value() && now - *forgotten > kAlertResolvedMillis;
  });
  const bool all = clusters_.size() == 1 || fresh_.empty() || now >= look_at_all_ms_;
  if (all) look_at_all_ms_ = now + std::chrono::milliseconds(kLookAgain).count();
  Clusters due;
  for (const auto& [name, cluster] : clusters_) {
    if (all || fresh_.contains(name)) due.emplace(name, cluster);
  }
  fresh_.clear();
  return due;
}

void AlertSender::Round(const Clusters& clusters) {
  std::vector<Alert> alerts;
  for (const auto& [name, cluster] : clusters) {
    std::vector<Alert> of_cluster =
        cluster.book->Update(*cluster.report, cluster.stats, clock_.WallMillis());
    std::move(of_cluster.begin(), of_cluster.end(), std::back_inserter(alerts));
  }
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
