// The TaskManagers' memory (ClusterSnapshot::task_managers): asked while a running job keeps its
// state on the heap, else not at all.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collectors/question.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Of one cluster, over its polls. Not thread safe.
class TaskManagerWatch {
 public:
  // The question who is there, when one of `jobs` needs it; else forgets what was known. `jobs`
  // and this object outlive the question.
  std::optional<Question> AskList(std::vector<JobSnapshot>* jobs);

  // The questions about each of those that the list names, at most 50: with more of them they take
  // turns, poll by poll, and the others keep what is known of them.
  std::vector<Question> AskEach(std::int64_t taken_ms);

  // What is known, sorted by id.
  std::vector<TaskManagerSnapshot> Known() const;

 private:
  void TakeList(Result<std::vector<std::string>> ids, std::vector<JobSnapshot>* jobs);

  std::vector<std::string> listed_;  // in this poll; none when there was no list
  std::string last_asked_;           // the next turn begins behind it
  std::map<std::string, TaskManagerSnapshot> known_;
};

}  // namespace fss
