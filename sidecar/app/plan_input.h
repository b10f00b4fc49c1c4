// Plans that are named on the command line.
#pragma once

#include <string>
#include <string_view>

#include "sidecar/base/result.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

// Stands for standard input, as a file name that is shown too.
inline constexpr std::string_view kStandardInput = "-";

// The plan in a file, or on standard input, which can be read once. Errors as of ReadPlan.
Result<CompiledPlan> ReadNamedPlan(const std::string& file);

}  // namespace fss
