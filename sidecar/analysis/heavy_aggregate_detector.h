// heavy-aggregate: an aggregate function that keeps every value of every group, because its input
// takes rows back, in state that nothing removes.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// One finding per GROUP BY operator with TTL 0, a warning. It names Flink's own functions alone:
// what a user's function keeps is not known. Over an append-only input there is none.
class HeavyAggregateDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
