// /jobs/overview: every job of the cluster, without sizes.
#pragma once

#include <vector>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Jobs with what this answer knows of them: id, name, state, start time, the JobManager's clock,
// tasks. Each id once: of two deployments under one id (all zero in application mode with HA) the
// one that is not over, else the later. Entries without a usable id are left out; it would end up
// in a path. Errors as JsonAnswer::Parse.
Result<std::vector<JobSnapshot>> ReadJobsOverview(RestAnswer answer);

}  // namespace fss
