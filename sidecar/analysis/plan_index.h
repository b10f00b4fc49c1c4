// Inverted indexes over a plan library, so that a job finds its plans without looking at each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_graph.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

struct NodeRef {
  std::uint32_t plan = 0;
  std::uint32_t node = 0;
};

// What makes a plan node and a running operator look alike, interned: the description, or for a
// sink, whose operators have texts of their own, the table it writes.
using LabelId = std::uint32_t;
inline constexpr LabelId kNoLabel = 0xffffffff;

struct NodeFacts {
  LabelId label = kNoLabel;
  const OperatorKind* row = nullptr;
  std::string_view table;  // of sources and sinks
  bool keyed = false;
  bool sink = false;
};

struct PlanFacts {
  explicit PlanFacts(const CompiledPlan& compiled) : plan(&compiled), graph(compiled) {}

  const CompiledPlan* plan;
  PlanGraph graph;
  std::vector<NodeFacts> nodes;                             // as CompiledPlan::nodes
  std::vector<std::pair<LabelId, std::uint32_t>> by_label;  // sorted; (label, node)
  std::size_t visible = 0;                                  // nodes that show up as operators

  // The nodes with this label, in the order of the file.
  std::span<const std::pair<LabelId, std::uint32_t>> WithLabel(LabelId label) const;
};

// Immutable; safe from any thread. Views point into the library, which must live longer.
class PlanIndex {
 public:
  PlanIndex(const PlanLibrary& library, const std::vector<std::string>& uid_formats);

  std::size_t size() const { return plans_.size(); }
  const PlanFacts& plan(std::size_t index) const { return plans_[index]; }

  // Nodes whose uid hashes to this vertex id, and nodes that carry this label: by plan, then node.
  std::span<const NodeRef> ByUid(std::string_view vertex_id) const;
  std::span<const NodeRef> ByLabel(LabelId label) const;
  // Which of the node's transformations has the operator id as the hash of its uid: "sink",
  // "upsert-materialize"; empty: none, or a uid of its own.
  std::string_view TransformationOf(std::string_view operator_id, const PlanNode& node) const;
  // kNoLabel where no plan has it.
  LabelId LabelOfText(std::string_view description) const;
  LabelId LabelOfSink(std::string_view table) const;

 private:
  LabelId Intern(std::string_view key);
  void AddPlan(const CompiledPlan& plan);
  void AddUids(NodeRef ref, const PlanNode& node, const OperatorKind* row);

  const std::vector<std::string> uid_formats_;
  std::vector<PlanFacts> plans_;
  std::deque<std::string> sink_keys_;  // stable: labels_ points into them
  std::unordered_map<std::string_view, LabelId> labels_;
  std::vector<std::vector<NodeRef>> by_label_;
  std::unordered_map<std::string, std::vector<NodeRef>> by_uid_;
};

// "sink", "legacy-sink".
bool IsSinkKind(std::string_view kind);

}  // namespace fss
