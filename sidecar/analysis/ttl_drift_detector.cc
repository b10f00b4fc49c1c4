#include "sidecar/analysis/ttl_drift_detector.h"

#include <string>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

std::string Message(const JobContext& context, const OperatorReport& op, const EntryReport& entry) {
  const std::string checkpoint =
      context.report.checkpoint_read_id
          ? "checkpoint " + std::to_string(*context.report.checkpoint_read_id)
          : std::string("the checkpoint");
  const std::string what = entry.name + " of " + op.label;
  if (*entry.ttl_ms > 0) {
    return "The plan keeps " + what + " for " + TtlText(*entry.ttl_ms) + ", but " + checkpoint +
           " of the running job shows no TTL: it is kept for ever.";
  }
  return "The plan keeps " + what + " for ever (TTL 0), but " + checkpoint +
         " of the running job shows a TTL: rows expire, after a time that only its own plan tells.";
}

std::string DriftAdvice(const JobContext& context) {
  return "The checkpoint is right: the job runs from another plan than " + context.report.plan +
         ", or from an older version of it, or was submitted with another table.exec.state.ttl.\n"
         "If the job is as it should be, put the plan that it runs from into the plan folder.\n"
         "If the plan is, take a savepoint, stop the job, and start it from the plan:\n"
         "    SET 'execution.state-recovery.path' = '<savepoint>';\n"
         "    EXECUTE PLAN '<plan file>';\n" +
         SwitchSentence(context.flink_version,
                        context.job.config ? context.job.config->state_backend : std::string());
}

}  // namespace

void TtlDriftDetector::Inspect(const JobContext& context, std::vector<Finding>* findings) const {
  for (const OperatorReport& op : context.report.operators) {
    for (const EntryReport& entry : op.state) {
      if (!entry.ttl_ms || !entry.ttl_enabled) continue;
      if ((*entry.ttl_ms > 0) == *entry.ttl_enabled) continue;
      Finding finding = OperatorFinding("ttl-drift", Severity::kWarning, op, entry.name);
      finding.message = Message(context, op, entry);
      finding.advice = DriftAdvice(context);
      findings->push_back(std::move(finding));
    }
  }
}

}  // namespace fss
