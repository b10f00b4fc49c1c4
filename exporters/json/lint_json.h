// The JSON of `lint`.
#pragma once

#include <span>
#include <string>

#include "sidecar/model/linted_plan.h"

namespace fss {

// {"plans":[…]} as product.md has it, in the order given; a file that is no plan is
// {"file","error"}. Pure; safe from any thread. Text is UTF-8 whatever came in.
std::string LintJson(std::span<const LintedPlan> plans);

}  // namespace fss
