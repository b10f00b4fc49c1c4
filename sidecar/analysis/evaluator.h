// The evaluator: one poll's numbers, joined with the plans, become the Report.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sidecar/analysis/detector.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/report.h"

namespace fss {

// Findings of one plan, before it runs: what `lint` shows. Sorted as in Report.
std::vector<Finding> EvaluatePlan(const CompiledPlan& plan);

struct EvaluatorOptions {
  std::vector<std::string> uid_formats;
  bool plans_configured = false;
};

// Keeps from poll to poll what a finding's first-seen time and a job's observed traits need.
// Not thread safe: the poll loop owns it.
class Evaluator {
 public:
  explicit Evaluator(EvaluatorOptions options);
  // A report without PollHealth, which is the poll loop's. `snapshot.taken_ms` is "now" for
  // first-seen times.
  Report Evaluate(const ClusterSnapshot& snapshot, const PlanLibrary& library);

 private:
  // What links depend on: the plans, and which jobs with which graphs there are.
  struct LinkBasis {
    std::uint64_t generation = 0;
    std::string flink_version;
    std::vector<std::tuple<std::string, std::int64_t, std::string, std::size_t>> jobs;
    bool operator==(const LinkBasis&) const = default;
  };
  static LinkBasis BasisOf(const ClusterSnapshot& snapshot, const PlanLibrary& library);
  void Relink(const ClusterSnapshot& snapshot, const PlanLibrary& library);

  EvaluatorOptions options_;
  std::vector<std::unique_ptr<PlanDetector>> plan_detectors_;
  std::vector<std::unique_ptr<JobDetector>> job_detectors_;
  LinkBasis basis_;
  std::vector<JobLink> links_;                                  // as of basis_
  std::unordered_map<std::string, std::int64_t> first_seen_;    // by place; of the last poll
  std::set<std::pair<std::string, std::int64_t>> incremental_;  // jobs (id, start) seen to be so
};

}  // namespace fss
