#include "collectors/live_sizes.h"

#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "collectors/rest/flink_id.h"
#include "collectors/rest/state_metrics_reader.h"
#include "sidecar/base/millis.h"
#include "sidecar/base/percent.h"

namespace fss {
namespace {

// From a list without RocksDB metrics to the next one.
constexpr std::array kListAgain = {1 * kMillisPerMinute,  2 * kMillisPerMinute,
                                   4 * kMillisPerMinute,  10 * kMillisPerMinute,
                                   10 * kMillisPerMinute, 10 * kMillisPerMinute};
// States that were registered late, or by a subtask that started late.
constexpr std::int64_t kRefreshList = 30 * kMillisPerMinute;
// Answers without values, before the list is asked for again: the JobManager forgets its metrics
// when a TaskManager is lost.
constexpr int kMaxEmpties = 2;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
// Flink refuses a request line above 4,096 bytes (1.20, 2.3); a proxy's base path comes on top.
// What does not fit is not asked for: it would be a second question.
constexpr std::size_t kMaxPathBytes = 3900;

bool HasMetrics(const JobSnapshot& job) {
  // "EmbeddedRocksDBStateBackend", "ForStStateBackend".
  return job.config && (job.config->state_backend.find("RocksDB") != std::string::npos ||
                        job.config->state_backend.find("ForSt") != std::string::npos);
}

std::string ListPath(const JobSnapshot& job, const std::string& vertex) {
  return "/jobs/" + job.id + "/vertices/" + vertex + "/subtasks/metrics";
}

// `path` with all of `ids` that fit.
std::string SumsPath(std::string path, const std::vector<std::string>& ids) {
  std::string_view before = "?agg=sum&get=";
  for (const std::string& id : ids) {
    const std::string encoded = PercentEncoded(id);
    if (path.size() + before.size() + encoded.size() > kMaxPathBytes) break;
    path.append(before).append(encoded);
    before = ",";
  }
  return path;
}

}  // namespace

std::vector<Question> LiveSizes::Ask(JobSnapshot* job, std::int64_t now_ms, std::int64_t taken_ms,
                                     std::size_t limit) {
  told_ = false;
  Forget(job);
  std::vector<Question> questions;
  // While tasks are being restarted their metrics are gone: that says nothing.
  if (job->state != "RUNNING" || !HasMetrics(*job) || !job->latest) return questions;
  for (const auto& [id, size] : job->latest->vertices) {
    if (questions.size() == limit) break;
    if (size.state_size == 0 || !IsFlinkId(id)) continue;
    Vertex& vertex = vertices_[id];
    if (now_ms < vertex.not_before_ms) continue;
    vertex.not_before_ms = now_ms + kMillisPerMinute;
    const std::string path = ListPath(*job, id);
    if (vertex.ids.empty() || now_ms - vertex.listed_ms >= kRefreshList) {
      questions.push_back({path, [this, id = id, job, now_ms](Result<RestAnswer> answer) {
                             TakeList(ReadIfOk(std::move(answer), ReadStateMetricIds), id, job,
                                      now_ms);
                           }});
    } else {
      questions.push_back(
          {SumsPath(path, vertex.ids), [this, id = id, job, taken_ms](Result<RestAnswer> answer) {
             TakeStates(ReadIfOk(std::move(answer),
                                 [&](RestAnswer body) {
                                   return ReadLiveStates(std::move(body), vertices_[id].ids);
                                 }),
                        id, job, taken_ms);
           }});
    }
  }
  return questions;
}

void LiveSizes::Forget(JobSnapshot* job) {
  const auto gone = [job](const auto& entry) {
    return !job->latest || job->latest->vertices.count(entry.first) == 0;
  };
  std::erase_if(vertices_, gone);
  std::erase_if(job->live, gone);
}

void LiveSizes::TakeList(Result<std::vector<std::string>> ids, const std::string& id,
                         JobSnapshot* job, std::int64_t now_ms) {
  Vertex& vertex = vertices_[id];
  if (!ids.ok()) {
    Tell(ids.error(), job);
    if (vertex.ids.empty()) Miss(&vertex, now_ms);
    return;
  }
  vertex.ids = std::move(*ids);
  if (vertex.ids.empty()) {
    job->live.erase(id);
    Miss(&vertex, now_ms);
    return;
  }
  vertex.listed_ms = now_ms;
  vertex.misses = 0;
}

void LiveSizes::TakeStates(Result<std::vector<LiveState>> states, const std::string& id,
                           JobSnapshot* job, std::int64_t taken_ms) {
  Vertex& vertex = vertices_[id];
  if (!states.ok()) {
    Tell(states.error(), job);
    return;  // the last sample stands
  }
  if (!states->empty()) {
    vertex.empties = 0;
    job->live[id] = LiveSample{taken_ms, std::move(*states)};
    return;
  }
  if (++vertex.empties < kMaxEmpties) return;
  vertex.empties = 0;
  vertex.ids.clear();
  job->live.erase(id);
}

void LiveSizes::Miss(Vertex* vertex, std::int64_t now_ms) {
  vertex->not_before_ms =
      vertex->misses < kListAgain.size() ? now_ms + kListAgain.at(vertex->misses) : kNever;
  ++vertex->misses;
}

void LiveSizes::Tell(const Error& error, JobSnapshot* job) {
  if (!std::exchange(told_, true)) job->problems.push_back(ProblemLine("RocksDB metrics", error));
}

}  // namespace fss
