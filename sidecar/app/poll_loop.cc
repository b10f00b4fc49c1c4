#include "sidecar/app/poll_loop.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "collectors/rest_client.h"
#include "sidecar/analysis/correlator.h"
#include "sidecar/app/flags.h"

namespace fss {
namespace {

constexpr const char* kFlinkCollector = "flink";
constexpr const char* kPlanCollector = "plans";

Result<std::vector<std::unique_ptr<RestClient>>> ClientsFromFlags(RestCounters* counters) {
  Result<std::vector<std::string>> urls = JobManagerUrlsFlag();
  if (!urls.ok()) return urls.error();
  const auto timeout = DurationFlag("request_timeout", FLAGS_request_timeout);
  if (!timeout.ok()) return timeout.error();
  RestClientOptions options;
  options.request_timeout = *timeout;
  options.ca_file = FLAGS_ca_file;
  options.verify_tls = !FLAGS_tls_skip_verify;

  std::vector<std::unique_ptr<RestClient>> clients;
  for (const std::string& url : *urls) {
    Result<std::unique_ptr<RestClient>> client = NewCppRestClient(url, options);
    if (!client.ok()) {
      return Error{ErrorCode::kInvalidArgument, client.error().ToString(), "--jobmanager_url"};
    }
    clients.push_back(NewCountingRestClient(*std::move(client), counters));
  }
  return clients;
}

EvaluatorOptions EvaluatorOptionsFromFlags() {
  EvaluatorOptions options;
  options.uid_formats = DefaultUidFormats();
  if (!FLAGS_uid_format.empty()) {
    options.uid_formats.insert(options.uid_formats.begin(), FLAGS_uid_format);
  }
  options.plans_configured = !FLAGS_plan_dir.empty();
  return options;
}

}  // namespace

Result<std::unique_ptr<PollLoop>> PollLoop::FromFlags(const Clock& clock) {
  std::unique_ptr<PollLoop> loop(new PollLoop(clock, Evaluator(EvaluatorOptionsFromFlags())));
  auto clients = ClientsFromFlags(&loop->counters_);
  if (!clients.ok()) return clients.error();
  loop->collector_ = std::make_unique<FlinkCollector>(FLAGS_cluster, std::move(*clients), clock);
  if (!FLAGS_plan_dir.empty()) loop->plans_ = std::make_unique<PlanFolder>(FLAGS_plan_dir);
  return loop;
}

PollLoop::PollLoop(const Clock& clock, Evaluator evaluator)
    : clock_(clock),
      evaluator_(std::move(evaluator)),
      library_(std::make_shared<const PlanLibrary>()) {
  auto nothing_yet = std::make_shared<Report>();
  nothing_yet->cluster = FLAGS_cluster;
  last_ = std::move(nothing_yet);
}

std::shared_ptr<const Report> PollLoop::PollOnce() {
  const std::int64_t begin = clock_.MonotonicMillis();
  RefreshPlans();

  std::shared_ptr<Report> report;
  const Result<const ClusterSnapshot*> snapshot = collector_->PollInPlace();
  ++health_.polls;
  health_.up = snapshot.ok();
  stats_.collector_success[kFlinkCollector] = snapshot.ok();
  if (snapshot.ok()) {
    report = std::make_shared<Report>(evaluator_.Evaluate(**snapshot, *library_));
    health_.stale = false;
    health_.last_error.clear();
    health_.last_success_ms = clock_.WallMillis();
    poll_trouble_.Recovered();
  } else {
    // Unreachable is not "no jobs": the last numbers stand, marked as old.
    report = std::make_shared<Report>(*last_);
    health_.stale = health_.last_success_ms.has_value();
    health_.last_error = snapshot.error().ToString();
    poll_trouble_.Failed(health_.last_error);
  }
  CountPoll(clock_.MonotonicMillis() - begin);
  report->health = health_;
  report->plans_loaded = library_->plans.size();
  report->plans_unreadable = library_->unreadable.size();
  last_ = report;
  return report;
}

void PollLoop::RefreshPlans() {
  if (!plans_) return;
  const Result<std::shared_ptr<const PlanLibrary>> fresh = plans_->Refresh();
  bool good = fresh.ok();
  if (!fresh.ok()) {
    plan_trouble_.Failed(fresh.error().ToString());
  } else {
    plan_trouble_.Recovered();
    if (*fresh != library_) {
      library_ = *fresh;
      Log(LogLevel::kInfo, "plans read",
          {{"plans", std::to_string(library_->plans.size())},
           {"unreadable", std::to_string(library_->unreadable.size())}});
      for (const UnreadablePlan& plan : library_->unreadable) {
        Log(LogLevel::kWarn, "plan cannot be read", {{"file", plan.file}, {"error", plan.error}});
      }
      for (const CompiledPlan& plan : library_->plans) {
        for (const std::string& problem : plan.problems) {
          Log(LogLevel::kWarn, "odd plan", {{"file", plan.file}, {"problem", problem}});
        }
      }
    }
    good = library_->unreadable.empty();
  }
  stats_.collector_success[kPlanCollector] = good;
}

void PollLoop::CountPoll(std::int64_t millis) {
  const double seconds = static_cast<double>(millis) / 1000.0;
  const auto bound =
      std::lower_bound(kPollDurationBounds.begin(), kPollDurationBounds.end(), seconds);
  ++stats_.poll_durations[static_cast<std::size_t>(bound - kPollDurationBounds.begin())];
  stats_.poll_duration_sum_seconds += seconds;
  stats_.rest_requests = counters_.requests;
  stats_.rest_response_bytes = counters_.response_bytes;
  health_.last_poll_duration_ms = millis;
}

}  // namespace fss
