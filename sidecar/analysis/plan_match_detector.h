// plan-missing, plan-ambiguous, plan-drift: how well the plans explain a running job.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// plan-missing is for jobs with an operator that keeps keyed state, as far as names tell: the
// others lose nothing without a plan. An info where no plan folder was given at all.
class PlanMatchDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
