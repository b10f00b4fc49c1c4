#include "sidecar/analysis/heap_pressure_detector.h"

#include <cmath>
#include <string>

#include "sidecar/analysis/detector_texts.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Seen on Flink 2.3.0: what a byte of checkpoint takes at least on the heap. Only to tell whether
// the state may be the cause at all, where the factor is not learnt yet.
constexpr double kUsualFactor = 8;
// Of the heap; a state that takes less is not what presses.
constexpr double kLeastHeapShare = 0.2;

bool StateMatters(const HeapReport& heap) {
  const double in_memory =
      static_cast<double>(heap.state_bytes) * heap.factor.value_or(kUsualFactor);
  return in_memory >= kLeastHeapShare * static_cast<double>(heap.max);
}

std::string InMemory(const HeapReport& heap) {
  if (!heap.factor) return "and some 8 to 10 times as much in memory";
  return "and " + std::to_string(std::lround(*heap.factor)) +
         " times as much in memory, as the heap's growth shows";
}

}  // namespace

void HeapPressureDetector::Inspect(const JobContext& context,
                                   std::vector<Finding>* findings) const {
  if (!context.report.heap) return;
  const HeapReport& heap = *context.report.heap;
  if (heap.max <= 0) return;
  const double used = static_cast<double>(heap.floor) / static_cast<double>(heap.max);
  if (used < context.thresholds.heap_warning || !StateMatters(heap)) return;
  Finding finding;
  finding.code = "heap-pressure";
  finding.severity =
      used < context.thresholds.heap_critical ? Severity::kWarning : Severity::kCritical;
  finding.message = FormatBytes(heap.floor) + " of the " + FormatBytes(heap.max) +
                    " heap of TaskManager " + heap.task_manager +
                    " stay in use after collections; the job's hashmap state there is " +
                    FormatBytes(heap.state_bytes) + " in the checkpoint, " + InMemory(heap) + ".";
  finding.advice =
      "Bound the state: see the findings of the job's operators. To gain time: more memory for the "
      "TaskManagers (taskmanager.memory.task.heap.size), or more of them and a higher parallelism, "
      "from a savepoint.\n"
      "With RocksDB state lies on disk: take a savepoint in canonical format, set\n"
      "    state.backend.type = rocksdb\n"
      "and restore. It moves the size, it does not stop it.";
  findings->push_back(std::move(finding));
}

}  // namespace fss
