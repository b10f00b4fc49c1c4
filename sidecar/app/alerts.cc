#include "sidecar/app/alerts.h"

#include <unistd.h>

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "exporters/alertmanager/alertmanager_client.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/log.h"

namespace fss {
namespace {

// What people call this sidecar: the host of --listen, or the machine's name (in Kubernetes the
// pod's) where it listens on all addresses.
std::string Instance(int port) {
  std::string host = FLAGS_listen.substr(0, FLAGS_listen.rfind(':'));
  if (host.empty() || host == "0.0.0.0" || host == "[::]") {
    std::array<char, 256> name{};
    host = gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
  }
  return host + ":" + std::to_string(port);
}

// One line when an Alertmanager begins to fail, and when it takes alerts again.
AlertRoundLog LogRounds() {
  return [troubles = std::map<std::string, TroubleLog>()](
             std::size_t alerts, const std::vector<PostOutcome>& outcomes) mutable {
    for (const PostOutcome& outcome : outcomes) {
      TroubleLog& trouble =
          troubles.try_emplace(outcome.target, "posting alerts to " + outcome.target).first->second;
      if (outcome.status.ok()) {
        trouble.Recovered();
        Log(LogLevel::kDebug, "alerts posted",
            {{"alertmanager", outcome.target}, {"alerts", std::to_string(alerts)}});
      } else {
        trouble.Failed(outcome.status.error().ToString());
      }
    }
  };
}

}  // namespace

Result<std::unique_ptr<AlertSender>> AlertSenderFromFlags(const Clock& clock, int port) {
  AlertmanagerOptions options;
  options.urls = AlertmanagerUrlsFlag();
  if (options.urls.empty()) return std::unique_ptr<AlertSender>();
  const auto timeout = DurationFlag("request_timeout", FLAGS_request_timeout);
  if (!timeout.ok()) return timeout.error();
  const auto interval = DurationFlag("poll_interval", FLAGS_poll_interval);
  if (!interval.ok()) return interval.error();
  const auto runbooks = RunbookBaseUrlFlag();
  if (!runbooks.ok()) return runbooks.error();
  options.timeout = *timeout;
  options.ca_file = FLAGS_ca_file;
  Result<std::unique_ptr<AlertPoster>> client = NewAlertmanagerClient(options);
  if (!client.ok()) {
    const bool ca_file = !FLAGS_ca_file.empty() && client.error().context == FLAGS_ca_file;
    return Error{ErrorCode::kInvalidArgument, client.error().ToString(),
                 ca_file ? "--ca_file" : "--alertmanager_url"};
  }
  const std::string instance = Instance(port);
  AlertBookOptions book{instance, *runbooks, interval->count()};
  return std::make_unique<AlertSender>(std::move(book), *std::move(client), clock,
                                       "http://" + instance + "/api/v1/findings", LogRounds());
}

}  // namespace fss
