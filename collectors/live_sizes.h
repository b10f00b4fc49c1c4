// What RocksDB itself says of a job's states (JobSnapshot::live): asked seldom, and soon not at all
// where there is nothing to be had.
//
// At most one question per vertex with state and minute. The first asks which metrics there are;
// from the next minute on one question has all estimates of the vertex' states, summed over its
// subtasks. Flink's JobManager answers metrics from what it fetched when it was asked last: the
// first answer may be empty, and later ones are up to a minute old.
//
// A vertex without RocksDB metrics is asked again after 1, 2, 4, 10, 10 and 10 minutes, then never
// again in this deployment: seven questions. Jobs of other backends are not asked at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "collectors/question.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Of one deployment of a job, over its polls. Not thread safe.
class LiveSizes {
 public:
  // The questions that are due in this poll, at most `limit`, for the vertices that have state in
  // the job's latest checkpoint. Forgets vertices that are no longer in it. `now_ms` is monotonic,
  // `taken_ms` the poll's time. `job` and this object outlive the questions.
  std::vector<Question> Ask(JobSnapshot* job, std::int64_t now_ms, std::int64_t taken_ms,
                            std::size_t limit);

 private:
  struct Vertex {
    std::int64_t not_before_ms = 0;  // monotonic
    std::int64_t listed_ms = 0;      // when its metrics were listed
    std::size_t misses = 0;          // lists in a row without RocksDB metrics
    int empties = 0;                 // answers in a row without values
    std::vector<std::string> ids;    // the metrics to ask for; none: to be listed
  };

  void Forget(JobSnapshot* job);
  void TakeList(Result<std::vector<std::string>> ids, const std::string& id, JobSnapshot* job,
                std::int64_t now_ms);
  void TakeStates(Result<std::vector<LiveState>> states, const std::string& id, JobSnapshot* job,
                  std::int64_t taken_ms);
  void Miss(Vertex* vertex, std::int64_t now_ms);
  void Tell(const Error& error, JobSnapshot* job);

  std::map<std::string, Vertex> vertices_;  // by vertex id
  bool told_ = false;                       // of a problem, in this poll
};

}  // namespace fss
