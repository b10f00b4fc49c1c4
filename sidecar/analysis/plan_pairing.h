// Which operator of one plan is which of another one, whatever their numbers are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

// By node, as in CompiledPlan::nodes; absent for what the other plan has not, and for exchanges and
// unions, which are no operators.
struct PlanPairing {
  std::vector<std::optional<std::size_t>> new_of_old;
  std::vector<std::optional<std::size_t>> old_of_new;
  // By old node: paired by its text alone, and not one table that feeds it is the same. A table may
  // have got another name; or it is another operator that looks alike.
  std::vector<bool> other_tables;
};

// The strongest evidence goes first, for all nodes, before the next weaker one is looked at: equal
// text in equal surroundings; equal text over equal inputs; equal text over the same tables; the
// same uid over the same tables; equal text; the same kind in an equal place. Within one grade
// equal uids are paired first, then what cannot be told apart, by number. So the order of the nodes
// in the files plays no part. Numbers within texts are not looked at. Pure; cost: edges times 64 at
// most.
PlanPairing PairPlans(const PlanGraph& old_graph, const PlanGraph& new_graph,
                      const std::string& uid_format);

}  // namespace fss
