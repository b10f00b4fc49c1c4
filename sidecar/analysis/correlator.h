// The correlator: which compiled plan is a running job's, and which node is which operator.
//
// Proofs, strongest first: the vertex id is the hash of a node's uid and the descriptions agree;
// equal descriptions; the only place of that kind in equal graphs. An id alone proves nothing:
// plans of fresh sessions share ids.
#pragma once

#include <string>
#include <vector>

#include "sidecar/model/checkpoint_library.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/operator_link.h"

namespace fss {

// table.exec.uid.format values to try, in order. The first is Flink's default.
std::vector<std::string> DefaultUidFormats();

// One JobLink per job of `jobs`, in their order; jobs in a terminal state have no links. Pure; cost
// is linear in operators plus plan nodes, times the plans (at most 16) that look like one job's.
// `flink_version` is the cluster's ("2.3.0"): texts of another version than the plan's cannot be
// compared, so that the shape of the graph may decide. Empty: not known. `checkpoints` tell the ids
// of operators inside chains. Safe from any thread.
std::vector<JobLink> Correlate(const std::vector<JobSnapshot>& jobs, const PlanLibrary& library,
                               const std::vector<std::string>& uid_formats,
                               const std::string& flink_version = {},
                               const CheckpointLibrary& checkpoints = {});

}  // namespace fss
