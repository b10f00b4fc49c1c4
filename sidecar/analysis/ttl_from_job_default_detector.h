// ttl-from-job-default: an input of a regular join that STATE_TTL hints did not reach.
#pragma once

#include <vector>

#include "sidecar/analysis/detector.h"
#include "sidecar/analysis/plan_graph.h"

namespace fss {

// Hints name tables. The input that is itself a join's result has no name in the same query block:
// its slot takes the job's default. Two forms: the default is 0 (kept for ever), or shorter than
// what the join below keeps (rows are lost). Where no hint was given (all slots are equal), or the
// slot keeps as long as the join below, there is nothing to say.
class TtlFromJobDefaultDetector final : public PlanDetector {
 public:
  void Inspect(const PlanContext& context, std::vector<Finding>* findings) const override;
};

// Whether that finding is about this slot: other detectors then leave it alone.
bool TookJobDefault(const PlanGraph& graph, std::size_t node, std::size_t input);

}  // namespace fss
