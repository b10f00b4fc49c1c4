#include "sidecar/analysis/checkpoint_failing_detector.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxReason = 240;  // bytes of Flink's message

Severity SeverityOf(std::int64_t failures, bool none_completed) {
  if (failures >= kFailuresToAlarm) return Severity::kCritical;
  if (failures >= kFailuresToWarn || none_completed) return Severity::kWarning;
  return Severity::kInfo;
}

// Flink keeps few failures in its history; while none has completed, all that it counts are in a
// row. A single one that it counts and keeps nowhere is a checkpoint triggered before all tasks of
// a young job ran (2.3.0, 1.20.5): nothing.
std::int64_t FailuresInRow(const JobSnapshot& job) {
  const std::int64_t failures = job.failed_since_completed;
  if (!job.counts || job.counts->completed != 0 || job.latest) return failures;
  return job.counts->failed >= kFailuresToWarn ? std::max(failures, job.counts->failed) : failures;
}

}  // namespace

void CheckpointFailingDetector::Inspect(const JobContext& context,
                                        std::vector<Finding>* findings) const {
  const JobSnapshot& job = context.job;
  const std::int64_t failures = FailuresInRow(job);
  if (failures <= 0) return;
  const bool none_completed = job.counts && job.counts->completed == 0 && !job.latest;
  Finding finding;
  finding.code = "checkpoint-failing";
  finding.severity = SeverityOf(failures, none_completed);
  finding.message = failures == 1 ? "The last checkpoint failed"
                                  : "The last " + std::to_string(failures) + " checkpoints failed";
  if (none_completed) finding.message += ", and none has completed since the job started";
  if (job.latest) {
    finding.message += ", after checkpoint " + std::to_string(job.latest->id) + " had completed";
  }
  if (job.latest_failed && !job.latest_failed->reason.empty()) {
    finding.message += ": " + OneLine(job.latest_failed->reason, kMaxReason);
  }
  finding.message += finding.message.ends_with('.') ? "" : ".";
  finding.advice =
      "A failure of the job now goes back to the last completed checkpoint, however old. Read the "
      "reason above, and the JobManager's log from that time on. Expired before completing: state "
      "too large for the timeout, or back pressure that holds the barriers up. Look at the sizes "
      "of this job's operators, and at back pressure in Flink's web UI; then\n"
      "    SET 'execution.checkpointing.incremental' = 'true';\n"
      "    SET 'execution.checkpointing.unaligned.enabled' = 'true';\n"
      "    SET 'execution.checkpointing.timeout' = '30 min';\n"
      "Declined or I/O errors: the checkpoint storage (space, permissions, network), or a "
      "TaskManager that was lost.";
  findings->push_back(std::move(finding));
}

}  // namespace fss
