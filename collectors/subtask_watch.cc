#include "collectors/subtask_watch.h"

#include <algorithm>
#include <utility>

#include "collectors/rest/flink_id.h"
#include "collectors/rest/subtask_sizes_reader.h"

namespace fss {
namespace {

constexpr std::int64_t kMinStateBytes = 1 << 20;
constexpr std::int64_t kEvery = 600'000;

// A vertex of the latest checkpoint that is worth asking about.
bool Qualifies(const JobSnapshot& job, const std::string& id) {
  if (!job.latest || !IsFlinkId(id)) return false;
  const auto size = job.latest->vertices.find(id);
  if (size == job.latest->vertices.end() || size->second.state_size < kMinStateBytes) return false;
  const JobVertex* vertex = job.graph.FindVertex(id);
  return vertex != nullptr && vertex->parallelism > 1;
}

// Of what is no longer in the history Flink may tell another job's.
bool InHistory(const JobSnapshot& job) {
  return std::any_of(job.history.begin(), job.history.end(), [&job](const auto& row) {
    return row.id == job.latest->id && row.trigger_ms == job.latest->trigger_ms;
  });
}

}  // namespace

std::vector<Question> SubtaskWatch::Ask(JobSnapshot* job, std::int64_t now_ms, std::size_t limit) {
  std::erase_if(job->subtask_sizes,
                [job](const auto& entry) { return !Qualifies(*job, entry.first); });
  std::erase_if(not_before_ms_, [job](const auto& entry) {
    return !job->latest || job->latest->vertices.count(entry.first) == 0;
  });
  std::vector<Question> questions;
  if (!job->latest || !InHistory(*job)) return questions;
  const std::int64_t checkpoint = job->latest->id;
  for (const auto& [id, size] : job->latest->vertices) {
    if (questions.size() == limit) break;
    if (!Qualifies(*job, id)) continue;
    const auto [due, first] = not_before_ms_.emplace(id, now_ms);
    if (now_ms < due->second) continue;
    due->second = now_ms + kEvery;
    questions.push_back(
        {"/jobs/" + job->id + "/checkpoints/details/" + std::to_string(checkpoint) + "/subtasks/" +
             id,
         [job, id = id, checkpoint, total = size.state_size](Result<RestAnswer> answer) {
           auto sizes = ReadIfOk(std::move(answer), [&](RestAnswer body) {
             return ReadSubtaskSizes(std::move(body), checkpoint, total);
           });
           if (sizes.ok()) {
             job->subtask_sizes[id] = std::move(*sizes);
           } else {
             job->problems.push_back(ProblemLine("subtasks of " + id, sizes.error()));
           }
         }});
  }
  return questions;
}

}  // namespace fss
