// A compiled plan as a graph with quick answers. Nodes are named by their place in
// CompiledPlan::nodes; a plan with loops (nobody promises there are none) is walked once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sidecar/model/compiled_plan.h"

namespace fss {

// Operators looked at below one; no real plan comes near, and a hostile one must not cost the
// square of its length.
inline constexpr std::size_t kMaxBelow = 1000;

// Immutable; safe from any thread. Keeps a reference to the plan, which must live longer.
class PlanGraph {
 public:
  explicit PlanGraph(const CompiledPlan& plan);

  std::size_t size() const { return plan_.nodes.size(); }
  const PlanNode& node(std::size_t index) const { return plan_.nodes[index]; }
  // Where the node `id` stands; the first one where an id occurs twice.
  std::optional<std::size_t> IndexOf(std::int64_t id) const;
  // In input order (0 is left).
  std::span<const std::size_t> Inputs(std::size_t index) const {
    return std::span(inputs_).subspan(first_input_[index],
                                      first_input_[index + 1] - first_input_[index]);
  }

 private:
  const CompiledPlan& plan_;
  // Flat, for a graph is made for every job and poll.
  std::vector<std::pair<std::int64_t, std::size_t>> index_;  // by id
  std::vector<std::size_t> inputs_;                          // node by node
  std::vector<std::size_t> first_input_;                     // per node, and one past the last
};

// Exchanges and unions are edges of the running job, not operators. One that declares state, as no
// Flink writes it, is looked at like an operator: its state is not to be lost.
bool IsInvisible(const PlanNode& node);

// Per node the nodes that feed it, looking through invisible ones.
std::vector<std::vector<std::size_t>> VisibleInputs(const PlanGraph& graph);

}  // namespace fss
