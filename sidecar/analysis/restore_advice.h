// What a restore does with state whose TTL was switched on or off, by Flink version and backend.
//
// Tried on real clusters (savepoint, plan edited, same uid): 1.20.5, 2.1.3, 2.2.1, 2.3.0 with
// RocksDB and hashmap. Pure functions; safe from any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sidecar/model/cluster_snapshot.h"

namespace fss {

enum class TtlRestore {
  kRefused,   // the job does not start from the old state (StateMigrationException)
  kMigrates,  // the old state is taken over
  kUntried,   // nobody has seen it: to be tried on a copy first
};

// "EmbeddedRocksDBStateBackend", "HashMapStateBackend", "rocksdb", …: which family.
enum class BackendFamily { kUnknown, kHashMap, kRocksDb, kForSt };
BackendFamily BackendFamilyOf(std::string_view state_backend);
// The same of a job's checkpoint configuration; kUnknown where there is none.
BackendFamily BackendFamilyOf(const std::optional<CheckpointConfig>& config);

// Major and minor of "2.3.0", "2.3", "1.20-SNAPSHOT"; absent where the text is no version.
struct FlinkVersion {
  int major = 0;
  int minor = 0;

  bool operator==(const FlinkVersion&) const = default;
  bool operator<(const FlinkVersion& other) const {
    return major != other.major ? major < other.major : minor < other.minor;
  }
};
std::optional<FlinkVersion> ParseFlinkVersion(std::string_view text);

// The first version that can make one multi-join of several joins.
inline constexpr FlinkVersion kFirstMultiJoin{2, 1};

// Switching the TTL of one state on (0 to something) or off between savepoint and restore. With an
// unknown backend the worse case counts.
TtlRestore RestoreAfterSwitch(FlinkVersion version, BackendFamily backend);

// The same for a plan that is judged before it runs: where nobody has tried it, or the version is
// not known ("", "two"), it counts as refused. `state_backend` as in BackendFamilyOf.
bool SwitchIsRefused(std::string_view flink_version, std::string_view state_backend);

// A sentence or two for advice that switches a TTL on or off.
std::string SwitchSentence(std::string_view flink_version, std::string_view state_backend);

// For advice that puts another operator ("an interval join") in the place of one with state. Tried
// on 2.3.0 with RocksDB, with a multi-join, an interval join and a window aggregation.
std::string ReplaceSentence(std::string_view by_what);

// For advice that changes one TTL into another one: no version tried refuses it.
std::string ChangeSentence();

// What a restore does with rows of before under another TTL (both on), a sentence. Flink stores
// when a row was last written, not when it expires.
std::string LongerSentence();
std::string ShorterSentence();

}  // namespace fss
