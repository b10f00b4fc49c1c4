#include "exporters/alertmanager/alert_table.h"

#include <algorithm>
#include <array>

#include "sidecar/base/millis.h"

namespace fss {
namespace {

constexpr std::int64_t kPage = 12 * kMillisPerMinute;    // what wakes somebody
constexpr std::int64_t kTicket = 15 * kMillisPerMinute;  // what can wait for daylight
// Plans are often put into the folder after the job.
constexpr std::int64_t kPlan = 60 * kMillisPerMinute;

constexpr auto kAny = std::nullopt;
constexpr Severity kWarning = Severity::kWarning;
constexpr Severity kCritical = Severity::kCritical;
using Scope = AlertExclusion::Scope;

constexpr auto kFindingAlerts = std::to_array<FindingAlert>({
    {"capacity", kCritical, "FlinkStateFillsUp", kCritical, kPage,
     "State will soon fill its heap or disk"},
    {"capacity", kWarning, "FlinkStateFillsUp", kWarning, kTicket,
     "State is on its way to fill its heap or disk"},
    {"heap-pressure", kCritical, "FlinkStateHeapPressure", kCritical, kPage,
     "State on the heap leaves a TaskManager almost no memory"},
    {"heap-pressure", kWarning, "FlinkStateHeapPressure", kWarning, kTicket,
     "State on the heap takes much of a TaskManager's memory"},
    {"forever-state", kCritical, "FlinkStateKeptForever", kCritical, kPage,
     "State is kept for ever and about to fill its place",
     AlertExclusion{Scope::kJob, "capacity", "heap-pressure", kCritical}},
    {"forever-state", kWarning, "FlinkStateKeptForever", kWarning, kTicket,
     "State is kept for ever, and it grows"},
    {"state-growing", kAny, "FlinkStateGrowing", kWarning, kTicket, "State grows without end",
     AlertExclusion{Scope::kOperator, "forever-state", "growing-past-ttl", kAny}},
    {"growing-past-ttl", kAny, "FlinkStateGrowingPastTtl", kWarning, kTicket,
     "State still grows after its TTL has passed"},
    {"state-skew", kAny, "FlinkStateSkew", kWarning, kTicket,
     "One subtask holds far more state than its share"},
    {"ttl-from-job-default", kAny, "FlinkStateTtlFromJobDefault", kWarning, kTicket,
     "State did not get the TTL of its hints"},
    {"ttl-mismatch", kAny, "FlinkStateTtlMismatch", kWarning, kTicket,
     "TTLs do not fit together, the shortest decides the result"},
    {"ttl-drift", kAny, "FlinkStateTtlDrift", kWarning, kTicket,
     "State does not run with the TTL of its plan"},
    {"plan-missing", kAny, "FlinkStatePlanMissing", kWarning, kPlan,
     "No plan fits, TTLs are not known"},
    {"plan-drift", kAny, "FlinkStatePlanDrift", kWarning, kPlan, "The plan no longer fits its job"},
    {"plan-ambiguous", kAny, "FlinkStatePlanAmbiguous", kWarning, kPlan,
     "Several plans with different TTLs fit"},
    {"checkpoint-failing", kCritical, "FlinkStateCheckpointFailing", kCritical, kPage,
     "Checkpoints fail again and again"},
    {"checkpoint-failing", kWarning, "FlinkStateCheckpointFailing", kWarning, kTicket,
     "Checkpoints have failed"},
    {"checkpoint-stale", kCritical, "FlinkStateCheckpointStale", kCritical, kPage,
     "No checkpoint has completed for far too long",
     AlertExclusion{Scope::kJob, "checkpoint-failing", "", kCritical}},
    {"checkpoint-stale", kWarning, "FlinkStateCheckpointStale", kWarning, kTicket,
     "No checkpoint has completed for several intervals",
     AlertExclusion{Scope::kJob, "checkpoint-failing", "", kAny}},
});

constexpr auto kOwnAlerts = std::to_array<OwnAlert>({
    {OwnCondition::kUnreachable, "FlinkStateJobManagerUnreachable", "", kCritical,
     5 * kMillisPerMinute, 5 * kMillisPerMinute, 0, "The JobManager does not answer"},
    {OwnCondition::kRequestsFail, "FlinkStatePollsFailing", "requests", kWarning,
     15 * kMillisPerMinute, 0, 0.1, "Requests to the JobManager fail"},
    {OwnCondition::kStale, "FlinkStateReportStale", "", kWarning, 5 * kMillisPerMinute, 0, 600,
     "What the sidecar reports is old"},
    {OwnCondition::kPlansUnreadable, "FlinkStatePlansUnreadable", "", kWarning,
     10 * kMillisPerMinute, 10 * kMillisPerMinute, 0, "Files of the plan folder cannot be read"},
    {OwnCondition::kCollectorFails, "FlinkStateCollectorFailing", "", kWarning,
     10 * kMillisPerMinute, 10 * kMillisPerMinute, 0, "A collector of the sidecar fails"},
});

}  // namespace

std::span<const FindingAlert> FindingAlerts() { return kFindingAlerts; }

std::span<const OwnAlert> OwnAlerts() { return kOwnAlerts; }

const FindingAlert* AlertOf(std::string_view code, Severity severity) {
  if (severity == Severity::kInfo) return nullptr;
  const auto* const found =
      std::find_if(kFindingAlerts.begin(), kFindingAlerts.end(), [&](const FindingAlert& row) {
        return row.code == code && row.finding_severity.value_or(severity) == severity;
      });
  return found == kFindingAlerts.end() ? nullptr : found;
}

}  // namespace fss
