// Two compiled plans compared: what changed in state and TTL, and what a restore from a savepoint
// of the old job into the new plan does with it.
#pragma once

#include <string>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/plan_diff.h"

namespace fss {

struct DiffOptions {
  // The one that restores; empty: the new plan's. Where that is no version the worse case counts.
  std::string flink_version;
  std::string state_backend;  // "rocksdb", …; empty: the worse case counts
  std::string uid_format;     // table.exec.uid.format; empty: Flink's default
};

// Operators are paired whatever their numbers are (plan_pairing.h); what becomes of their state is
// decided as Flink does it, by uid. Those without state are left out. Sorted by the number in the
// new plan (in the old one, where it was removed), then by entry: the order of nodes in the files
// plays no part. Nothing for a plan and itself. Pure; safe from any thread.
PlanDiff DiffPlans(const CompiledPlan& old_plan, const CompiledPlan& new_plan,
                   const DiffOptions& options);

}  // namespace fss
