// A job's bytes per subtask (JobSnapshot::subtask_sizes), for the vertices where skew can matter:
// several subtasks and 1 MiB of state or more. Asked at the first checkpoint seen, then every ten
// minutes at most.
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
class SubtaskWatch {
 public:
  // The questions that are due in this poll, at most `limit`, about the job's latest checkpoint.
  // Drops the sizes of vertices that no longer qualify. `now_ms` is monotonic. `job` outlives the
  // questions.
  std::vector<Question> Ask(JobSnapshot* job, std::int64_t now_ms, std::size_t limit);

 private:
  std::map<std::string, std::int64_t> not_before_ms_;  // by vertex id
};

}  // namespace fss
