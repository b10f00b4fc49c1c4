#include "collectors/rest/jobs_overview_reader.h"

#include <limits>
#include <map>
#include <utility>

#include "collectors/rest/flink_id.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

// Names may be a whole SQL text; what is cut here would never be shown.
constexpr std::size_t kMaxJobNameBytes = 32U << 10U;

std::optional<int> SmallCount(const rapidjson::Value& object, const char* name) {
  const auto count = CountMember(object, name);
  if (!count || *count > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*count);
}

JobSnapshot ReadJob(const rapidjson::Value& row) {
  JobSnapshot job;
  job.id = TextMember(row, "jid", kMaxWordBytes);
  job.name = TextMember(row, "name", kMaxJobNameBytes);
  job.state = TextMember(row, "state", kMaxWordBytes);
  const auto start = CountMember(row, "start-time");
  const auto duration = CountMember(row, "duration");
  job.start_ms = start.value_or(0);
  constexpr auto kForever = std::numeric_limits<std::int64_t>::max();
  if (start && duration && !job.Terminal() && *duration <= kForever - *start) {
    job.jobmanager_now_ms = *start + *duration;
  }
  if (const rapidjson::Value* tasks = ObjectMember(row, "tasks")) {
    job.tasks_total = SmallCount(*tasks, "total");
    job.tasks_running = SmallCount(*tasks, "running");
  }
  return job;
}

bool Replaces(const JobSnapshot& job, const JobSnapshot& other) {
  if (job.Terminal() != other.Terminal()) return !job.Terminal();
  return job.start_ms > other.start_ms;
}

}  // namespace

Result<std::vector<JobSnapshot>> ReadJobsOverview(RestAnswer answer) {
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  const rapidjson::Value* rows = ArrayMember(json->root(), "jobs");
  if (rows == nullptr) return Error{ErrorCode::kMalformed, "not a Flink answer (no jobs)", ""};

  std::vector<JobSnapshot> jobs;
  jobs.reserve(rows->Size());
  std::map<std::string, std::size_t> by_id;
  for (const rapidjson::Value& row : rows->GetArray()) {
    JobSnapshot job = ReadJob(row);
    if (!IsFlinkId(job.id)) continue;
    const auto [seen, first] = by_id.emplace(job.id, jobs.size());
    if (first) {
      jobs.push_back(std::move(job));
    } else if (Replaces(job, jobs[seen->second])) {
      jobs[seen->second] = std::move(job);
    }
  }
  if (jobs.empty() && !rows->Empty()) {
    return Error{ErrorCode::kMalformed, "not a Flink answer (jobs without ids)", ""};
  }
  return jobs;
}

}  // namespace fss
