// state-skew: one subtask holds far more than its share.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class StateSkewDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
