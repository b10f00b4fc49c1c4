// Whether the state of an operator still fits it after its text changed.
//
// Flink finds state by uid alone and then compares serializers: the types of keys and values, never
// what they mean. Pure functions; safe from any thread.
#pragma once

#include <string>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

struct DescriptionChange {
  bool changed = false;
  bool fits = true;     // the old state means the same to the new operator
  std::string message;  // a sentence or more; empty where nothing changed
};

// Of two nodes that Flink takes for one operator: they have one uid. `same_version`: both plans are
// of one Flink version; else attributes that only one of them prints, and types, are not compared.
DescriptionChange CompareDescriptions(const PlanGraph& old_graph, std::size_t old_node,
                                      const PlanGraph& new_graph, std::size_t new_node,
                                      bool same_version);

}  // namespace fss
