// The seven facts of the lab report, out of its artefacts.
//
// An artefact that is missing or broken gives its own Error; one that lacks what is asked for
// kMalformed with the file's name as context. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// The first Error, in the order of the fields.
Result<LabReport> MakeLabReport(const LabFolder& folder);

// What report.json claims beside what the artefacts say: ok where all seven agree, else kMalformed
// naming the first field that differs, with both values.
Status CheckClaims(const LabReport& claims, const LabReport& facts);

// The TTL text of the one entry called `entry` in the plan; kMalformed when there is none, or more.
Result<std::string> OnlyTtl(const CompiledPlan& plan, std::string_view entry);

// The TTL text of the node's entry; kMalformed when it has no such entry.
Result<std::string> TtlOf(const PlanNode& node, std::string_view entry);

// The plan's regular joins, by id. They point into `plan`.
std::vector<const PlanNode*> JoinsOf(const CompiledPlan& plan);

// All entries of all `state` lists of the plan.
std::int64_t CountStateEntries(const CompiledPlan& plan);

}  // namespace fss
