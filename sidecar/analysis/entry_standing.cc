#include "sidecar/analysis/entry_standing.h"

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/base/millis.h"
#include "sidecar/base/text.h"

namespace fss {

Standing StandingOf(const OperatorReport& op, const std::string& entry_name) {
  Standing standing{op.trend.verdict, op.trend.bytes_per_second, op.size_bytes,
                    op.state.size() == 1, op.seconds_until_full};
  for (const EntryReport& entry : op.state) {
    if (entry.name != entry_name || entry.trend.verdict == Verdict::kUnknown) continue;
    standing = {entry.trend.verdict, entry.trend.bytes_per_second, entry.live_bytes, true,
                entry.seconds_until_full};
  }
  return standing;
}

Severity SeverityOfForever(const Standing& standing, const Thresholds& thresholds) {
  if (standing.seconds_until_full &&
      *standing.seconds_until_full < thresholds.capacity_critical_ms / kMillisPerSecond) {
    return Severity::kCritical;
  }
  const bool harmless =
      standing.verdict != Verdict::kGrowing && standing.verdict != Verdict::kUnknown;
  return harmless && standing.bytes.value_or(0) < thresholds.large_bytes ? Severity::kInfo
                                                                         : Severity::kWarning;
}

std::string StandingSentence(const Standing& standing) {
  const std::string who = standing.of_entry ? " It " : " The operator ";
  const std::string holds =
      standing.bytes ? "holds " + FormatBytes(*standing.bytes) + " and " : std::string();
  switch (standing.verdict) {
    case Verdict::kGrowing:
      return who + holds + "grows by " + FormatRate(standing.rate.value_or(0)) +
             (standing.seconds_until_full
                  ? ", full in " + FormatAge(*standing.seconds_until_full * 1000)
                  : "") +
             ".";
    case Verdict::kFilling:
      return who + holds + "grows ever slower.";
    case Verdict::kFlat:
      return who + holds + "does not grow.";
    case Verdict::kShrinking:
      return who + holds + "shrinks.";
    case Verdict::kUnknown:
      break;
  }
  return {};
}

}  // namespace fss
