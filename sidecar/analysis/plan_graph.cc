#include "sidecar/analysis/plan_graph.h"

#include <algorithm>

namespace fss {

PlanGraph::PlanGraph(const CompiledPlan& plan)
    : plan_(plan), first_input_(plan.nodes.size() + 1, 0) {
  index_.reserve(plan.nodes.size());
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) index_.emplace_back(plan.nodes[i].id, i);
  std::ranges::sort(index_);
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // (target, source), in the file's order
  edges.reserve(plan.edges.size());
  for (const PlanEdge& edge : plan.edges) {
    const auto source = IndexOf(edge.source);
    const auto target = IndexOf(edge.target);
    if (source && target) edges.emplace_back(*target, *source);
  }
  for (const auto& [target, source] : edges) ++first_input_[target + 1];
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) first_input_[i + 1] += first_input_[i];
  inputs_.resize(edges.size());
  std::vector<std::size_t> next(first_input_.begin(), first_input_.end() - 1);
  for (const auto& [target, source] : edges) inputs_[next[target]++] = source;
}

std::optional<std::size_t> PlanGraph::IndexOf(std::int64_t id) const {
  const auto found = std::ranges::lower_bound(index_, std::pair(id, std::size_t{0}));
  if (found == index_.end() || found->first != id) return std::nullopt;
  return found->second;
}

bool IsInvisible(const PlanNode& node) {
  return (node.kind == "exchange" || node.kind == "union") && node.state.empty();
}

std::vector<std::vector<std::size_t>> VisibleInputs(const PlanGraph& graph) {
  std::vector<std::vector<std::size_t>> visible(graph.size());
  std::vector<std::size_t> seen_by(graph.size(), graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (IsInvisible(graph.node(i))) continue;
    // Depth first from the left input on, so that the order of inputs stays.
    const auto direct = graph.Inputs(i);
    std::vector<std::size_t> open(direct.rbegin(), direct.rend());
    while (!open.empty()) {
      const std::size_t input = open.back();
      open.pop_back();
      if (!IsInvisible(graph.node(input))) {
        visible[i].push_back(input);
        continue;
      }
      if (seen_by[input] == i) continue;
      seen_by[input] = i;
      const auto below = graph.Inputs(input);
      open.insert(open.end(), below.rbegin(), below.rend());
    }
  }
  return visible;
}

}  // namespace fss
