// What the checkpoints of running jobs say themselves, beside what Flink's REST API says of them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sidecar/model/checkpoint_metadata.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

struct CheckpointLibrary {
  // Ids are reused: the start time tells deployments apart.
  using Run = std::pair<std::string, std::int64_t>;

  // Of each the newest checkpoint that was read: not always the newest that there is.
  std::map<Run, std::shared_ptr<const CheckpointMetadata>> jobs;

  // nullptr where none was read.
  const CheckpointMetadata* Of(const JobSnapshot& job) const {
    const auto found = jobs.find({job.id, job.start_ms});
    return found == jobs.end() ? nullptr : found->second.get();
  }
};

}  // namespace fss
