// The sizes per vertex of a job's checkpoints: which of its history are still to be asked for, and
// what becomes of the answers.
//
// Every completed checkpoint of the history is asked for once (/checkpoints/details/:cid): it
// never changes. So polls may be slower than checkpoints, and at a start Flink's own history fills
// the gap. Savepoints are left out: their sizes say nothing about growth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/question.h"
#include "collectors/rest/checkpoints_reader.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Of one deployment of a job, over its polls. Not thread safe.
class CheckpointWatch {
 public:
  // A new poll: nothing is known to be wanted until the job's checkpoints are told.
  void BeginPoll();

  // Takes a poll's /checkpoints answer over into `job`. Sizes belong to the checkpoint that is
  // shown: until the newest one's details are had, JobSnapshot::latest stays the one before; with
  // none before it, the row at least has the total.
  void TakeCheckpoints(CheckpointsAnswer answer, JobSnapshot* job);

  // The question for the newest checkpoint's details, unless they were had. `job` and this object
  // outlive it.
  std::optional<Question> AskNewest(JobSnapshot* job);

  // The same for at most `limit` of the older ones, oldest first.
  std::vector<Question> AskOlder(JobSnapshot* job, std::size_t limit);

 private:
  // Ids start again with some restores; with the trigger time they are one checkpoint's.
  using Key = std::pair<std::int64_t, std::int64_t>;

  static Key KeyOf(const CompletedCheckpoint& row) { return {row.id, row.trigger_ms}; }
  Question QuestionFor(const CompletedCheckpoint& row, JobSnapshot* job);
  void TakeDetails(const CompletedCheckpoint& row, Result<CompletedCheckpoint> details,
                   JobSnapshot* job);

  // The newest checkpoint of this poll's answer, and the others whose details are to be had.
  std::optional<CompletedCheckpoint> newest_;
  std::vector<CompletedCheckpoint> older_;
  bool latest_complete_ = false;  // JobSnapshot::latest has its details
  // Checkpoints of the history that are not asked for again: an empty text for those whose details
  // were had, else why they cannot be had. As long as the history.
  std::map<Key, std::string> settled_;
};

}  // namespace fss
