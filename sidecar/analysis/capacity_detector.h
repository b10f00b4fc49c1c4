// capacity: when heap, disk or a limit will be full at this rate.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class CapacityDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
