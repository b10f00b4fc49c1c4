// checkpoint-failing: checkpoints of a job fail one after the other.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"

namespace fss {

// One failure of a job that completed others happens (a TaskManager was replaced): an info. From
// the second in a row on something lasts.
inline constexpr int kFailuresToWarn = 2;
// Five in a row: the job repeats five intervals' work after a failure, and the history (10 by
// default) is half full of it. Somebody has to look now.
inline constexpr int kFailuresToAlarm = 5;

class CheckpointFailingDetector final : public JobDetector {
 public:
  void Inspect(const JobContext& context, std::vector<Finding>* findings) const override;
};

}  // namespace fss
