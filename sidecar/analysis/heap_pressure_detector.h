// heap-pressure: hashmap state against the TaskManagers' heap.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

class HeapPressureDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
