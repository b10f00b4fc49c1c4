#include "sidecar/app/poll_loop.h"

#include <malloc.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "collectors/curl_rest_client.h"
#include "collectors/disk_space.h"
#include "collectors/rest_client.h"
#include "sidecar/analysis/correlator.h"
#include "sidecar/analysis/sqlite_history_store.h"
#include "sidecar/app/checkpoints.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/history.h"

namespace fss {
namespace {

constexpr const char* kFlinkCollector = "flink";
constexpr const char* kPlanCollector = "plans";
constexpr const char* kRulesCollector = "rules";
constexpr const char* kHistoryCollector = "history";
constexpr const char* kDiskCollector = "disk";
constexpr const char* kCheckpointCollector = "checkpoints";
constexpr const char* kRecordCollector = "record";

// Of many clusters each has a few jobs: few questions at a time, and answers of a few megabytes.
constexpr std::size_t kFleetConcurrency = 4;
constexpr std::size_t kFleetBodyBytes = 8U << 20U;

Result<RestClientOptions> ClientOptionsFromFlags() {
  const auto timeout = DurationFlag("request_timeout", FLAGS_request_timeout);
  if (!timeout.ok()) return timeout.error();
  RestClientOptions options;
  options.request_timeout = *timeout;
  options.ca_file = FLAGS_ca_file;
  options.verify_tls = !FLAGS_tls_skip_verify;
  return options;
}

Result<std::vector<std::unique_ptr<RestClient>>> ClientsOf(const ClusterTarget& target,
                                                           RestCounters* counters) {
  auto options = ClientOptionsFromFlags();
  if (!options.ok()) return options.error();
  options->max_concurrency = kFleetConcurrency;
  options->max_body_bytes = kFleetBodyBytes;
  std::vector<std::unique_ptr<RestClient>> clients;
  for (const std::string& url : target.urls) {
    auto client = NewCurlRestClient(url, *options);
    if (!client.ok()) return client.error();
    clients.push_back(NewCountingRestClient(*std::move(client), counters));
  }
  return clients;
}

Result<std::vector<std::unique_ptr<RestClient>>> ClientsFromFlags(RestCounters* counters) {
  Result<std::vector<std::string>> urls = JobManagerUrlsFlag();
  if (!urls.ok()) return urls.error();
  const auto options = ClientOptionsFromFlags();
  if (!options.ok()) return options.error();

  std::vector<std::unique_ptr<RestClient>> clients;
  for (const std::string& url : *urls) {
    Result<std::unique_ptr<RestClient>> client = NewCppRestClient(url, *options);
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

// nullptr without --record_dir.
Result<std::unique_ptr<Recorder>> RecorderFromFlags() {
  if (FLAGS_record_dir.empty()) {
    if (!FLAGS_anonymize) return std::unique_ptr<Recorder>();
    return Error{ErrorCode::kInvalidArgument, "there is nothing to anonymize without --record_dir",
                 "--anonymize"};
  }
  auto recorder = Recorder::Open(FLAGS_record_dir, FLAGS_anonymize);
  if (recorder.ok()) return recorder;
  return Error{ErrorCode::kInvalidArgument, recorder.error().ToString(), "--record_dir"};
}

}  // namespace

Result<std::unique_ptr<PollLoop>> PollLoop::FromFlags(const Clock& clock) {
  auto file = HistoryFileFromFlags();
  if (!file.ok()) return file.error();
  auto history = *file == nullptr ? nullptr : NewSqliteHistoryStore(*file, FLAGS_cluster);
  std::unique_ptr<PollLoop> loop(new PollLoop(
      clock, Evaluator(EvaluatorOptionsFromFlags(), std::move(history)), FLAGS_cluster, nullptr));
  const Status timed = loop->TakeInterval();
  if (!timed.ok()) return timed.error();
  auto clients = ClientsFromFlags(&loop->counters_);
  if (!clients.ok()) return clients.error();
  auto recorder = RecorderFromFlags();
  if (!recorder.ok()) return recorder.error();
  loop->recorder_ = *std::move(recorder);
  loop->collector_ = std::make_unique<FlinkCollector>(FLAGS_cluster, std::move(*clients), clock,
                                                      loop->recorder_.get());
  if (!FLAGS_plan_dir.empty()) loop->plans_ = std::make_unique<PlanFolder>(FLAGS_plan_dir);
  if (!FLAGS_rules_file.empty()) {
    loop->rules_file_ = std::make_unique<RulesFile>(FLAGS_rules_file);
    const auto rules = loop->rules_file_->Refresh();
    if (!rules.ok()) {
      return Error{ErrorCode::kInvalidArgument, rules.error().ToString(), "--rules_file"};
    }
  }
  const Status opened = loop->OpenCheckpoints();
  if (!opened.ok()) return opened.error();
  if (!FLAGS_state_disk_path.empty()) {
    const auto free_bytes = FreeBytes(FLAGS_state_disk_path);
    if (!free_bytes.ok()) {
      return Error{ErrorCode::kInvalidArgument, free_bytes.error().ToString(), "--state_disk_path"};
    }
  }
  return loop;
}

Result<std::unique_ptr<PollLoop>> PollLoop::ForTarget(const ClusterTarget& target,
                                                      const FleetServices& services,
                                                      const Clock& clock) {
  std::unique_ptr<PollLoop> loop(
      new PollLoop(clock, Evaluator(EvaluatorOptionsFromFlags(), services.HistoryOf(target.name)),
                   target.name, &services));
  const Status timed = loop->TakeInterval();
  if (!timed.ok()) return timed.error();
  auto clients = ClientsOf(target, &loop->counters_);
  if (!clients.ok()) return clients.error();
  loop->collector_ = std::make_unique<FlinkCollector>(target.name, std::move(*clients), clock);
  const Status opened = loop->OpenCheckpoints();
  if (!opened.ok()) return opened.error();
  return loop;
}

PollLoop::PollLoop(const Clock& clock, Evaluator evaluator, const std::string& cluster,
                   const FleetServices* services)
    : clock_(clock),
      services_(services),
      evaluator_(std::move(evaluator)),
      library_(std::make_shared<const PlanLibrary>()),
      poll_trouble_(services == nullptr ? "poll" : "poll of " + cluster) {
  auto nothing_yet = std::make_shared<Report>();
  nothing_yet->cluster = cluster;
  last_ = std::move(nothing_yet);
}

Status PollLoop::TakeInterval() {
  const auto interval = DurationFlag("poll_interval", FLAGS_poll_interval);
  if (!interval.ok()) return interval.error();
  health_.poll_interval_ms = interval->count();
  return OkStatus();
}

Status PollLoop::OpenCheckpoints() {
  auto store = CheckpointStoreFromFlags(clock_);
  if (!store.ok()) return store.error();
  if (*store != nullptr) {
    checkpoints_ = std::make_unique<CheckpointContents>(*std::move(store), clock_);
  }
  const auto disk_limit = DiskLimitFlag();
  if (!disk_limit.ok()) return disk_limit.error();
  surroundings_.disk.limit = *disk_limit;
  return OkStatus();
}

// What the clusters share, as of now. The sidecar's own report counts the plans.
void PollLoop::TakeShared() {
  library_ = services_->PlansOf(last_->cluster);
  evaluator_.SetPlansConfigured(services_->plans_configured());
  const auto rules = services_->rules();
  if (rules == rules_) return;
  rules_ = rules;
  surroundings_.rules = *rules_;
}

std::shared_ptr<const Report> PollLoop::PollOnce() {
  const std::int64_t begin = clock_.MonotonicMillis();
  if (services_ != nullptr) TakeShared();
  RefreshPlans();
  RefreshRules();

  std::shared_ptr<Report> report;
  const Result<const ClusterSnapshot*> snapshot = collector_->PollInPlace();
  ++health_.polls;
  health_.up = snapshot.ok();
  stats_.collector_success[kFlinkCollector] = snapshot.ok();
  if (snapshot.ok()) {
    LookAtDisk();
    report = evaluator_.Evaluate(**snapshot, *library_, surroundings_, ReadCheckpoints(**snapshot));
    NoteHistory();
    RecordJobs(**snapshot, *report);
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
  if (services_ == nullptr) {
    report->plans_loaded = library_->plans.size();
    report->plans_unreadable = library_->unreadable.size();
  }
  last_ = report;
  // The report before and what made this one leave holes: for 1,000 jobs a third of the memory. Of
  // many clusters the fleet does it, once for several polls.
  if (services_ == nullptr) malloc_trim(0);
  return report;
}

void PollLoop::CancelReads() {
  if (checkpoints_) checkpoints_->Cancel();
}

void PollLoop::RefreshPlans() {
  if (plans_ == nullptr) return;
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

void PollLoop::RefreshRules() {
  if (!rules_file_) return;
  const auto fresh = rules_file_->Refresh();
  stats_.collector_success[kRulesCollector] = fresh.ok();
  if (!fresh.ok()) {
    rules_trouble_.Failed(fresh.error().ToString());
    return;
  }
  rules_trouble_.Recovered();
  if (*fresh == rules_) return;
  rules_ = *fresh;
  surroundings_.rules = *rules_;
  Log(LogLevel::kInfo, "rules read",
      {{"acknowledgements", std::to_string(rules_->acknowledgements.size())},
       {"jobs", std::to_string(rules_->jobs.size())}});
}

void PollLoop::LookAtDisk() {
  if (FLAGS_state_disk_path.empty()) return;
  const Result<std::int64_t> free_bytes = FreeBytes(FLAGS_state_disk_path);
  stats_.collector_success[kDiskCollector] = free_bytes.ok();
  if (free_bytes.ok()) {
    disk_trouble_.Recovered();
    surroundings_.disk.free = *free_bytes;
  } else {
    disk_trouble_.Failed(free_bytes.error().ToString());
    surroundings_.disk.free.reset();
  }
}

const CheckpointLibrary& PollLoop::ReadCheckpoints(const ClusterSnapshot& snapshot) {
  static const CheckpointLibrary kNone;
  if (!checkpoints_) return kNone;
  const CheckpointLibrary& library = checkpoints_->Refresh(snapshot);
  const std::string& trouble = checkpoints_->trouble();
  stats_.collector_success[kCheckpointCollector] = trouble.empty();
  if (trouble.empty()) {
    checkpoint_trouble_.Recovered();
  } else {
    checkpoint_trouble_.Failed(trouble);
  }
  const std::string unreachable = checkpoints_->TakeUnreachable();
  if (!unreachable.empty()) {
    Log(LogLevel::kWarn, "checkpoints cannot be reached", {{"error", unreachable}});
  }
  return library;
}

void PollLoop::NoteHistory() {
  if (FLAGS_history_file.empty()) return;
  const std::string& trouble = evaluator_.history_trouble();
  stats_.collector_success[kHistoryCollector] = trouble.empty();
  if (trouble.empty()) {
    history_trouble_.Recovered();
  } else {
    history_trouble_.Failed(trouble);
  }
}

void PollLoop::RecordJobs(const ClusterSnapshot& snapshot, const Report& report) {
  if (!recorder_) return;
  recorder_->Record(snapshot);
  std::unordered_map<std::string_view, const CompiledPlan*> plans;
  for (const CompiledPlan& plan : library_->plans) plans.emplace(plan.file, &plan);
  // The report's jobs are the snapshot's, in its order.
  for (std::size_t j = 0; j < report.jobs.size(); ++j) {
    const auto plan = plans.find(report.jobs[j].plan);
    if (plan == plans.end()) continue;
    recorder_->RecordPlan(snapshot.jobs[j], *plan->second, library_->generation,
                          [this](const std::string& file) { return plans_->Bytes(file); });
  }
  const std::string trouble = recorder_->TakeTrouble();
  stats_.collector_success[kRecordCollector] = trouble.empty();
  if (trouble.empty()) {
    record_trouble_.Recovered();
  } else {
    record_trouble_.Failed(trouble);
  }
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
