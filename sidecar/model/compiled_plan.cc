#include "sidecar/model/compiled_plan.h"

namespace fss {

const PlanNode* CompiledPlan::FindNode(std::int64_t id) const {
  for (const PlanNode& node : nodes) {
    if (node.id == id) return &node;
  }
  return nullptr;
}

std::vector<std::int64_t> CompiledPlan::InputsOf(std::int64_t id) const {
  std::vector<std::int64_t> inputs;
  for (const PlanEdge& edge : edges) {
    if (edge.target == id) inputs.push_back(edge.source);
  }
  return inputs;
}

}  // namespace fss
