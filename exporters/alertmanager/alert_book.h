// Which alerts stand, and which of them to post now: what Prometheus' rules and notifier do, inside
// the sidecar.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exporters/alertmanager/alert.h"
#include "exporters/alertmanager/alert_table.h"
#include "exporters/alertmanager/own_conditions.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// As Prometheus' notifier: a standing alert is told again every minute, for an Alertmanager that
// was away; a resolved one for 15 minutes.
inline constexpr std::int64_t kAlertResendMillis = 60LL * 1000;
inline constexpr std::int64_t kAlertResolvedMillis = 15LL * 60 * 1000;

struct AlertBookOptions {
  std::string instance;          // names this sidecar in alerts about itself
  std::string runbook_base_url;  // no slash at the end; empty: no runbook_url
  std::int64_t poll_interval_ms = 15LL * 1000;
};

// Pure: time comes with each call, nothing is sent. Not thread safe.
//
// A finding fires when it has stood for its alert's wait, gaps of up to 10 minutes included. Once
// it is over, acknowledged or excluded by another, its alert is resolved at once; should it come
// back, it waits anew. A ticket that fires stands until the page that takes its place fires.
// While the JobManager does not answer, findings neither begin, fire nor end: what fires is told
// on. After a restart of the sidecar a finding's wait counts from its first-seen time, which the
// history remembers.
class AlertBook {
 public:
  explicit AlertBook(AlertBookOptions options);

  // What to post at `now_ms` (milliseconds since 1970, a clock that may jump), given the last
  // report. Call it after each poll and once in between whenever a minute has passed.
  std::vector<Alert> Update(const Report& report, const SidecarStats& stats, std::int64_t now_ms);

 private:
  struct Entry {
    const FindingAlert* finding = nullptr;  // nullptr: an alert of the sidecar's own
    AlertPairs labels;
    AlertPairs annotations;
    std::string place;                       // the labels but for the severity
    Severity severity = Severity::kWarning;  // the alert's
    Severity finding_severity = Severity::kWarning;
    std::int64_t wait_ms = 0;
    std::int64_t since_ms = 0;  // of the wait
    std::int64_t seen_ms = 0;   // when it held last
    bool stands = false;        // holds in this update
    bool excluded = false;      // another alert says it already
    std::optional<std::int64_t> fired_ms;
    std::optional<std::int64_t> resolved_ms;
    std::optional<std::int64_t> sent_ms;  // in its present state
  };
  using Entries = std::map<std::string, Entry>;

  void SeeFindings(const Report& report, std::int64_t now_ms);
  void SeeFinding(const Report& report, const Finding& finding, std::int64_t now_ms);
  void SeeOwn(const Report& report, const SidecarStats& stats, std::int64_t now_ms);
  void See(Entry fresh, std::int64_t since_ms, std::int64_t now_ms);
  void Exclude(std::int64_t now_ms);
  static bool Excludes(const Entry& other, const Entry& entry);
  bool IsHeld(const Entry& entry) const;
  void Settle(bool findings_too, std::int64_t now_ms);
  std::vector<Alert> Due(std::int64_t now_ms);

  AlertBookOptions options_;
  OwnConditions own_;
  Entries entries_;  // by place and severity
  bool seen_findings_ = false;
};

}  // namespace fss
