#include "sidecar/analysis/operator_edges.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "sidecar/analysis/plan_graph.h"

namespace fss {
namespace {

class EdgeMaker {
 public:
  EdgeMaker(const JobGraph& graph, const std::vector<OperatorReport>& operators,
            const CompiledPlan* plan)
      : graph_(graph), operators_(operators) {
    if (plan != nullptr) inputs_ = VisibleInputs(plan_.emplace(*plan));
    for (std::size_t o = 0; o < operators.size(); ++o) first_.emplace(operators[o].vertex_id, o);
  }

  OperatorEdges Make() {
    for (const JobVertex& vertex : graph_.vertices) {
      const auto first = first_.find(vertex.id);
      if (first == first_.end()) continue;
      for (std::size_t c = 1; c < vertex.chain.size(); ++c) {
        const std::size_t parent = vertex.chain[c].parent.value_or(c - 1);
        Add(first->second + std::min(parent, c - 1), first->second + c);
      }
      for (const VertexInput& input : vertex.inputs) AddInput(input, first->second);
    }
    // Inputs stay in their order.
    std::ranges::stable_sort(edges_, {}, &OperatorEdge::to);
    edges_.shrink_to_fit();
    return std::move(edges_);
  }

 private:
  void Add(std::size_t from, std::size_t to) {
    if (from >= operators_.size() || to >= operators_.size()) return;
    edges_.push_back({static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(from)});
  }

  void AddInput(const VertexInput& input, std::size_t to) {
    const JobVertex* upper = graph_.FindVertex(input.vertex_id);
    const auto first = first_.find(input.vertex_id);
    if (upper == nullptr || first == first_.end() || to >= operators_.size()) return;
    const std::size_t end = std::min(first->second + upper->chain.size(), operators_.size());
    for (std::size_t o = end; o > first->second; --o) {
      if (PlanFeeds(operators_[o - 1], operators_[to])) return Add(o - 1, to);
    }
    Add(end - 1, to);
  }

  // Whether the plan has the upper operator's node as an input of the lower one's.
  bool PlanFeeds(const OperatorReport& upper, const OperatorReport& lower) const {
    if (!plan_ || !upper.node_id || !lower.node_id) return false;
    const auto from = plan_->IndexOf(*upper.node_id);
    const auto to = plan_->IndexOf(*lower.node_id);
    return from && to && std::ranges::find(inputs_[*to], *from) != inputs_[*to].end();
  }

  const JobGraph& graph_;
  const std::vector<OperatorReport>& operators_;
  std::optional<PlanGraph> plan_;
  std::vector<std::vector<std::size_t>> inputs_;             // of the plan's nodes
  std::unordered_map<std::string_view, std::size_t> first_;  // by vertex, its chain's head
  OperatorEdges edges_;
};

}  // namespace

std::shared_ptr<const OperatorEdges> EdgesOf(const JobGraph& graph,
                                             const std::vector<OperatorReport>& operators,
                                             const CompiledPlan* plan) {
  return std::make_shared<const OperatorEdges>(EdgeMaker(graph, operators, plan).Make());
}

}  // namespace fss
