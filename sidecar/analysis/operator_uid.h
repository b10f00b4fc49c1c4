// The uids that Flink gives the operators of a compiled plan: by them, and by nothing else, a
// restore finds old state again. Pure functions; safe from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

inline constexpr std::string_view kDefaultUidFormat = "<id>_<transformation>";

// The uid that Flink makes of `format` (table.exec.uid.format) for one transformation of the node:
// "19_join".
std::string ExpandUid(std::string format, const PlanNode& node, std::string_view transformation);

// The names of a kind's transformations, the stateful one first. Mostly a transformation is called
// as its kind: that is the guess for kinds that the catalogue lacks. The answer may point to
// `kind`.
std::span<const std::string_view> TransformationsOf(const OperatorKind* row,
                                                    const std::string_view& kind);

}  // namespace fss
