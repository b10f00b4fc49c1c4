// checkpoint-stale: a running job with checkpointing on has completed none for several intervals.
#pragma once

#include <cstdint>
#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// So many intervals without a completed checkpoint. A checkpoint that takes as long as its interval
// completes every second one; three misses on top of that are no accident.
inline constexpr std::int64_t kStaleIntervals = 5;
// With intervals of seconds, a TaskManager's restart or a long garbage collection passes many of
// them and is over before anybody could act.
inline constexpr std::int64_t kStaleFloorMs = 60'000;
// Beyond so many times the limit, and beyond half an hour, a restart costs more than people expect
// of any job.
inline constexpr std::int64_t kStaleCriticalFactor = 6;
inline constexpr std::int64_t kStaleCriticalFloorMs = 1'800'000;

class CheckpointStaleDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
