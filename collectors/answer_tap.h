// Who keeps raw answers about a job as they pass through the collector.
#pragma once

#include <string>

#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Called by the collector's thread, during a poll. What is wanted is asked for with every poll
// until it is no longer wanted.
class AnswerTap {
 public:
  virtual ~AnswerTap() = default;

  virtual bool WantsJobPlan(const JobSnapshot& job) const = 0;
  virtual bool WantsCheckpointConfig(const JobSnapshot& job) const = 0;

  // The body of /jobs/:jid/plan, once it has vertices, and of /jobs/:jid/checkpoints/config, once
  // the job has a backend. Both were read without an error.
  virtual void TakeJobPlan(const JobSnapshot& job, const std::string& body) = 0;
  virtual void TakeCheckpointConfig(const JobSnapshot& job, const std::string& body) = 0;
};

}  // namespace fss
