#include "sidecar/analysis/checkpoint_ids.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace fss {
namespace {

std::uint64_t PackedRef(const NodeRef& ref) { return (std::uint64_t{ref.plan} << 32U) | ref.node; }

// Operators that a node adds beside its own have transformations of their own (1.18 to 2.3).
struct Helper {
  std::string_view name;  // how the operator's begins
  std::string_view transformation;
};
constexpr std::array<Helper, 6> kHelpers = {{
    {"SinkMaterializer", "upsert-materialize"},
    {"SinkUpsertMaterializer", "upsert-materialize"},
    {"ConstraintEnforcer", "constraint-validator"},
    {"PartitionCommitter", "partition-committer"},
    {"StreamingFileWriter", "streaming-writer"},
    {"StreamRecordTimestampInserter", "timestamp-inserter"},
}};

std::string_view HelperTransformation(std::string_view name) {
  for (const Helper& helper : kHelpers) {
    if (name.starts_with(helper.name)) return helper.transformation;
  }
  return {};
}

}  // namespace

CheckpointIds::CheckpointIds(const CheckpointMetadata* metadata, const PlanIndex& index)
    : index_(index) {
  if (metadata == nullptr) return;
  for (const CheckpointOperator& op : metadata->operators) {
    if (!op.name.empty()) {
      const auto [known, added] = by_name_.try_emplace(op.name, &op);
      if (!added) known->second = nullptr;
    }
    for (const NodeRef& ref : index.ByUid(op.operator_id)) by_node_[PackedRef(ref)].push_back(&op);
  }
}

std::string CheckpointIds::IdOf(const ChainOperator& op, const PlanFacts* plan,
                                const NodeRef* node) const {
  const auto named = by_name_.find(op.Label());
  if (named != by_name_.end() && named->second != nullptr) return named->second->operator_id;
  if (plan == nullptr || node == nullptr) return {};
  const auto found = by_node_.find(PackedRef(*node));
  if (found == by_node_.end()) return {};
  const PlanNode& of_plan = plan->plan->nodes[node->node];
  const std::string_view helper = HelperTransformation(op.name);
  const CheckpointOperator* only = nullptr;
  for (const CheckpointOperator* candidate : found->second) {
    const std::string_view transformation =
        index_.TransformationOf(candidate->operator_id, of_plan);
    const bool is_helper = std::ranges::any_of(
        kHelpers, [&](const Helper& h) { return h.transformation == transformation; });
    if (helper.empty() ? is_helper : transformation != helper) continue;
    if (only != nullptr) return {};
    only = candidate;
  }
  return only == nullptr ? std::string() : only->operator_id;
}

CheckpointIds::Found CheckpointIds::Behind(const ChainOperator& op, const PlanFacts& plan,
                                           const NodeRef& feeder) const {
  Found found;
  const std::string_view helper = HelperTransformation(op.name);
  if (helper.empty() || by_node_.empty()) return found;
  const auto inputs = VisibleInputs(plan.graph);
  for (const auto& [key, operators] : by_node_) {
    for (const CheckpointOperator* candidate : operators) {
      const NodeRef* node = NodeOf(candidate->operator_id, feeder.plan);
      if (node == nullptr || PackedRef(*node) != key) continue;
      const std::vector<std::size_t>& above = inputs[node->node];
      if (std::ranges::find(above, std::size_t{feeder.node}) == above.end()) continue;
      const PlanNode& of_plan = plan.plan->nodes[node->node];
      if (index_.TransformationOf(candidate->operator_id, of_plan) != helper) continue;
      if (found.node != nullptr) return {};
      found = {candidate->operator_id, node};
    }
  }
  return found;
}

const NodeRef* CheckpointIds::NodeOf(const std::string& operator_id, std::uint32_t plan) const {
  for (const NodeRef& ref : index_.ByUid(operator_id)) {
    if (ref.plan == plan) return &ref;
  }
  return nullptr;
}

}  // namespace fss
