// All detectors. A new one is one line here, its entry in docs/findings.md, and its own files.
// (policy_detector.h is not in these lists: it needs the file that --policy names.)
#include "sidecar/analysis/capacity_detector.h"
#include "sidecar/analysis/checkpoint_failing_detector.h"
#include "sidecar/analysis/checkpoint_stale_detector.h"
#include "sidecar/analysis/detector.h"
#include "sidecar/analysis/forever_checkpoint_detector.h"
#include "sidecar/analysis/forever_state_detector.h"
#include "sidecar/analysis/growing_past_ttl_detector.h"
#include "sidecar/analysis/heap_pressure_detector.h"
#include "sidecar/analysis/heavy_aggregate_detector.h"
#include "sidecar/analysis/joinable_chain_detector.h"
#include "sidecar/analysis/plan_match_detector.h"
#include "sidecar/analysis/state_growing_detector.h"
#include "sidecar/analysis/state_skew_detector.h"
#include "sidecar/analysis/time_bound_detector.h"
#include "sidecar/analysis/ttl_drift_detector.h"
#include "sidecar/analysis/ttl_from_job_default_detector.h"
#include "sidecar/analysis/ttl_mismatch_detector.h"
#include "sidecar/analysis/unknown_operator_detector.h"

namespace fss {

std::vector<std::unique_ptr<PlanDetector>> AllPlanDetectors() {
  std::vector<std::unique_ptr<PlanDetector>> detectors;
  detectors.push_back(std::make_unique<ForeverStateDetector>());
  detectors.push_back(std::make_unique<TtlFromJobDefaultDetector>());
  detectors.push_back(std::make_unique<TtlMismatchDetector>());
  detectors.push_back(std::make_unique<HeavyAggregateDetector>());
  detectors.push_back(std::make_unique<JoinableChainDetector>());
  detectors.push_back(std::make_unique<TimeBoundDetector>());
  detectors.push_back(std::make_unique<UnknownOperatorDetector>());
  return detectors;
}

std::vector<std::unique_ptr<JobDetector>> AllJobDetectors() {
  std::vector<std::unique_ptr<JobDetector>> detectors;
  detectors.push_back(std::make_unique<PlanMatchDetector>());
  detectors.push_back(std::make_unique<CheckpointFailingDetector>());
  detectors.push_back(std::make_unique<CheckpointStaleDetector>());
  detectors.push_back(std::make_unique<TtlDriftDetector>());
  detectors.push_back(std::make_unique<ForeverCheckpointDetector>());
  detectors.push_back(std::make_unique<StateGrowingDetector>());
  detectors.push_back(std::make_unique<GrowingPastTtlDetector>());
  detectors.push_back(std::make_unique<CapacityDetector>());
  detectors.push_back(std::make_unique<HeapPressureDetector>());
  detectors.push_back(std::make_unique<StateSkewDetector>());
  return detectors;
}

}  // namespace fss
