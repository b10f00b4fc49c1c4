// The JSON of `diff`.
#pragma once

#include <string>

#include "sidecar/model/plan_diff.h"

namespace fss {

// {"old","new","flink_version","changes":[…]} as product.md has it. Pure; safe from any thread.
// Text is UTF-8 whatever came in.
std::string DiffJson(const PlanDiff& diff);

}  // namespace fss
