// Wording that several detectors share.
#pragma once

#include <optional>
#include <string>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/report.h"

namespace fss {

// "for ever" for 0, else as Flink writes it: "30 min".
std::string TtlText(std::int64_t ttl_ms);

// TTLs compared: for ever is longer than anything.
bool ShorterTtl(std::int64_t a, std::int64_t b);

// A finding about a node, and about one of its state entries where `state` is given.
Finding NodeFinding(const char* code, Severity severity, const PlanNode& node,
                    const std::string& state = {});

// A finding about a running operator.
Finding OperatorFinding(const char* code, Severity severity, const OperatorReport& op,
                        const std::string& state);

// The entry that an operator's growth comes from: its only one, or the one that grows fastest by
// its live bytes, or the only one that is kept for ever; nullptr where that cannot be said.
const EntryReport* CulpritOf(const OperatorReport& op);

// "leftState of Join[19] grows by 2.1 KiB/s (90 MiB now)"; without an entry the operator does.
std::string GrowthClause(const OperatorReport& op, const EntryReport* entry);

// The entry of an input of a join: "leftState" for 0, "rightState" for 1; nullptr where the plan
// has none or its TTL is not known.
const StateEntry* EntryOfInput(const PlanNode& join, std::size_t input);

// An outer join of this side keeps rows without a match: "LeftOuterJoin", "FullOuterJoin".
bool IsOuterJoin(const PlanNode& join);

// What a join's result lacks for a row whose match was forgotten: a clause.
std::string LossOfJoin(const PlanNode& join);

}  // namespace fss
