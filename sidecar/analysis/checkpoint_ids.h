// Which operator of a job's checkpoint is which operator of its graph.
//
// Flink's REST API tells the id of a chain's head alone (it is the vertex'); the checkpoint has the
// ids of all operators, and from format 5 on (Flink 2.0) their names. Pure; safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sidecar/analysis/plan_index.h"
#include "sidecar/model/checkpoint_metadata.h"
#include "sidecar/model/job_graph.h"

namespace fss {

class CheckpointIds {
 public:
  // Nothing is known of a job without a readable checkpoint: nullptr. `metadata` and `index` must
  // live longer.
  CheckpointIds(const CheckpointMetadata* metadata, const PlanIndex& index);

  // The id of an operator inside a chain: by its name, else as one of `node`'s; empty where neither
  // tells. `node`, where the plan's node is known.
  std::string IdOf(const ChainOperator& op, const PlanFacts* plan, const NodeRef* node) const;

  // An operator that its sink's node does not name ("StreamingFileWriter"), fed in its chain by the
  // operator of `feeder`: the one of its kind that checkpoint and plan have there, and its node.
  // Both are empty where there is none, or several.
  struct Found {
    std::string id;
    const NodeRef* node = nullptr;
  };
  Found Behind(const ChainOperator& op, const PlanFacts& plan, const NodeRef& feeder) const;

  // The node of this plan that has the operator's id as the hash of its uid; nullptr: none.
  const NodeRef* NodeOf(const std::string& operator_id, std::uint32_t plan) const;

 private:
  const PlanIndex& index_;
  // nullptr for a name that several have.
  std::unordered_map<std::string_view, const CheckpointOperator*> by_name_;
  // Operators whose id is the hash of a node's uid, by plan and node.
  std::unordered_map<std::uint64_t, std::vector<const CheckpointOperator*>> by_node_;
};

}  // namespace fss
