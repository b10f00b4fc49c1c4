// policy: what a plan keeps against what its team allows (lint --policy).
//
// Not in the lists of detector_list.cc: it needs a policy, and a running job has none. Pure
// function; safe from any thread.
#pragma once

#include <vector>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/policy.h"

namespace fss {

// Adds a finding, a warning, for each state entry that breaks the policy, and acknowledges, with
// the policy's reason, the forever-state findings that it allows. `findings` are the plan's own;
// afterwards they are sorted again. An entry whose TTL is not known breaks nothing.
void JudgeByPolicy(const CompiledPlan& plan, const Policy& policy, std::vector<Finding>* findings);

}  // namespace fss
