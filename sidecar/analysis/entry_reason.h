// Why an operator keeps what its query may not need, where the plan shows more than its kind: an
// upsert key that was lost before a sink, an order by arrival, a ranking over all rows.
//
// Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

struct EntryReason {
  // Goes on after what the entry holds: "; its input is unique by id, not by …". May be empty.
  std::string clause;
  // Lines, each ended by a line break: the first change to make. May be empty.
  std::string advice;
  bool replaces_kind_advice = false;  // what the catalogue says of the kind is said better here
};

EntryReason ReasonOf(const PlanGraph& graph, std::size_t node, std::string_view flink_version);

}  // namespace fss
