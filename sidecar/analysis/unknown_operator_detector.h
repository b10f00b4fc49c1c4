// unknown-operator: a plan node of a kind that the catalogue lacks. It may keep state.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class UnknownOperatorDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
