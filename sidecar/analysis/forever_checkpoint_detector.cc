#include "sidecar/analysis/forever_checkpoint_detector.h"

#include <string>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/entry_standing.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// Without a plan nobody knows the query's tables and hints: the advice is how to get there.
std::string ForeverAdvice(const JobContext& context) {
  return "Save the job's plan, and its findings will say what to write where:\n"
         "    COMPILE PLAN 'file:///plans/job.json' FOR INSERT INTO … ;\n"
         "First look for a bound in time: an interval, window, temporal or lookup join, or a "
         "window "
         "aggregation. Else give a regular join or a GROUP BY a TTL per input, by a hint after "
         "SELECT:\n"
         "    SELECT /*+ STATE_TTL('<table or alias>' = '7d') */ …\n"
         "Last the whole job's, which also shortens the state of every other operator:\n"
         "    SET 'table.exec.state.ttl' = '7 d';\n"
         "The TTL must be longer than the longest time between two rows that belong together: what "
         "expires is forgotten, and the result is wrong for rows that come later.\n" +
         SwitchSentence(context.flink_version,
                        context.job.config ? context.job.config->state_backend : std::string());
}

}  // namespace

void ForeverCheckpointDetector::Inspect(const JobContext& context,
                                        std::vector<Finding>* findings) const {
  for (const OperatorReport& op : context.report.operators) {
    for (const EntryReport& entry : op.state) {
      // Where the plan's TTL is known, the plan's findings speak.
      if (entry.ttl_ms || entry.ttl_enabled != false) continue;
      const Standing standing = StandingOf(op, entry.name);
      Finding finding = OperatorFinding(
          "forever-state", SeverityOfForever(standing, context.thresholds), op, entry.name);
      finding.message = op.label + " keeps " + entry.name +
                        " for ever: the checkpoint shows no TTL." + StandingSentence(standing);
      finding.advice = ForeverAdvice(context);
      if (standing.verdict == Verdict::kGrowing && standing.rate) {
        finding.advice += "\n" + SettleSentence(*standing.rate);
      }
      findings->push_back(std::move(finding));
    }
  }
}

}  // namespace fss
