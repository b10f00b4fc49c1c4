// Chains of regular joins that Flink's multi-join rule would merge into one operator.
//
// As JoinToMultiJoinRule does, tried on 2.3.0: inner and left outer joins, one feeding the left
// input of the next, with at least one key column that all of them share. It merges no right or
// full outer joins, no semi or anti joins, nothing through a filter, a computed column or a union,
// and no join whose condition bounds the time of its rows. Pure function; safe from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

struct JoinChain {
  std::vector<std::size_t> joins;  // two or more, the first one first
  std::string key;                 // as the first join's condition calls it: "order_id"
};

// All chains, each as long as it can be, in the order of their topmost joins in the plan.
std::vector<JoinChain> FindJoinChains(const PlanGraph& graph);

}  // namespace fss
