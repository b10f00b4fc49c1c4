#include "sidecar/analysis/plan_graph.h"

#include <algorithm>

namespace fss {

PlanGraph::PlanGraph(const CompiledPlan& plan) : plan_(plan), inputs_(plan.nodes.size()) {
  index_.reserve(plan.nodes.size());
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) index_.emplace(plan.nodes[i].id, i);
  for (const PlanEdge& edge : plan.edges) {
    const auto source = IndexOf(edge.source);
    const auto target = IndexOf(edge.target);
    if (source && target) inputs_[*target].push_back(*source);
  }
}

std::optional<std::size_t> PlanGraph::IndexOf(std::int64_t id) const {
  const auto found = index_.find(id);
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

bool IsInvisible(const PlanNode& node) { return node.kind == "exchange" || node.kind == "union"; }

std::vector<std::vector<std::size_t>> VisibleInputs(const PlanGraph& graph) {
  std::vector<std::vector<std::size_t>> visible(graph.size());
  std::vector<std::size_t> seen_by(graph.size(), graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (IsInvisible(graph.node(i))) continue;
    std::vector<std::size_t> open = graph.Inputs(i);
    // Depth first from the left input on, so that the order of inputs stays.
    std::reverse(open.begin(), open.end());
    while (!open.empty()) {
      const std::size_t input = open.back();
      open.pop_back();
      if (!IsInvisible(graph.node(input))) {
        visible[i].push_back(input);
        continue;
      }
      if (seen_by[input] == i) continue;
      seen_by[input] = i;
      const auto& below = graph.Inputs(input);
      open.insert(open.end(), below.rbegin(), below.rend());
    }
  }
  return visible;
}

}  // namespace fss
