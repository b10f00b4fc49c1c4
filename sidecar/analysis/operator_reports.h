// The rows of the operator table: a running job's operators, with what their plan says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sidecar/analysis/job_units.h"
#include "sidecar/model/checkpoint_library.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/operator_link.h"
#include "sidecar/model/report.h"

namespace fss {

// Where a plan's nodes run in a job.
struct NodePlaces {
  // By plan node id, the operator (in OperatorReports::operators) that holds the node's state.
  std::unordered_map<std::int64_t, std::size_t> by_node;
  // Plan node ids whose operator runs under another id: a plain INSERT numbers anew.
  std::unordered_map<std::int64_t, std::int64_t> running_id;
};

struct OperatorReports {
  std::vector<OperatorReport> operators;  // sources first, chain by chain
  NodePlaces places;
};

// What a job's graph and plan say of its operators: all of it that no checkpoint changes. `plan` is
// the linked one or nullptr. `names` is a cache that may live for the whole poll.
OperatorReports MakeOperatorReports(const JobSnapshot& job, const JobLink& link,
                                    const CompiledPlan* plan, KindNames* names);

// The same operators, as MakeOperatorReports made them: a poll later, of the same run and plan.
std::vector<OperatorReport> SameOperators(const std::vector<OperatorReport>& before);

// Sizes out of the latest checkpoint, into what either of the above gave.
void FillSizes(const JobSnapshot& job, std::vector<OperatorReport>* operators);

// What the checkpoint itself says: each operator's own size, and TTL on or off of its entries.
void FillFromCheckpoint(const CheckpointMetadata& checkpoint, JobReport* job);

}  // namespace fss
