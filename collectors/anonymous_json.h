// The files of a recording without names (--anonymize).
//
// Written from what was read of Flink's answers and of the plan, never from their bytes: what is
// not listed here (options of tables, expressions, schemas, a job's name) cannot get in. Ids of
// vertices and nodes, kinds, states, TTLs and sizes stay; descriptions go through AnonymousText.
// Pure; safe from any thread.
#pragma once

#include <string>

#include "collectors/pseudonyms.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/job_graph.h"

namespace fss {

// As /jobs/:jid/plan. The names of a graph must be the first that `names` takes, so that they are
// the same after a restart.
std::string AnonymousJobPlanJson(const std::string& job_id, const JobGraph& graph,
                                 Pseudonyms* names);

// As /jobs/:jid/checkpoints/config.
std::string AnonymousConfigJson(const CheckpointConfig& config);

// As COMPILE PLAN writes it, as far as ReadPlan reads it.
std::string AnonymousPlanJson(const CompiledPlan& plan, Pseudonyms* names);

}  // namespace fss
