// state-growing: a trend that no TTL or watermark will stop.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class StateGrowingDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
