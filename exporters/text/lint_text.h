// What people read of `lint`: each plan's operators, state and TTL, and its findings.
#pragma once

#include <span>
#include <string>

#include "exporters/text/report_text.h"
#include "sidecar/model/linted_plan.h"

namespace fss {

// Pure; safe from any thread. No line holds a control character that came from outside.
std::string LintText(std::span<const LintedPlan> plans, const TextOptions& options);

}  // namespace fss
