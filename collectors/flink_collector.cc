#include "collectors/flink_collector.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "collectors/checkpoint_watch.h"
#include "collectors/live_sizes.h"
#include "collectors/question.h"
#include "collectors/rest/checkpoint_config_reader.h"
#include "collectors/rest/checkpoints_reader.h"
#include "collectors/rest/cluster_config_reader.h"
#include "collectors/rest/job_plan_reader.h"
#include "collectors/rest/jobs_overview_reader.h"
#include "collectors/subtask_watch.h"

namespace fss {
namespace {

constexpr const char* kOverviewPath = "/jobs/overview";
constexpr const char* kConfigPath = "/config";
// Details of checkpoints other than each job's newest, in one poll: at the start beside 1,000 jobs
// there are 9,000 to be had, which come over a few polls.
constexpr std::size_t kMaxOlderDetails = 2000;
// RocksDB's figures: with polls every 15 s enough for 4,000 vertices a minute.
constexpr std::size_t kMaxLiveQuestions = 1000;
constexpr std::size_t kMaxSubtaskQuestions = 200;

std::string KeyOf(const JobSnapshot& job) {
  // Ids are reused: all zero in application mode with HA. The start time tells deployments apart.
  return job.id + "@" + std::to_string(job.start_ms);
}

}  // namespace

// What is known of one deployment of a job beside its snapshot.
struct FlinkCollector::JobMemory {
  bool config_final = false;  // had, and with a backend; or the job has none to give
  // Why the plan cannot be taken, ever (above the limit): not asked for again.
  std::string plan_refused;
  CheckpointWatch checkpoints;
  LiveSizes live;
  SubtaskWatch subtasks;
};

// A job in the poll that is under way: takes answers as they come.
struct FlinkCollector::Job {
  JobSnapshot& job;
  JobMemory& memory;

  // Takes over what a poll's overview does not say.
  void Carry(JobSnapshot&& before, JobMemory&& remembered) {
    job.graph = std::move(before.graph);
    job.config = std::move(before.config);
    job.counts = before.counts;
    job.latest = std::move(before.latest);
    job.latest_failed = std::move(before.latest_failed);
    job.latest_restored = std::move(before.latest_restored);
    job.history = std::move(before.history);
    job.failed_since_completed = before.failed_since_completed;
    job.live = std::move(before.live);
    job.subtask_sizes = std::move(before.subtask_sizes);
    memory = std::move(remembered);
    memory.checkpoints.BeginPoll();
  }

  // False when the answer has no vertices.
  bool TakePlan(Result<JobGraph> graph) const {
    if (graph.ok()) {
      job.graph = std::move(*graph);
      return !job.graph.vertices.empty();
    }
    job.problems.push_back(ProblemLine("plan", graph.error()));
    if (graph.error().code == ErrorCode::kTooLarge) memory.plan_refused = job.problems.back();
    return false;
  }

  void TakeConfig(Result<CheckpointConfig> config) const {
    if (config.ok()) {
      // A job that is still starting has no backend yet ("Unknown").
      memory.config_final = !config->state_backend.empty();
      job.config = std::move(*config);
    } else if (SaysCheckpointingOff(config.error())) {
      memory.config_final = true;
    } else {
      job.problems.push_back(ProblemLine("checkpoint configuration", config.error()));
    }
  }

  void TakeCheckpoints(Result<CheckpointsAnswer> answer) const {
    if (!answer.ok() && !SaysCheckpointingOff(answer.error())) {
      job.problems.push_back(ProblemLine("checkpoints", answer.error()));
      return;  // the last known ones stand
    }
    CheckpointsAnswer known;
    if (answer.ok()) known = std::move(*answer);
    memory.checkpoints.TakeCheckpoints(std::move(known), &job);
  }
};

FlinkCollector::FlinkCollector(std::string cluster,
                               std::vector<std::unique_ptr<RestClient>> clients, const Clock& clock,
                               AnswerTap* tap)
    : clients_(std::move(clients)), clock_(clock), tap_(tap) {
  snapshot_.cluster = std::move(cluster);
}

FlinkCollector::~FlinkCollector() = default;

Result<ClusterSnapshot> FlinkCollector::Poll() {
  const Result<const ClusterSnapshot*> snapshot = PollInPlace();
  if (!snapshot.ok()) return snapshot.error();
  return **snapshot;
}

Result<const ClusterSnapshot*> FlinkCollector::PollInPlace() {
  Result<std::vector<JobSnapshot>> jobs = AskOverview();
  if (!jobs.ok()) {
    version_wanted_ = true;  // what comes back may be an upgraded JobManager
    return jobs.error();
  }
  snapshot_.taken_ms = clock_.WallMillis();
  const bool restarted = Remember(std::move(*jobs));
  AskAboutJobs(restarted);
  AskDetails();
  AskSizes();
  return &snapshot_;
}

// The job list from the first client that has one, and with it the version when it is wanted.
Result<std::vector<JobSnapshot>> FlinkCollector::AskOverview() {
  std::optional<Error> first;
  std::string tried;
  for (std::size_t i = 0; i < clients_.size(); ++i) {
    const std::size_t candidate = (current_ + i) % clients_.size();
    RestClient& client = *clients_[candidate];
    std::vector<std::string> paths{kOverviewPath};
    if (version_wanted_ || candidate != current_) paths.emplace_back(kConfigPath);

    std::optional<Result<std::vector<JobSnapshot>>> jobs;
    std::optional<Result<RestAnswer>> config;
    client.GetEach(paths, [&](std::size_t index, Result<RestAnswer> answer) {
      if (index == 0) {
        jobs = ReadIfOk(std::move(answer), ReadJobsOverview);
      } else {
        config = std::move(answer);
      }
    });
    if (jobs->ok()) {
      current_ = candidate;
      if (config) TakeVersion(std::move(*config));
      return std::move(*jobs);
    }
    if (!first) first = Error{jobs->error().code, "", ""};
    tried += (i == 0 ? "" : "; ") + client.url() + kOverviewPath + ": " + jobs->error().message;
  }
  first->message = std::move(tried);
  return *first;
}

void FlinkCollector::TakeVersion(Result<RestAnswer> answer) {
  const Result<std::string> version = ReadIfOk(std::move(answer), ReadFlinkVersion);
  // The last known version stands until there is a new one; asked again with the next poll.
  version_wanted_ = !version.ok();
  if (version.ok()) snapshot_.flink_version = *version;
}

// Joins the overview with what is known of the same deployments; forgets all others. True when
// the JobManager seems to have restarted since.
bool FlinkCollector::Remember(std::vector<JobSnapshot> jobs) {
  std::sort(jobs.begin(), jobs.end(), [](const JobSnapshot& a, const JobSnapshot& b) {
    return std::tie(a.start_ms, a.id) < std::tie(b.start_ms, b.id);
  });
  std::vector<JobSnapshot> jobs_before = std::exchange(snapshot_.jobs, std::move(jobs));
  std::vector<JobMemory> before = std::exchange(memory_, {});
  memory_.resize(snapshot_.jobs.size());

  std::map<std::string, std::size_t> index_before;
  std::set<std::string> ids_before;
  for (std::size_t i = 0; i < jobs_before.size(); ++i) {
    index_before.emplace(KeyOf(jobs_before[i]), i);
    ids_before.insert(jobs_before[i].id);
  }
  bool any_stayed = jobs_before.empty();
  bool started_anew = false;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    JobSnapshot& job = snapshot_.jobs[i];
    const auto known = index_before.find(KeyOf(job));
    if (known == index_before.end()) {
      // The same id with another start: the JobManager started the job anew, so it is a new one.
      started_anew = started_anew || ids_before.count(job.id) != 0;
      continue;
    }
    any_stayed = true;
    // Of a job that is over nothing is asked, and nothing is kept but that it was.
    if (job.Terminal()) continue;
    Job{job, memory_[i]}.Carry(std::move(jobs_before[known->second]),
                               std::move(before[known->second]));
  }
  return started_anew || !any_stayed;
}

// Checkpoints of every job that is not over, and what is still missing of plans and settings.
void FlinkCollector::AskAboutJobs(bool restarted) {
  std::vector<Question> questions;
  if (restarted) {
    questions.push_back(
        {kConfigPath, [this](Result<RestAnswer> answer) { TakeVersion(std::move(answer)); }});
  }
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    const Job job{snapshot_.jobs[i], memory_[i]};
    if (job.job.Terminal()) continue;
    const std::string path = "/jobs/" + job.job.id;
    questions.push_back({path + "/checkpoints", [job](Result<RestAnswer> answer) {
                           job.TakeCheckpoints(ReadIfOk(std::move(answer), ReadCheckpoints));
                         }});
    AskForConfig(job, &questions);
    AskForPlan(job, &questions);
  }
  Ask(clients_[current_].get(), questions);
}

void FlinkCollector::AskForConfig(const Job& job, std::vector<Question>* questions) {
  const bool tapped = tap_ != nullptr && tap_->WantsCheckpointConfig(job.job);
  // What has no backend once it is final is a job without checkpoints: there is nothing to keep.
  const bool known = job.memory.config_final && (!tapped || !job.job.config);
  if (known) return;
  questions->push_back({"/jobs/" + job.job.id + "/checkpoints/config",
                        [this, job, tapped](Result<RestAnswer> answer) {
                          const std::string body = tapped && answer.ok() ? answer->body : "";
                          job.TakeConfig(ReadIfOk(std::move(answer), ReadCheckpointConfig));
                          const bool had = job.memory.config_final && job.job.config.has_value();
                          if (!body.empty() && had) tap_->TakeCheckpointConfig(job.job, body);
                        }});
}

void FlinkCollector::AskForPlan(const Job& job, std::vector<Question>* questions) {
  if (!job.memory.plan_refused.empty()) {
    job.job.problems.push_back(job.memory.plan_refused);
    return;
  }
  const bool tapped = tap_ != nullptr && tap_->WantsJobPlan(job.job);
  if (!job.job.graph.vertices.empty() && !tapped) return;
  questions->push_back(
      {"/jobs/" + job.job.id + "/plan", [this, job, tapped](Result<RestAnswer> answer) {
         const std::string body = tapped && answer.ok() ? answer->body : "";
         const bool taken = job.TakePlan(ReadIfOk(std::move(answer), ReadJobPlan));
         if (!body.empty() && taken) tap_->TakeJobPlan(job.job, body);
       }});
}

// The newest checkpoint of every job first, then what is missing of the histories: of each job all
// at once.
void FlinkCollector::AskDetails() {
  std::vector<Question> questions;
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    auto question = memory_[i].checkpoints.AskNewest(&snapshot_.jobs[i]);
    if (question) questions.push_back(std::move(*question));
  }
  if (auto question = task_managers_.AskList(&snapshot_.jobs)) {
    questions.push_back(std::move(*question));
  }
  TakeTurns(
      kMaxOlderDetails, &next_history_,
      [this](std::size_t at, std::size_t limit) {
        return memory_[at].checkpoints.AskOlder(&snapshot_.jobs[at], limit);
      },
      &questions);
  Ask(clients_[current_].get(), questions);
}

// What the checkpoints' sizes tell to be worth asking for, and the TaskManagers.
void FlinkCollector::AskSizes() {
  const std::int64_t now = clock_.MonotonicMillis();
  std::vector<Question> questions = task_managers_.AskEach(snapshot_.taken_ms);
  TakeTurns(
      kMaxLiveQuestions, &next_live_,
      [this, now](std::size_t at, std::size_t limit) {
        return memory_[at].live.Ask(&snapshot_.jobs[at], now, snapshot_.taken_ms, limit);
      },
      &questions);
  TakeTurns(
      kMaxSubtaskQuestions, &next_subtasks_,
      [this, now](std::size_t at, std::size_t limit) {
        return memory_[at].subtasks.Ask(&snapshot_.jobs[at], now, limit);
      },
      &questions);
  Ask(clients_[current_].get(), questions);
  snapshot_.task_managers = task_managers_.Known();
}

// Adds each job's questions as far as `budget` goes. Begins with the job at which the last poll
// had to stop.
void FlinkCollector::TakeTurns(
    std::size_t budget, std::size_t* next,
    const std::function<std::vector<Question>(std::size_t job, std::size_t limit)>& ask,
    std::vector<Question>* questions) {
  const std::size_t first = *next;
  for (std::size_t i = 0; i < memory_.size() && budget > 0; ++i) {
    *next = (first + i) % memory_.size();
    std::vector<Question> asked = ask(*next, budget);
    budget -= asked.size();
    std::move(asked.begin(), asked.end(), std::back_inserter(*questions));
  }
}

}  // namespace fss
