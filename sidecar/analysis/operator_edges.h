// Which operator of a running job feeds which.
#pragma once

#include <memory>
#include <vector>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/job_graph.h"
#include "sidecar/model/operator_edge.h"
#include "sidecar/model/report.h"

namespace fss {

// Inside a chain as the graph tells; from vertex to vertex the graph does not say which operator of
// the upper chain: the one that the plan names (`plan` is the linked one or nullptr), else the
// chain's last. `operators` are the graph's, as MakeOperatorReports gave them. Pure.
std::shared_ptr<const OperatorEdges> EdgesOf(const JobGraph& graph,
                                             const std::vector<OperatorReport>& operators,
                                             const CompiledPlan* plan);

}  // namespace fss
