// A diff with each kind of change and each outcome, for golden files.
#pragma once

#include "sidecar/model/plan_diff.h"

namespace fss {

PlanDiff SampleDiff();

}  // namespace fss
