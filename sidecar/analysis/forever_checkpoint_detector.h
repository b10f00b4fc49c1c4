// forever-state of a job without a plan: its checkpoint shows that an entry has no TTL.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class ForeverCheckpointDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
