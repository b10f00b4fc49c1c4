// ttl-drift: the plan gives an entry a TTL and the running job's checkpoint shows none, or the
// other way round.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class TtlDriftDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
