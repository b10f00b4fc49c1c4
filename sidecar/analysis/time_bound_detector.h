// time-bound-possible: a regular join, a GROUP BY or a deduplication by processing time whose
// inputs all carry watermarks, so that an interval join, a window aggregation or a window
// deduplication could take its place.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// One finding per operator, info: whether the result may change so, only its owner knows. None for
// what a bound in time cannot replace: a join without an equality, a semi or anti join, a GROUP BY
// without key, an input with updates (as far as the plan shows them), the result of a regular join.
class TimeBoundDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
