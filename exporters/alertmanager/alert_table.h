// Which finding raises which alert, and what the sidecar raises about itself: the alerts of
// deploy/prometheus/rules.yaml under the same names, with the same severities and waits. A test
// compares the two (tests/rules/test_rules.py, by tests/golden/alerts.txt).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sidecar/model/finding.h"

namespace fss {

// "unless": another finding of the same job, or of the same operator, says it already.
struct AlertExclusion {
  enum class Scope { kJob, kOperator };
  Scope scope = Scope::kJob;
  // Codes of such findings; the second may be empty.
  std::string_view code;
  std::string_view other_code;
  std::optional<Severity> severity;  // of such findings; absent: any that alerts
};

// An alert on a finding.
struct FindingAlert {
  std::string_view code;
  std::optional<Severity> finding_severity;  // absent: warning and critical alike
  std::string_view name;
  Severity severity = Severity::kWarning;  // the alert's
  std::int64_t wait_ms = 0;                // how long the finding must stand: `for`
  std::string_view what;                   // the summary but for the place, no full stop
  std::optional<AlertExclusion> unless = std::nullopt;
};

// Rules on findings look this far back, so that a finding at its threshold, seen in every other
// poll, does not begin its wait anew each time.
inline constexpr std::int64_t kAlertLookBackMillis = 10LL * 60 * 1000;

enum class OwnCondition {
  kUnreachable,      // the last poll got no answer
  kRequestsFail,     // more than a share of the requests gets no usable answer
  kStale,            // the last good poll is long ago
  kPlansUnreadable,  // files of the plan folder are no plans
  kCollectorFails,   // a collector other than "flink"
};

// An alert on the sidecar itself, as far as it can know it: not that it is down, and not that
// another sidecar of the cluster still gets answers (FlinkStatePollsFailing, "cut-off").
struct OwnAlert {
  OwnCondition condition = OwnCondition::kUnreachable;
  std::string_view name;
  std::string_view reason;  // the label of that name; empty: none
  Severity severity = Severity::kWarning;
  std::int64_t wait_ms = 0;  // `for`
  std::int64_t held_ms = 0;  // the range over which the rule asks for "all the time", before `for`
  double limit = 0;          // the number behind the rule's ">"; 0 where it has none
  std::string_view what;
};

// The range of the rate in FlinkStatePollsFailing.
inline constexpr std::int64_t kRequestShareMillis = 15LL * 60 * 1000;

std::span<const FindingAlert> FindingAlerts();
std::span<const OwnAlert> OwnAlerts();

// The alert of a finding; nullptr where it raises none: severity info, or a code that is left out.
const FindingAlert* AlertOf(std::string_view code, Severity severity);

}  // namespace fss
