#include "sidecar/analysis/checkpoint_stale_detector.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Flink's own "off" is 2^63-1; intervals of years are as good as that, and must not overflow.
constexpr std::int64_t kNoInterval = std::int64_t{1} << 50;

std::int64_t CompletedAt(const CompletedCheckpoint& checkpoint) {
  return checkpoint.completed_ms.value_or(checkpoint.trigger_ms);
}

// The moment from which the wait counts: the last completed checkpoint or savepoint, the last
// restore, or the start.
std::int64_t WaitingSince(const JobSnapshot& job) {
  std::int64_t since = job.start_ms;
  if (job.latest) since = std::max(since, CompletedAt(*job.latest));
  if (job.latest_restored) since = std::max(since, job.latest_restored->restored_ms);
  for (const CompletedCheckpoint& checkpoint : job.history) {
    since = std::max(since, CompletedAt(checkpoint));
  }
  return since;
}

// How long a job may go without: several intervals, each as long as a checkpoint takes where that
// is longer. One that is still running has until its timeout; then it counts as failed.
std::int64_t Limit(const JobSnapshot& job, std::int64_t interval) {
  std::int64_t step = interval;
  if (job.latest && job.latest->trigger_ms >= 0 && CompletedAt(*job.latest) >= 0) {
    const std::int64_t took = CompletedAt(*job.latest) - job.latest->trigger_ms;
    if (took < kNoInterval) step = std::max(step, took);
  }
  std::int64_t limit = std::max(kStaleFloorMs, step * kStaleIntervals);
  const bool in_progress = job.counts && job.counts->in_progress > 0;
  if (in_progress && job.config->timeout_ms && *job.config->timeout_ms < kNoInterval) {
    limit = std::max(limit, *job.config->timeout_ms + interval);
  }
  return limit;
}

std::string Message(const JobSnapshot& job, std::int64_t waited, std::int64_t interval) {
  std::string message;
  if (job.latest) {
    message = "No checkpoint has completed for " + FormatAge(waited) + " (the last was " +
              std::to_string(job.latest->id) + ")";
  } else {
    message = "No checkpoint has completed since the job " +
              std::string(job.latest_restored ? "was restored " : "started ") + FormatAge(waited) +
              " ago";
  }
  message += ", although one is due every " + FormatFlinkDuration(interval);
  if (job.tasks_total && job.tasks_running && *job.tasks_running < *job.tasks_total) {
    message += ": " + std::to_string(*job.tasks_running) + " of " +
               std::to_string(*job.tasks_total) + " tasks run";
  }
  return message + ".";
}

}  // namespace

void CheckpointStaleDetector::Inspect(const JobContext& context,
                                      std::vector<Finding>* findings) const {
  const JobSnapshot& job = context.job;
  // Without the JobManager's own clock no age is known.
  if (job.state != "RUNNING" || !job.jobmanager_now_ms || !job.config) return;
  const std::int64_t interval = job.config->interval_ms.value_or(0);
  if (interval <= 0 || interval >= kNoInterval) return;
  const std::int64_t since = WaitingSince(job);
  if (since < 0 || *job.jobmanager_now_ms < since) return;
  const std::int64_t waited = *job.jobmanager_now_ms - since;
  const std::int64_t limit = Limit(job, interval);
  if (waited <= limit) return;
  Finding finding;
  finding.code = "checkpoint-stale";
  const bool long_ago = waited > kStaleCriticalFloorMs && waited / kStaleCriticalFactor > limit;
  finding.severity = long_ago ? Severity::kCritical : Severity::kWarning;
  finding.message = Message(job, waited, interval);
  const bool tasks_missing =
      job.tasks_total && job.tasks_running && *job.tasks_running < *job.tasks_total;
  finding.advice =
      tasks_missing
          ? "A checkpoint starts only when all tasks run. Look for TaskManagers that are gone or "
            "for too few slots (Flink's web UI, Overview), and at the exceptions of the job."
          : "A failure of the job now goes back that far. Look at the checkpoints of the job in "
            "Flink's web UI: one that is in progress for long shows which operator has not "
            "acknowledged it (back pressure, or state too large for the time); none in progress "
            "means that the source has finished or that the coordinator waits.";
  findings->push_back(std::move(finding));
}

}  // namespace fss
