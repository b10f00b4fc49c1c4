// growing-past-ttl: it grows although its TTL, and the time for the backend to clean up, has
// passed.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class GrowingPastTtlDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
