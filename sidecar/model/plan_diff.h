// What `diff` tells of two compiled plans: plain data, so that exporters need no analysis.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fss {

enum class PlanChangeKind {
  kAdded,
  kRemoved,
  kTtl,
  kDescription,  // the operator's text, its columns, or its uid alone
};

// What a restore from a savepoint of the old job into the new plan does with this state.
enum class RestoreOutcome {
  kCompatible,  // taken over as it is
  kMigrates,    // taken over, rewritten by Flink
  kRefused,     // Flink does not start from it, or would take it for something that it is not
  kLost,        // not found again; Flink starts only when it is told to leave it out
  kNew,         // there is no old state
};

// "added", "removed", "ttl", "description".
const char* PlanChangeName(PlanChangeKind kind);
// "compatible", "migrates", "refused", "lost", "new".
const char* RestoreOutcomeName(RestoreOutcome outcome);
// kRefused and kLost: the new job does not simply go on where the old one was.
bool IsIncompatible(RestoreOutcome outcome);

struct PlanChange {
  std::optional<std::int64_t> node_id_old;  // absent for what was added
  std::optional<std::int64_t> node_id_new;  // absent for what was removed
  std::string label;  // "Join[19]": as the new plan calls it, or the old one, where it was removed
  std::string
      state;  // "leftState"; empty: the operator as a whole, or state that plans do not list
  PlanChangeKind change = PlanChangeKind::kDescription;
  std::optional<std::int64_t> old_ttl_ms;  // 0 is for ever; absent where the plan does not tell
  std::optional<std::int64_t> new_ttl_ms;
  RestoreOutcome restore = RestoreOutcome::kCompatible;
  std::string message;  // one line, with the reason
};

struct PlanDiff {
  std::string old_file;
  std::string new_file;
  std::string flink_version;  // the one that restores; may be empty
  std::vector<PlanChange> changes;
};

}  // namespace fss
