// Small texts of a compiled plan: numbers, a node's type, the version. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sidecar/model/compiled_plan.h"

namespace fss {

// The whole text as an integer; absent where it is none.
std::optional<std::int64_t> ToInteger(std::string_view text);

// Fills kind, batch and version of a node whose type is known.
void SplitType(PlanNode* node);

// Whether Flink reads ISO-8601 durations in a plan of this version.
bool AllowsIso8601(std::string_view version);

}  // namespace fss
