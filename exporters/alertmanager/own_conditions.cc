#include "exporters/alertmanager/own_conditions.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sidecar/base/text.h"

namespace fss {
namespace {

// Enough for a range of 15 minutes, and a bound on what is kept whatever the poll interval.
constexpr std::int64_t kCountEveryMillis = 10LL * 1000;
// The rule's limit is to be raised by hand where polls are rarer; here the interval is known.
constexpr std::int64_t kStalePolls = 4;
constexpr const char* kFlinkCollector = "flink";

// 4xx is left out: a job that ended between two questions is a 404.
bool IsFailure(const std::string& outcome) { return outcome != "2xx" && outcome != "4xx"; }

std::string Percent(double share) { return std::to_string(std::lround(share * 100)) + "%"; }

std::string Unreachable(const Report& report, std::int64_t now_ms) {
  std::string text = "The JobManager of cluster " + report.cluster + " does not answer";
  if (report.health.last_success_ms.has_value()) {
    text += "; the last answer came " + FormatAge(now_ms - *report.health.last_success_ms) + " ago";
  }
  if (!report.health.last_error.empty()) text += " (" + report.health.last_error + ")";
  return text +
         ". Without it there are no checkpoints and no recovery; all findings are as of then.";
}

}  // namespace

std::vector<OwnTrouble> OwnConditions::Look(const Report& report, const SidecarStats& stats,
                                            std::int64_t now_ms) {
  std::vector<OwnTrouble> troubles;
  const double failed_share = FailedShare(stats, now_ms);
  for (const OwnAlert& row : OwnAlerts()) {
    switch (row.condition) {
      case OwnCondition::kUnreachable:
        if (!report.health.up) troubles.push_back({&row, "", Unreachable(report, now_ms)});
        break;
      case OwnCondition::kRequestsFail:
        if (report.health.up && failed_share > row.limit) {
          troubles.push_back({&row, "",
                              Percent(failed_share) +
                                  " of the requests to the JobManager get no usable answer (more "
                                  "than " +
                                  Percent(row.limit) +
                                  " for 15 min). Some jobs' numbers are old."});
        }
        break;
      case OwnCondition::kStale: {
        const std::int64_t age = now_ms - report.health.last_success_ms.value_or(now_ms);
        const std::int64_t limit =
            std::max(static_cast<std::int64_t>(row.limit * 1000), kStalePolls * poll_interval_ms_);
        if (report.health.up && age > limit) {
          troubles.push_back({&row, "",
                              "The last successful poll ended " + FormatAge(age) + " ago (limit " +
                                  FormatAge(limit) + "). Numbers and findings are as of then."});
        }
        break;
      }
      case OwnCondition::kPlansUnreadable:
        if (report.plans_unreadable > 0) {
          troubles.push_back({&row, "",
                              std::to_string(report.plans_unreadable) +
                                  " file(s) in the plan folder cannot be read as compiled plans. "
                                  "The jobs that they belong to are shown without TTLs."});
        }
        break;
      case OwnCondition::kCollectorFails:
        for (const auto& [collector, success] : stats.collector_success) {
          if (success || collector == kFlinkCollector) continue;
          troubles.push_back({&row, collector,
                              "The collector " + collector +
                                  " has failed for 20 min; what it collects is as old as its last "
                                  "success, or missing."});
        }
        break;
    }
  }
  return troubles;
}

double OwnConditions::FailedShare(const SidecarStats& stats, std::int64_t now_ms) {
  Count now{now_ms, 0, 0};
  for (const auto& [outcome, count] : stats.rest_requests) {
    now.requests += count;
    if (IsFailure(outcome)) now.failed += count;
  }
  while (!counts_.empty() && counts_.back().t_ms > now_ms)
    counts_.pop_back();  // the clock went back
  // The first is the youngest that is at least as old as the range.
  while (counts_.size() > 1 && now_ms - counts_[1].t_ms >= kRequestShareMillis) counts_.pop_front();
  if (counts_.empty() || now_ms - counts_.back().t_ms >= kCountEveryMillis) counts_.push_back(now);
  const std::uint64_t requests = now.requests - counts_.front().requests;
  const std::uint64_t failed = now.failed - counts_.front().failed;
  return requests == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(requests);
}

}  // namespace fss
