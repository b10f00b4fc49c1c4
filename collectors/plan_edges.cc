#include "collectors/plan_edges.h"

#include <vector>

namespace fss {

std::string EdgeTrouble(const CompiledPlan& plan,
                        const std::unordered_map<std::int64_t, std::size_t>& index_of) {
  std::vector<std::size_t> inputs(plan.nodes.size());
  std::vector<std::vector<std::size_t>> outputs(plan.nodes.size());
  for (std::size_t i = 0; i < plan.edges.size(); ++i) {
    const auto source = index_of.find(plan.edges[i].source);
    const auto target = index_of.find(plan.edges[i].target);
    if (source == index_of.end() || target == index_of.end()) {
      const bool lost = source == index_of.end();
      const std::int64_t id = lost ? plan.edges[i].source : plan.edges[i].target;
      return "edges[" + std::to_string(i) + "]: its " + (lost ? "source " : "target ") +
             std::to_string(id) + " is no node of this plan";
    }
    outputs[source->second].push_back(target->second);
    ++inputs[target->second];
  }
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == 0) ready.push_back(i);
  }
  for (std::size_t next = 0; next < ready.size(); ++next) {
    for (const std::size_t target : outputs[ready[next]]) {
      if (--inputs[target] == 0) ready.push_back(target);
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] != 0) {
      return "the edges form a circle at node " + std::to_string(plan.nodes[i].id);
    }
  }
  return "";
}

}  // namespace fss
