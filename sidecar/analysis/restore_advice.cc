#include "sidecar/analysis/restore_advice.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace fss {
namespace {

constexpr FlinkVersion kFirstMajor2{2, 0};
constexpr FlinkVersion kMigratesRocksDb{2, 1};
constexpr FlinkVersion kMigratesAll{2, 2};
constexpr FlinkVersion kOldestTried{1, 20};

std::string Name(FlinkVersion version) {
  return "Flink " + std::to_string(version.major) + "." + std::to_string(version.minor);
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

const char* Name(BackendFamily backend) {
  switch (backend) {
    case BackendFamily::kHashMap:
      return "the hashmap backend";
    case BackendFamily::kRocksDb:
      return "RocksDB";
    case BackendFamily::kForSt:
      return "ForSt";
    case BackendFamily::kUnknown:
      break;
  }
  return "this backend";
}

constexpr const char* kRefusedMeans =
    "To set a TTL there means to start this job without its old state, or to move to Flink 2.2 "
    "first; with the old state it would not start (StateMigrationException).";

std::string UntriedSentence(std::string_view what) {
  return "Restore: switching a TTL on or off was not tried on " + std::string(what) +
         ". Take a savepoint and try the restore on a copy of the job first.";
}

std::string UnknownVersionSentence() {
  return "Restore: switching a TTL on or off is refused by Flink 1.20 on every backend and by "
         "Flink 2.1 on hashmap (the job does not start from its old state); Flink 2.1 migrates "
         "RocksDB, Flink 2.2 and later migrate both.";
}

}  // namespace

BackendFamily BackendFamilyOf(std::string_view state_backend) {
  const std::string name = Lower(state_backend);
  const auto holds = [&](const char* word) { return name.find(word) != std::string::npos; };
  if (holds("rocksdb")) return BackendFamily::kRocksDb;
  if (holds("forst")) return BackendFamily::kForSt;
  // "FsStateBackend" and "MemoryStateBackend" are its names of old; both keep objects on the heap.
  if (holds("hashmap") || holds("fsstate") || holds("memorystate")) return BackendFamily::kHashMap;
  return BackendFamily::kUnknown;
}

BackendFamily BackendFamilyOf(const std::optional<CheckpointConfig>& config) {
  return config ? BackendFamilyOf(config->state_backend) : BackendFamily::kUnknown;
}

std::optional<FlinkVersion> ParseFlinkVersion(std::string_view text) {
  FlinkVersion version;
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc() || version.major < 1 || version.minor < 0) return std::nullopt;
  return version;
}

TtlRestore RestoreAfterSwitch(FlinkVersion version, BackendFamily backend) {
  if (version < kFirstMajor2) return TtlRestore::kRefused;
  if (version < kMigratesRocksDb || backend == BackendFamily::kForSt) return TtlRestore::kUntried;
  if (version < kMigratesAll && backend != BackendFamily::kRocksDb) return TtlRestore::kRefused;
  return TtlRestore::kMigrates;
}

bool SwitchIsRefused(std::string_view flink_version, std::string_view state_backend) {
  const auto version = ParseFlinkVersion(flink_version);
  if (!version) return true;
  return RestoreAfterSwitch(*version, BackendFamilyOf(state_backend)) != TtlRestore::kMigrates;
}

std::string SwitchSentence(std::string_view flink_version, std::string_view state_backend) {
  const auto version = ParseFlinkVersion(flink_version);
  const BackendFamily backend = BackendFamilyOf(state_backend);
  if (!version) return UnknownVersionSentence();
  const std::string name = Name(*version);
  const TtlRestore restore = RestoreAfterSwitch(*version, backend);
  if (restore == TtlRestore::kUntried) {
    return UntriedSentence(backend == BackendFamily::kForSt ? "ForSt" : std::string_view(name));
  }
  const bool unknown = backend == BackendFamily::kUnknown;
  if (*version < kFirstMajor2) {
    return "Restore: " + name + " refuses to restore state whose TTL was switched on or off, on " +
           (unknown ? "every backend" : Name(backend)) +
           (*version < kOldestTried ? " (seen on 1.20)" : "") + ". " + kRefusedMeans;
  }
  if (unknown && *version < kMigratesAll) {
    return "Restore: with RocksDB, " + name +
           " migrates state whose TTL was switched on or off; with the hashmap backend it refuses "
           "it. " +
           kRefusedMeans;
  }
  if (restore == TtlRestore::kRefused) {
    return "Restore: " + name + " refuses to restore state whose TTL was switched on or off, on " +
           Name(backend) + " (with RocksDB it migrates it). " + kRefusedMeans;
  }
  return "Restore: " + name + " migrates state whose TTL was switched on or off" +
         (unknown ? ", on RocksDB and on hashmap" : std::string(", on ") + Name(backend)) +
         ": the job starts from its old state.";
}

std::string ReplaceSentence(std::string_view by_what) {
  return "Restore: " + std::string(by_what) +
         " is another operator, and the old one's state is not taken over: Flink refuses to start "
         "from a savepoint that holds it. Start the job without its old state, or let Flink leave "
         "out what is no longer there (--allowNonRestoredState; from 1.20 on in SQL: SET "
         "'execution.state-recovery.ignore-unclaimed-state' = 'true'): rows that came before count "
         "for the result only when they are read again. A plan compiled anew may number its "
         "sources in another way too, and then they start from their beginning.";
}

std::string ChangeSentence() {
  return "Restore: another value in place of a TTL that was on is taken by every Flink tried "
         "(1.20, "
         "2.1, 2.2, 2.3), with the old state kept.";
}

std::string LongerSentence() {
  return "The old state is taken over, but a longer TTL does not revive what has expired and was "
         "removed.";
}

std::string ShorterSentence() {
  return "The old state is taken over; a row of before counts as expired under the shorter TTL "
         "only "
         "at its next access, or when the backend cleans up: nothing shrinks at the restore "
         "itself.";
}

}  // namespace fss
