// /jobs/:jid/checkpoints: counts, the latest of each kind, and the last checkpoints (10 by
// default).
#pragma once

#include <optional>
#include <vector>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// As the JobSnapshot members of the same names.
struct CheckpointsAnswer {
  std::optional<CheckpointCounts> counts;
  // The newest completed checkpoint that is no savepoint; sizes per vertex are elsewhere.
  std::optional<CompletedCheckpoint> latest;
  std::optional<FailedCheckpoint> latest_failed;
  std::optional<RestoredCheckpoint> latest_restored;
  std::vector<CompletedCheckpoint> history;  // oldest first
  int failed_since_completed = 0;
};

// Errors as JsonAnswer::Parse.
Result<CheckpointsAnswer> ReadCheckpoints(RestAnswer answer);

// Whether `error`, of this answer or of /checkpoints/config, only says that the job takes no
// checkpoints (a 404: batch jobs, and Flink before it answered with zero counts).
bool SaysCheckpointingOff(const Error& error);

}  // namespace fss
