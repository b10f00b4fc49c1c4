// What tells the nodes of a plan apart, as numbers that are equal for equal nodes of two plans.
#pragma once

#include <cstdint>
#include <vector>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

// By node; of no meaning for exchanges and unions.
struct PlanEvidence {
  std::vector<std::uint64_t> kind;        // kind, and the table of a source or sink
  std::vector<std::uint64_t> text;        // kind and comparable description
  std::vector<std::uint64_t> above;       // `text` over its inputs, left and right told apart
  std::vector<std::uint64_t> place;       // `above` in its surroundings, up- and downstream
  std::vector<std::uint64_t> kind_above;  // the same two of `kind`
  std::vector<std::uint64_t> kind_place;
  std::vector<std::uint64_t> tables;  // kind, the set of tables that feed it, and a sink's own
  std::vector<std::vector<std::uint64_t>> feeding;  // that set, sorted; of many tables the first
};

// Pure. Whatever the order of nodes in the plan. Loops do no harm.
PlanEvidence EvidenceOf(const PlanGraph& graph);

}  // namespace fss
