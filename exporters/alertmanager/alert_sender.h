// Sends alerts on a thread of its own, so that no Alertmanager holds up a poll.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "exporters/alertmanager/alert_book.h"
#include "exporters/alertmanager/alert_poster.h"
#include "sidecar/base/clock.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// Alerts in one POST: some 200 KB.
inline constexpr std::size_t kAlertsPerPost = 200;

// After each look at the book: how many alerts were due, and what became of them; no outcomes when
// none was. Called on the sender's thread.
using AlertRoundLog =
    std::function<void(std::size_t alerts, const std::vector<PostOutcome>& outcomes)>;

// Offer from any thread; Stop from the one that made it.
class AlertSender {
 public:
  // `clock` outlives it. `generator_url`: where a reader finds the findings.
  AlertSender(AlertBookOptions options, std::unique_ptr<AlertPoster> poster, const Clock& clock,
              std::string generator_url, AlertRoundLog log);
  ~AlertSender();  // Stop
  AlertSender(const AlertSender&) = delete;
  AlertSender& operator=(const AlertSender&) = delete;

  // Hands over the outcome of a poll; returns at once. A report of the same cluster that waits
  // still is replaced: the newest wins. Between reports the last one is looked at again, so that a
  // poll that hangs raises its own alert and what fires is told on.
  void Offer(std::shared_ptr<const Report> report, SidecarStats stats);

  // The cluster is no longer polled here: what fires of it is resolved, if it was deleted, or told
  // on by whoever polls it now, if not.
  void Forget(const std::string& cluster, bool deleted);

  // Breaks off a post under way and ends the thread, within about a second. What fires lapses in
  // Alertmanager after its time, as when Prometheus ends. May be called again.
  void Stop();

 private:
  struct Cluster {
    std::shared_ptr<const Report> report;
    SidecarStats stats;
    std::shared_ptr<AlertBook> book;                          // the thread's own
    std::optional<std::int64_t> forgotten_ms = std::nullopt;  // monotonic; kept until it is told
  };
  using Clusters = std::map<std::string, Cluster>;

  void Run();
  Clusters Due();
  void Round(const Clusters& clusters);

  const AlertBookOptions book_options_;
  const std::unique_ptr<AlertPoster> poster_;
  const Clock& clock_;
  const std::string generator_url_;
  const AlertRoundLog log_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clusters clusters_;  // by name
  // Names of those with a new report; all are looked at again when it is empty for a while.
  std::set<std::string> fresh_;
  std::int64_t look_at_all_ms_ = 0;  // monotonic
  bool stop_ = false;
  std::thread thread_;  // last: it uses all above
};

}  // namespace fss
