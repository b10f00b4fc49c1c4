// /jobs/:jid/plan: the running job's graph.
#pragma once

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/job_graph.h"

namespace fss {

// Vertices in the order of the data, sources first. No vertices when the plan is empty: the job
// failed while starting, or has not got that far ({"plan":{}}, {"plan":{"nodes":[]}}). Vertices
// without an id are left out. Errors as JsonAnswer::Parse; kTooLarge for a plan of many megabytes.
Result<JobGraph> ReadJobPlan(RestAnswer answer);

}  // namespace fss
