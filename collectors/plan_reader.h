// Reads a compiled plan's JSON (COMPILE PLAN, Flink 1.18 to 2.3).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

// The largest plan file we read. Flink's own largest test plan has 80 KB; a plan of 2,000 nodes
// 5 MB.
inline constexpr std::size_t kMaxPlanBytes = 64U << 20U;

// Unknown kinds, unknown fields, odd versions and TTL texts that Flink refuses are read (the
// latter noted in CompiledPlan::problems). kMalformed, with the byte offset or the node, for what
// is no plan: broken JSON, nesting beyond the limit, no `nodes`, a node without id or type, an id
// that occurs twice, an edge to a node that is not there, edges in a circle. (Plans of Flink's own
// tests without version whose ids are all 0 are read, without edges.) kTooLarge above
// kMaxPlanBytes. Never throws; uses memory in proportion to `json`. Safe from any thread.
Result<CompiledPlan> ReadPlan(std::string_view json, std::string file);

// The same for a file on disk; kNotFound or kIo when it cannot be read.
Result<CompiledPlan> ReadPlanFile(const std::string& path, std::string shown_name);

}  // namespace fss
