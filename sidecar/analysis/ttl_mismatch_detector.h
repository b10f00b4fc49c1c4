// ttl-mismatch: a join's two sides, or two operators one after the other, keep rows for such
// different times that the shorter one decides the result.
#pragma once

#include <cstdint>
#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// From this ratio on the longer TTL is no choice any more: of the time that it keeps a row, the
// shorter one leaves one part in a hundred in which the other side can still be found. People
// choose 1 d against 2 h (12) or 30 d against 1 d (30) with reason; 1 d against 30 s (2,880) is a
// slip, or a default that a hint forgot.
inline constexpr std::int64_t kMismatchRatio = 100;

// Leaves slots alone that ttl-from-job-default is about.
class TtlMismatchDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
