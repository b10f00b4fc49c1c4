// The SARIF of `lint`: what code hosts and editors show beside the plan.
#pragma once

#include <span>
#include <string>

#include "sidecar/model/linted_plan.h"

namespace fss {

// One run of SARIF 2.1.0 (OASIS, with errata 01): a rule for each PlanRule, a result for each
// finding at the line of its node, a notification for each file that is no plan. Files that were
// named relative stay so, below %SRCROOT%. partialFingerprints rest on what an operator does, not
// on its id, line or TTL; of operators that do the same the first is 1, the second 2, … Pure; safe
// from any thread. Text is UTF-8 whatever came in.
std::string LintSarif(std::span<const LintedPlan> plans);

}  // namespace fss
