// RocksDB's figures without names: operators are called as in the anonymous graph.
#pragma once

#include <map>
#include <string>

#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/job_graph.h"

namespace fss {

// Name of an operator in its metrics → the same in the anonymous graph.
using MetricNames = std::map<std::string, std::string>;

// `anonymous` is what a reader makes of the graph's AnonymousJobPlanJson. Pure.
MetricNames MetricNamesOf(const JobGraph& graph, const JobGraph& anonymous);

// The figures with operators renamed; one that `names` lacks, and a state that is none of Flink's,
// get a number. Vertices whose id is none of Flink's are left out. Pure.
std::map<std::string, LiveSample> AnonymousLive(const std::map<std::string, LiveSample>& live,
                                                const MetricNames& names);

}  // namespace fss
