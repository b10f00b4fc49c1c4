// A compiled plan, judged before it runs: what `lint` shows of it in every format.
#pragma once

#include <vector>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/linted_plan.h"
#include "sidecar/model/policy.h"

namespace fss {

// Findings of one plan, before it runs. Sorted as in Report.
std::vector<Finding> EvaluatePlan(const CompiledPlan& plan);

// Every operator with its state, in the order of the file, and the findings: those of `policy` too,
// where there is one. Both functions are pure; safe from any thread.
LintedPlan LintPlan(const CompiledPlan& plan, const Policy* policy = nullptr);

}  // namespace fss
