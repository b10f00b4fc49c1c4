// The rows of the operator table: a running job's operators, with what their plan says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sidecar/analysis/job_units.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/operator_link.h"
#include "sidecar/model/report.h"

namespace fss {

struct OperatorReports {
  std::vector<OperatorReport> operators;  // sources first, chain by chain
  // By plan node id, the operator (in `operators`) that holds the node's state.
  std::unordered_map<std::int64_t, std::size_t> by_node;
  // Plan node ids whose operator runs under another id: a plain INSERT numbers anew.
  std::unordered_map<std::int64_t, std::int64_t> running_id;
};

// `plan` is the linked one or nullptr. `names` is a cache that may live for the whole poll.
OperatorReports MakeOperatorReports(const JobSnapshot& job, const JobLink& link,
                                    const CompiledPlan* plan, KindNames* names);

}  // namespace fss
