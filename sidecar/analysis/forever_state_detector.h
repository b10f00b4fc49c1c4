// forever-state: a state entry with TTL 0, which nothing removes.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// One finding per entry, a warning: how large it is and whether it grows is not in the plan.
class ForeverStateDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
  void Refine(const JobContext& context, const OperatorReport& op, Finding* finding) const override;
};

}  // namespace fss
