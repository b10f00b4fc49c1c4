// The running job's graph, as /jobs/:jid/plan gives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fss {

// One operator of a chain, from the vertex' description (HTML undone).
struct ChainOperator {
  // The plan node id in "[19]:Join(…)" or "kv_sink[26]: Writer"; absent for DataStream operators.
  std::optional<std::int64_t> node_id;
  // "Join", "GroupAggregate", "ConstraintEnforcer", "kv_sink: Writer": what stands before "(" or
  // beside the id. A whole text when nothing of that kind stands there.
  std::string name;
  // The text after "[id]:", equal to the plan node's description where it is a plan node's
  // operator.
  std::string description;
  // Index in the chain of the operator that feeds this one; absent for the head.
  std::optional<std::size_t> parent;

  // "Join[19]", "kv_sink[26]: Writer", "Map": the short name people see in Flink's web UI.
  std::string Label() const;
};

// An operator's label as it stands in the names of its metrics: at most 80 bytes, and no space,
// colon or comma (Flink 1.20 and 2.3).
std::string MetricNameOf(std::string_view label);

struct VertexInput {
  std::string vertex_id;
  std::string ship_strategy;  // "HASH", "FORWARD", …
};

struct JobVertex {
  std::string id;  // 32 lower-case hex digits; head of the chain. Equal ids occur in other jobs.
  int parallelism = 0;
  std::vector<ChainOperator> chain;  // [0] is the head; never empty
  std::vector<VertexInput> inputs;   // in input order
};

struct JobGraph {
  std::vector<JobVertex> vertices;

  const JobVertex* FindVertex(const std::string& id) const;
};

}  // namespace fss
