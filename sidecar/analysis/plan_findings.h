// The findings of plans for the jobs that run them, worked out once and kept from poll to poll.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sidecar/analysis/detector.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/text_pool.h"

namespace fss {

// Not thread safe.
class PlanFindings {
 public:
  struct FoundBy {
    const PlanDetector* detector;
    Finding finding;  // without a job's part: vertex, label, what Refine adds
  };

  PlanFindings() : detectors_(AllPlanDetectors()) {}

  // Begins a poll. What was kept holds while library and version stay the same.
  void Begin(const PlanLibrary& library, const std::string& flink_version);
  // Ends it: what no job asked for is dropped.
  void End();

  // What the detectors find in `plan`, one of Begin's library, where it runs on `state_backend`.
  // `running_id` gives the running job's number for those of the plan's nodes that have another:
  // texts name operators by it. Jobs of one plan have the same findings; thousands of jobs may run
  // a few plans. The answer is good until Begin or End.
  const std::vector<FoundBy>& Of(const CompiledPlan& plan, const std::string& state_backend,
                                 const std::unordered_map<std::int64_t, std::int64_t>& running_id);

 private:
  using Ids = std::vector<std::pair<std::int64_t, std::int64_t>>;
  struct Kept {
    std::vector<FoundBy> findings;
    bool used = false;
  };

  std::vector<std::unique_ptr<PlanDetector>> detectors_;
  TextPool lines_;                // of the advice that is kept
  std::uint64_t generation_ = 0;  // of the library
  std::string flink_version_;
  std::map<std::tuple<std::string, std::string, Ids>, Kept> kept_;  // by plan file, backend, ids
};

}  // namespace fss
