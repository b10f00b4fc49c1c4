#include "sidecar/analysis/state_skew_detector.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// With few subtasks the largest cannot be many times the mean: of two, 1.6 times is 80 %.
double RatioFor(std::size_t subtasks, double wanted) {
  constexpr double kPerSubtask = 0.6;
  return std::min(wanted, 1 + kPerSubtask * static_cast<double>(subtasks - 1));
}

}  // namespace

void StateSkewDetector::Inspect(const JobContext& context, std::vector<Finding>* findings) const {
  for (const OperatorReport& op : context.report.operators) {
    const std::vector<std::int64_t>& bytes = op.subtask_bytes;
    if (bytes.size() < 2 || bytes.front() < context.thresholds.skew_bytes) continue;
    double sum = 0;
    for (std::int64_t size : bytes) sum += static_cast<double>(size);
    const double mean = sum / static_cast<double>(bytes.size());
    const double times = static_cast<double>(bytes.front()) / mean;
    if (times < RatioFor(bytes.size(), context.thresholds.skew_ratio)) continue;
    Finding finding = OperatorFinding("state-skew", Severity::kWarning, op, {});
    const auto share =
        static_cast<int>(std::lround(100.0 * static_cast<double>(bytes.front()) / sum));
    finding.message = "One of the " + std::to_string(bytes.size()) + " subtasks of " + op.label +
                      " holds " + FormatBytes(bytes.front()) + ", " + std::to_string(share) +
                      " % of its state; the mean is " +
                      FormatBytes(static_cast<std::int64_t>(mean)) + ".";
    finding.advice =
        "A few keys have most of the rows: look for NULL, an empty text or a default value among "
        "them, and filter it before the operator or give it a key of its own. A GROUP BY can be "
        "done in two steps (table.optimizer.agg-phase-strategy = TWO_PHASE with mini-batch). More "
        "parallelism does not help: a key lives in one subtask.";
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
