#include "sidecar/analysis/growing_past_ttl_detector.h"

#include <algorithm>
#include <string>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// In the order of how often it is the cause.
std::string PastTtlAdvice(const JobContext& context) {
  const BackendFamily family = BackendFamilyOf(context.job.config);
  std::string advice =
      "A TTL bounds how long a row stays, not how many come: if the input grows, so does this. "
      "Compare with numRecordsIn of the operator in Flink's web UI. A row that is updated again "
      "and again never expires either.\n";
  if (family == BackendFamily::kHashMap) {
    advice +=
        "On the heap, expired rows go when their key is touched again, and a few with every access "
        "to the state: where little is touched, they stay.\n";
  } else {
    advice +=
        "RocksDB drops expired rows when it compacts their files; files that are never compacted "
        "keep them.";
    // An option of Flink 2.3; 1.20 does not have it.
    const auto version = ParseFlinkVersion(context.flink_version);
    if (version && !(*version < FlinkVersion{2, 3})) {
      advice +=
          " A file may go uncompacted for 30 d, unless you set\n"
          "    state.backend.rocksdb.compaction.filter.periodic-compaction-time = 1 d";
    }
    advice += "\n";
  }
  advice +=
      "Check that the job runs with this TTL: it keeps the plan that it was started with.\n"
      "If the rate is right and the size is not: a shorter TTL. ";
  advice += ChangeSentence();
  return advice;
}

}  // namespace

void GrowingPastTtlDetector::Inspect(const JobContext& context,
                                     std::vector<Finding>* findings) const {
  for (const OperatorReport& op : context.report.operators) {
    const bool past = op.trend.verdict == Verdict::kGrowing && op.trend.past_ttl;
    if (!past || op.cleanup != Cleanup::kTtl) continue;
    const EntryReport* entry = CulpritOf(op);
    std::int64_t longest = 0;
    for (const EntryReport& e : op.state) longest = std::max(longest, e.ttl_ms.value_or(0));
    if (entry != nullptr) longest = entry->ttl_ms.value_or(longest);
    Finding finding = OperatorFinding("growing-past-ttl", Severity::kWarning, op,
                                      entry != nullptr ? entry->name : std::string());
    finding.message = GrowthClause(op, entry) + " although its TTL of " + TtlText(longest) +
                      " and the time to clean up have passed.";
    finding.advice = PastTtlAdvice(context);
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
