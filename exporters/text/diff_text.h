// What people read of `diff`: a table of the changes, and what each means for a restore.
#pragma once

#include <string>

#include "exporters/text/report_text.h"
#include "sidecar/model/plan_diff.h"

namespace fss {

// Pure; safe from any thread. No line holds a control character that came from outside.
std::string DiffText(const PlanDiff& diff, const TextOptions& options);

}  // namespace fss
