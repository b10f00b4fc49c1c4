// serve: the sidecar. Polls, analyses and exports until SIGTERM or SIGINT.
#include <pthread.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "exporters/http/http_server.h"
#include "sidecar/app/alerts.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/fleet/serve_fleet.h"
#include "sidecar/app/poll_loop.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

using std::chrono::milliseconds;

// How long a poll in progress may hold up the end; a pod gets 30 s before SIGKILL.
constexpr std::chrono::seconds kStopGrace{3};

// Polls at a fixed rate on its own thread, publishing every outcome.
class Poller {
 public:
  // `alerts` may be nullptr.
  Poller(PollLoop& loop, HttpServer& server, AlertSender* alerts, milliseconds interval)
      : loop_(loop), server_(server), alerts_(alerts), interval_(interval), thread_([this] {
          Run();
        }) {}

  // False when the poll in progress did not end within the grace: the thread still runs.
  bool Stop() {
    std::unique_lock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
    loop_.CancelReads();
    if (!changed_.wait_for(lock, kStopGrace, [this] { return ended_; })) return false;
    lock.unlock();
    thread_.join();
    return true;
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      const auto begin = std::chrono::steady_clock::now();
      lock.unlock();
      const std::shared_ptr<const Report> report = loop_.PollOnce();
      server_.Publish(report, loop_.stats(), /*ready=*/true);
      if (alerts_ != nullptr) alerts_->Offer(report, loop_.stats());
      lock.lock();
      changed_.wait_until(lock, begin + interval_, [this] { return stop_; });
    }
    ended_ = true;
    changed_.notify_all();
  }

  PollLoop& loop_;
  HttpServer& server_;
  AlertSender* const alerts_;
  const milliseconds interval_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  bool ended_ = false;
  std::thread thread_;  // last: it uses all above
};

// Signals that end the sidecar are taken by one waiting thread: no handler, no race. Blocked
// before any other thread exists, so that all inherit it.
sigset_t BlockEndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

int RunServe(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) return UsageError("serve takes no argument: '" + arguments[0] + "'");
  const auto interval = DurationFlag("poll_interval", FLAGS_poll_interval);
  if (!interval.ok()) return UsageError(interval.error().ToString());
  const Status kubernetes = CheckKubernetesFlags();
  if (!kubernetes.ok()) return UsageError(kubernetes.error().ToString());
  const sigset_t signals = BlockEndingSignals();
  if (FLAGS_kubernetes) return ServeFleet(signals);
  auto loop = PollLoop::FromFlags(SystemClock());
  if (!loop.ok()) return UsageError(loop.error().ToString());
  // A client that breaks off is everyday life: seen at the debug level alone.
  auto server = NewHttpServer(FLAGS_listen, [](const std::string& line) {
    Log(LogLevel::kDebug, "HTTP connection", {{"error", line}});
  });
  if (!server.ok()) {
    return UsageError(Error{server.error().code, server.error().ToString(), "--listen"}.ToString());
  }
  const auto alerts = AlertSenderFromFlags(SystemClock(), (*server)->port());
  if (!alerts.ok()) return UsageError(alerts.error().ToString());
  Log(LogLevel::kInfo, "serving",
      {{"version", FSS_VERSION},
       {"listen", FLAGS_listen},
       {"port", std::to_string((*server)->port())},
       {"cluster", FLAGS_cluster}});

  Poller poller(**loop, **server, alerts->get(), *interval);
  int signal = 0;
  sigwait(&signals, &signal);
  Log(LogLevel::kInfo, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  if (!poller.Stop()) {
    // A poll hangs on the JobManager. There is nothing to save: leave without it.
    std::_Exit(kExitClean);
  }
  return kExitClean;
}

constexpr auto kServeFlags = std::to_array<std::string_view>({"jobmanager_url",
                                                              "plan_dir",
                                                              "poll_interval",
                                                              "listen",
                                                              "rules_file",
                                                              "history_file",
                                                              "history_retention",
                                                              "history_max_bytes",
                                                              "disk_limit_bytes",
                                                              "state_disk_path",
                                                              "record_dir",
                                                              "anonymize",
                                                              "checkpoint_root",
                                                              "s3_endpoint",
                                                              "s3_region",
                                                              "s3_addressing",
                                                              "request_timeout",
                                                              "cluster",
                                                              "ca_file",
                                                              "tls_skip_verify",
                                                              "uid_format",
                                                              "alertmanager_url",
                                                              "runbook_base_url",
                                                              "log_format",
                                                              "log_level",
                                                              "kubernetes",
                                                              "kubernetes_namespaces",
                                                              "kubernetes_service_selector",
                                                              "kubernetes_api_server",
                                                              "kubernetes_token_file",
                                                              "kubernetes_ca_file",
                                                              "kubernetes_events",
                                                              "leader_election",
                                                              "lease_name",
                                                              "lease_namespace",
                                                              "shard"});

}  // namespace

const Verb kServeVerb = {"serve", "[flags]",
                         "Runs beside the JobManager: polls it, exports metrics and the API until "
                         "SIGTERM.",
                         kServeFlags, RunServe};

}  // namespace fss
