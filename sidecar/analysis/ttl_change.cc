#include "sidecar/analysis/ttl_change.h"

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kShownTtlBytes = 40;

// As a TTL is told in a sentence.
std::string Shown(const HeldEntry& entry) {
  if (entry.ttl_ms) return TtlText(*entry.ttl_ms);
  return entry.ttl.empty() ? "not in the plan" : "'" + OneLine(entry.ttl, kShownTtlBytes) + "'";
}

// A text that Flink refuses to load.
bool Unloadable(const HeldEntry& entry) { return !entry.ttl_ms && !entry.ttl.empty(); }

TtlChange Switched(const std::string& version, const std::string& backend) {
  const bool refused = SwitchIsRefused(version, backend);
  TtlChange change;
  change.restore = refused ? RestoreOutcome::kRefused : RestoreOutcome::kMigrates;
  change.message = SwitchSentence(version, backend);
  const auto known = ParseFlinkVersion(version);
  if (!known) change.message += " The version is not known, so it counts as refused.";
  const bool untried =
      known && RestoreAfterSwitch(*known, BackendFamilyOf(backend)) == TtlRestore::kUntried;
  if (untried) change.message += " Until then it counts as refused.";
  return change;
}

}  // namespace

std::optional<TtlChange> CompareTtl(const std::string& place, const HeldEntry& before,
                                    const HeldEntry& now, const std::string& flink_version,
                                    const std::string& state_backend) {
  if (before.ttl_ms == now.ttl_ms && (now.ttl_ms || before.ttl == now.ttl)) return std::nullopt;
  const std::string was = place + ": its TTL was " + Shown(before) + ", is " + Shown(now) + ". ";
  if (Unloadable(now)) {
    return TtlChange{RestoreOutcome::kRefused, was + "Flink does not load a plan with such a TTL."};
  }
  TtlChange change;
  if (before.ttl_ms && now.ttl_ms) {
    if (*before.ttl_ms == 0 || *now.ttl_ms == 0) {
      change = Switched(flink_version, state_backend);
    } else {
      const bool longer = *now.ttl_ms > *before.ttl_ms;
      change.message = longer ? LongerSentence() : ShorterSentence();
    }
  } else if (!before.ttl_ms && !now.ttl_ms) {
    return std::nullopt;  // neither plan tells it
  } else {
    change = Switched(flink_version, state_backend);
    change.message =
        "Where the plan has none, table.exec.state.ttl of the day the job starts "
        "decides, so the TTL may be switched on or off. " +
        change.message;
  }
  change.message = was + change.message;
  return change;
}

}  // namespace fss
