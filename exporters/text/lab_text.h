// What people read of `grade`: a line per step.
#pragma once

#include <span>
#include <string>

#include "exporters/text/report_text.h"
#include "sidecar/model/lab.h"

namespace fss {

// "pass  2  group-by      groupAggregateState is 0 ms"; one line each, however long the reason, so
// that grep finds it whole. Pure; safe from any thread. No line holds a control character that came
// from outside.
std::string LabGradeText(std::span<const LabStep> steps, const TextOptions& options);

}  // namespace fss
