// Whether a plan's edges make a graph that can be walked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "sidecar/model/compiled_plan.h"

namespace fss {

// What is wrong with the edges of `plan`, one line; empty when every end is a node and no node
// feeds itself through others, so that whoever walks the graph comes to an end. `index_of` gives
// each node id's place in plan.nodes.
std::string EdgeTrouble(const CompiledPlan& plan,
                        const std::unordered_map<std::int64_t, std::size_t>& index_of);

}  // namespace fss
