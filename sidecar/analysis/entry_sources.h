// Which tables feed a state entry, and by which columns it is kept: what a plan's edges and
// descriptions tell.
//
// Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

struct EntrySources {
  // Each table once, in the order of the inputs: "orders"; the whole path
  // "catalog.database.orders" where two of them have the same name. Empty where not known.
  std::vector<std::string> tables;
  // As the input's own columns are called; of a sink the primary key of its table. Empty where
  // there is no key, or where it is not known.
  std::vector<std::string> keys;
};

// Which input of a join or multi-join the entry belongs to: 0 for "leftState", 2 for
// "input-state-2". Absent for the entries of operators with one input.
std::optional<std::size_t> InputOfEntry(std::string_view entry);

EntrySources SourcesOf(const PlanGraph& graph, std::size_t node, std::string_view entry);

// The tables behind what `node` gives to its consumer, as EntrySources::tables.
std::vector<std::string> TablesBelow(const PlanGraph& graph, std::size_t node);

// "orders, payments and users"; more than a few are counted. Empty for none.
std::string TablesText(const std::vector<std::string>& tables);

}  // namespace fss
