// The JSON of `report` and `grade` (docs/user/lab.md has the shapes; fields are added, never
// renamed). Pure; safe from any thread. Text is UTF-8 whatever came in.
#pragma once

#include <span>
#include <string>

#include "sidecar/model/lab.h"

namespace fss {

// One line, without a line break.
std::string LabReportJson(const LabReport& report);

// {"passed":…,"steps":[{"step","name","passed","reason"}]}, one line, without a line break.
std::string LabGradeJson(std::span<const LabStep> steps);

}  // namespace fss
