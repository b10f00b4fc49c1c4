#include "sidecar/app/fleet/serve_fleet.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <utility>

#include "collectors/kube/kube_access.h"
#include "collectors/kube/kube_watcher.h"
#include "exporters/http/http_server.h"
#include "sidecar/app/alerts.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/fleet/cluster_fleet.h"
#include "sidecar/app/fleet/events.h"
#include "sidecar/app/fleet/fleet_board.h"
#include "sidecar/app/fleet/leader.h"
#include "sidecar/app/log.h"
#include "sidecar/app/poll_loop.h"
#include "sidecar/app/verb.h"

namespace fss {
namespace {

using std::chrono::milliseconds;

constexpr const char* kPlanSelector = "flink-state-sidecar/plan";
constexpr std::int64_t kStopGraceMillis = 3000;

std::string HostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

// Fractions for back-offs, from any thread.
RandomFraction Randomness() {
  struct Source {
    std::mutex mutex;
    std::mt19937_64 engine{std::random_device{}()};
  };
  return [source = std::make_shared<Source>()] {
    const std::lock_guard lock(source->mutex);
    return std::uniform_real_distribution<double>(0, 1)(source->engine);
  };
}

class LoopPoller final : public ClusterPoller {
 public:
  explicit LoopPoller(std::unique_ptr<PollLoop> loop) : loop_(std::move(loop)) {}
  ClusterView Poll() override {
    auto report = loop_->PollOnce();
    return {std::move(report), loop_->stats()};
  }
  void Cancel() override { loop_->CancelReads(); }

 private:
  const std::unique_ptr<PollLoop> loop_;
};

// Of a cluster whose address cannot be used: seen as one that does not answer, with the reason.
class NoPoller final : public ClusterPoller {
 public:
  NoPoller(std::string cluster, std::string reason)
      : cluster_(std::move(cluster)), reason_(std::move(reason)) {}
  ClusterView Poll() override {
    auto report = std::make_shared<Report>();
    report->cluster = cluster_;
    report->health.polls = 1;
    report->health.last_error = reason_;
    return {std::move(report), {}};
  }
  void Cancel() override {}

 private:
  const std::string cluster_;
  const std::string reason_;
};

// All that serves; destroyed in the opposite order.
struct Parts {
  std::unique_ptr<FleetServices> services;
  std::unique_ptr<HttpServer> server;
  std::unique_ptr<AlertSender> alerts;  // may be nullptr
  std::unique_ptr<EventWriter> events;  // may be nullptr
  std::unique_ptr<FleetBoard> board;
  std::unique_ptr<ClusterFleet> fleet;
  std::unique_ptr<Leader> leader;  // may be nullptr
  std::unique_ptr<KubeWatcher> watcher;
};

struct Settings {
  KubeAccess access;
  KubeWatchOptions watch;
  Shard shard;
  milliseconds interval{0};
  std::string lease_namespace;
};

Result<Settings> SettingsFromFlags() {
  Settings settings;
  const auto interval = DurationFlag("poll_interval", FLAGS_poll_interval);
  if (!interval.ok()) return interval.error();
  settings.interval = *interval;
  auto namespaces = KubernetesNamespacesFlag();
  if (!namespaces.ok()) return namespaces.error();
  settings.watch.namespaces = *std::move(namespaces);
  auto selectors = ServiceSelectorsFlag();
  if (!selectors.ok()) return selectors.error();
  settings.watch.service_selectors = *std::move(selectors);
  settings.watch.plan_selector = kPlanSelector;
  auto access = FindKubeAccess(
      {FLAGS_kubernetes_api_server, FLAGS_kubernetes_ca_file, FLAGS_kubernetes_token_file});
  if (!access.ok()) {
    const bool given = !FLAGS_kubernetes_api_server.empty();
    return Error{ErrorCode::kInvalidArgument, access.error().ToString(),
                 given ? "--kubernetes_api_server" : "--kubernetes"};
  }
  settings.access = *std::move(access);
  const auto shard = ParseShard(FLAGS_shard, HostName());
  if (!shard.ok()) return Error{ErrorCode::kInvalidArgument, shard.error().message, "--shard"};
  settings.shard = *shard;
  settings.lease_namespace =
      FLAGS_lease_namespace.empty() ? settings.access.namespace_name : FLAGS_lease_namespace;
  if (FLAGS_leader_election && settings.lease_namespace.empty()) {
    return Error{ErrorCode::kInvalidArgument, "the pod's namespace is not known: it must be given",
                 "--lease_namespace"};
  }
  return settings;
}

Result<std::unique_ptr<KubeHttp>> Connection(const Settings& settings) {
  auto http = NewKubeHttp(settings.access);
  if (http.ok()) return http;
  const bool ca_file = http.error().code == ErrorCode::kInvalidArgument;
  return Error{ErrorCode::kInvalidArgument, http.error().ToString(),
               ca_file ? "--kubernetes_ca_file" : "--kubernetes"};
}

LeaderOptions LeaderOptionsOf(const Settings& settings) {
  std::array<char, 20> suffix{};
  std::random_device random;
  std::snprintf(suffix.data(), suffix.size(), "_%08x", static_cast<unsigned>(random()));
  LeaderOptions options;
  options.election.identity = HostName() + suffix.data();
  options.namespace_name = settings.lease_namespace;
  options.lease = FLAGS_lease_name;
  if (settings.shard.count > 1) options.lease += "-" + std::to_string(settings.shard.index);
  return options;
}

std::unique_ptr<ClusterPoller> MakePoller(const ClusterTarget& target,
                                          const FleetServices& services) {
  auto loop = PollLoop::ForTarget(target, services, SystemClock());
  if (loop.ok()) return std::make_unique<LoopPoller>(*std::move(loop));
  Log(LogLevel::kWarn, "cluster cannot be polled",
      {{"cluster", target.name}, {"error", loop.error().ToString()}});
  return std::make_unique<NoPoller>(target.name, loop.error().ToString());
}

BoardHooks HooksOfBoard(Parts* parts) {
  BoardHooks hooks;
  hooks.set_targets = [parts](const std::vector<ClusterTarget>& targets) {
    parts->fleet->SetTargets(targets);
  };
  hooks.forget = [parts](const std::string& cluster, bool deleted) {
    if (parts->alerts != nullptr) parts->alerts->Forget(cluster, deleted);
    if (parts->events != nullptr) parts->events->Forget(cluster);
  };
  hooks.show = [parts](std::shared_ptr<const Fleet> fleet, bool ready) {
    parts->server->PublishFleet(std::move(fleet), ready);
  };
  return hooks;
}

FleetHooks HooksOfFleet(Parts* parts) {
  FleetHooks hooks;
  hooks.make = [parts](const ClusterTarget& target) {
    return MakePoller(target, *parts->services);
  };
  hooks.may_poll = [parts] { return !FLAGS_leader_election || parts->leader->Leads(); };
  hooks.publish = [parts](std::vector<std::shared_ptr<const ClusterView>> views) {
    parts->board->SetViews(std::move(views));
  };
  hooks.polled = [parts](const ClusterView& view) {
    if (parts->alerts != nullptr) parts->alerts->Offer(view.report, view.stats);
    if (parts->events != nullptr) {
      parts->events->Offer(view.report, parts->board->RegardingOf(view.report->cluster));
    }
  };
  return hooks;
}

// Starts everything; watching, which sets all in motion, comes last.
Status Start(const Settings& settings, Parts* parts) {
  auto services = FleetServices::FromFlags();
  if (!services.ok()) return services.error();
  parts->services = *std::move(services);
  auto watching = Connection(settings);
  if (!watching.ok()) return watching.error();
  auto server = NewHttpServer(FLAGS_listen, [](const std::string& line) {
    Log(LogLevel::kDebug, "HTTP connection", {{"error", line}});
  });
  if (!server.ok()) {
    return Error{server.error().code, server.error().ToString(), "--listen"};
  }
  parts->server = *std::move(server);
  auto alerts = AlertSenderFromFlags(SystemClock(), parts->server->port());
  if (!alerts.ok()) return alerts.error();
  parts->alerts = *std::move(alerts);
  if (FLAGS_kubernetes_events) {
    auto http = Connection(settings);
    if (!http.ok()) return http.error();
    parts->events = std::make_unique<EventWriter>(HostName(), *std::move(http), SystemClock());
  }
  parts->board = std::make_unique<FleetBoard>(settings.shard, FLAGS_leader_election,
                                              parts->services.get(), HooksOfBoard(parts));
  if (FLAGS_leader_election) {
    auto http = Connection(settings);
    if (!http.ok()) return http.error();
    // The fleet asks the leader, and the leader tells the fleet: it begins when both are there.
    parts->leader = std::make_unique<Leader>(
        LeaderOptionsOf(settings), *std::move(http), SystemClock(), Randomness(),
        [parts](bool leads) { parts->board->SetLeads(leads); });
  }
  FleetOptions options;
  options.interval_ms = settings.interval.count();
  parts->fleet = std::make_unique<ClusterFleet>(options, HooksOfFleet(parts), SystemClock());
  if (parts->leader != nullptr) parts->leader->Begin();
  Log(LogLevel::kInfo, "serving",
      {{"version", FSS_VERSION},
       {"listen", FLAGS_listen},
       {"port", std::to_string(parts->server->port())},
       {"kubernetes", settings.access.server},
       {"shard",
        std::to_string(settings.shard.index) + "/" + std::to_string(settings.shard.count)}});
  parts->watcher = std::make_unique<KubeWatcher>(
      settings.watch, *std::move(watching), SystemClock(), Randomness(),
      [parts](KubeView view) { parts->board->SetView(std::move(view)); });
  return OkStatus();
}

// Waits for a signal, and looks at plans and rules in between.
int WaitForSignal(const sigset_t& signals, milliseconds interval, const Parts& parts) {
  timespec wait{};
  wait.tv_sec = static_cast<time_t>(interval.count() / 1000);
  wait.tv_nsec = static_cast<long>(interval.count() % 1000) * 1'000'000;
  for (;;) {
    const int signal = sigtimedwait(&signals, nullptr, &wait);
    if (signal > 0) return signal;
    parts.services->Refresh();
    if (parts.alerts != nullptr) {
      const ClusterView own = parts.board->Own();
      parts.alerts->Offer(own.report, own.stats);
    }
  }
}

// Each cluster that is asked takes a few descriptors; containers' soft limit is often low.
void RaiseFileLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int ServeFleet(const sigset_t& signals) {
  const auto settings = SettingsFromFlags();
  if (!settings.ok()) return UsageError(settings.error().ToString());
  RaiseFileLimit();
  Parts parts;
  const Status started = Start(*settings, &parts);
  if (!started.ok()) return UsageError(started.error().ToString());
  const int signal = WaitForSignal(signals, settings->interval, parts);
  Log(LogLevel::kInfo, "stopping", {{"signal", signal == SIGTERM ? "SIGTERM" : "SIGINT"}});
  parts.watcher->Stop();
  const bool ended = parts.fleet->Stop(kStopGraceMillis);
  if (parts.leader != nullptr) parts.leader->Stop();
  if (!ended) {
    // A poll hangs on a JobManager. There is nothing to save: leave without it.
    std::_Exit(kExitClean);
  }
  if (parts.events != nullptr) parts.events->Stop();
  return kExitClean;
}

}  // namespace fss
