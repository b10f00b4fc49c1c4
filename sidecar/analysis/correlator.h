// The correlator: which compiled plan is a running job's, and which node is which operator.
//
// Proofs, strongest first: the vertex id is the hash of a node's uid and the descriptions agree;
// equal descriptions; the only place of that kind in equal graphs. An id alone proves nothing:
// plans of fresh sessions share ids.
#pragma once

#include <string>
#include <vector>

#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/operator_link.h"

namespace fss {

// table.exec.uid.format values to try, in order. The first is Flink's default.
std::vector<std::string> DefaultUidFormats();

// One JobLink per job of `jobs`, in their order. Pure; cost is linear in operators plus plan nodes.
// Safe from any thread.
std::vector<JobLink> Correlate(const std::vector<JobSnapshot>& jobs, const PlanLibrary& library,
                               const std::vector<std::string>& uid_formats);

}  // namespace fss
