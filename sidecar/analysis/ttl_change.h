// What a restore does with a state entry whose TTL changed. Pure functions; safe from any thread.
#pragma once

#include <optional>
#include <string>

#include "sidecar/analysis/state_holders.h"
#include "sidecar/model/plan_diff.h"

namespace fss {

struct TtlChange {
  RestoreOutcome restore = RestoreOutcome::kCompatible;
  std::string message;
};

// Of one entry that Flink finds again. `place` names it: "leftState of Join[19]". Absent where the
// TTL is the same, or neither plan tells it. An empty version or backend is one that is not known:
// the worse case counts.
std::optional<TtlChange> CompareTtl(const std::string& place, const HeldEntry& before,
                                    const HeldEntry& now, const std::string& flink_version,
                                    const std::string& state_backend);

}  // namespace fss
