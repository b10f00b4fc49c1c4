#include "sidecar/analysis/capacity_detector.h"

#include <cmath>
#include <limits>
#include <string>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/detector_texts.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Of the job's growth in the place that fills.
constexpr double kLeastGrowthShare = 0.1;

std::int64_t MillisOf(std::int64_t seconds) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 1000;
  return seconds > kMost ? kMost * 1000 : seconds * 1000;
}

std::string PlaceOf(const JobReport& job, const OperatorReport& op) {
  switch (op.full_of) {
    case FullOf::kHeap: {
      if (!job.heap) return "The heap of a TaskManager";
      return "The heap of TaskManager " + job.heap->task_manager + " (" +
             FormatBytes(job.heap->floor) + " of " + FormatBytes(job.heap->max) +
             " in use after collections)";
    }
    case FullOf::kJobLimit:
      return "The job's limit" +
             (job.state_limit_bytes ? " of " + FormatBytes(*job.state_limit_bytes) : std::string());
    case FullOf::kDisk:
    case FullOf::kNothing:
      break;
  }
  return "The disk for state";
}

std::string Advice(const JobReport& job, const OperatorReport& op) {
  std::string advice =
      "What stops it is a bound on this state: see forever-state or state-growing of the same "
      "operator for the change to the SQL.\n";
  switch (op.full_of) {
    case FullOf::kHeap:
      advice +=
          "To gain time: more TaskManager memory (taskmanager.memory.task.heap.size), or more "
          "TaskManagers and parallelism, from a savepoint. With RocksDB the disk is the limit, not "
          "the heap: take a savepoint in canonical format, set\n"
          "    state.backend.type = rocksdb\n"
          "and restore.";
      if (job.heap && job.heap->factor) {
        advice += " (A byte of checkpoint takes " + std::to_string(std::lround(*job.heap->factor)) +
                  " bytes of heap here, as seen.)";
      }
      break;
    case FullOf::kJobLimit:
      advice += "The limit is state_limit of the rules file: raise it there if it is too low.";
      break;
    case FullOf::kDisk:
    case FullOf::kNothing:
      advice +=
          "To gain time: a larger volume where RocksDB keeps its files "
          "(state.backend.rocksdb.localdir, "
          "io.tmp.dirs) and where checkpoints go.";
      break;
  }
  return advice;
}

}  // namespace

void CapacityDetector::Inspect(const JobContext& context, std::vector<Finding>* findings) const {
  double job_rate = 0;
  for (const OperatorReport& op : context.report.operators) {
    if (op.seconds_until_full) job_rate += op.trend.bytes_per_second.value_or(0);
  }
  for (const OperatorReport& op : context.report.operators) {
    if (!op.seconds_until_full) continue;
    const std::int64_t millis = MillisOf(*op.seconds_until_full);
    if (millis >= context.thresholds.capacity_warning_ms) continue;
    const double rate = op.trend.bytes_per_second.value_or(0);
    // Who adds little is not the cause.
    if (rate < kLeastGrowthShare * job_rate) continue;
    const EntryReport* entry = CulpritOf(op);
    const bool critical = millis < context.thresholds.capacity_critical_ms;
    Finding finding =
        OperatorFinding("capacity", critical ? Severity::kCritical : Severity::kWarning, op,
                        entry != nullptr ? entry->name : std::string());
    finding.message =
        PlaceOf(context.report, op) +
        (*op.seconds_until_full == 0 ? " is full" : " will be full in " + FormatAge(millis)) +
        " at the present rate: " + GrowthClause(op, entry) + ".";
    finding.advice = Advice(context.report, op);
    findings->push_back(std::move(finding));
  }
}

}  // namespace fss
