// The order findings are shown in.
#pragma once

#include <vector>

#include "sidecar/model/finding.h"

namespace fss {

// Most severe first, then by job, operator, state, code; of findings at one place the first stays.
// Made for thousands of findings, those of a job side by side.
void SortAndDedupe(std::vector<Finding>* findings);

}  // namespace fss
