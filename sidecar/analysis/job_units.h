// A running job as the correlator sees it: units, each the operators of one plan node.
//
// Flink makes several operators of one plan node (a sink is an enforcer, a materialiser, a writer
// and a committer); they share the number in "[26]".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_index.h"
#include "sidecar/model/job_graph.h"

namespace fss {

// Remembers FindKindByOperatorName's answers: thousands of operators share a few names.
class KindNames {
 public:
  // `name` must outlive this object.
  const OperatorKind* Find(std::string_view name);
  // The answer that Find gave before; nullptr where it was never asked.
  const OperatorKind* Known(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, const OperatorKind*> known_;
};

// Whether the operator is called as its kind is: the node's own operator, not a helper beside it.
bool HasOwnName(const ChainOperator& op, const OperatorKind& kind);

// A node as far as the running operator shows it, to ask the catalogue about.
PlanNode NodeOfOperator(const ChainOperator& op, const OperatorKind& kind);

// Whether an operator of this name and kind keeps keyed state. Of a sink's operators only the
// materialiser does.
bool KeepsKeyedState(const ChainOperator& op, const OperatorKind* kind);

struct JobOperator {
  std::uint32_t vertex = 0;
  std::uint32_t chain = 0;
  std::uint32_t unit = 0;
};

struct JobUnit {
  std::vector<std::uint32_t> operators;  // places in JobUnits::operators
  std::optional<std::int64_t> id;        // the "[26]" of the running job
  const OperatorKind* kind = nullptr;
  LabelId label = kNoLabel;  // kNoLabel: no plan has it, or nothing to compare
  std::string_view text;     // the description; of the member that some plan knows
  std::string_view table;    // of sources and sinks
  bool keyed = false;
  bool sink = false;
  bool own_name = false;  // holds the node's own operator, not only helpers beside it
  // Its text is a plan node's description, if the node is there at all. False for sinks, for
  // shortened texts, and for what is not SQL.
  bool comparable = false;
  bool sql = false;                   // a plan's operator, as far as can be seen
  std::vector<std::uint32_t> inputs;  // units; where it can be told which operator feeds it
};

struct JobUnits {
  const JobGraph* graph = nullptr;
  std::vector<JobOperator> operators;  // in graph order, chain by chain
  std::vector<JobUnit> units;
  std::vector<std::span<const NodeRef>> uid_refs;  // per vertex: nodes whose uid hashes to its id
  std::size_t sql = 0;
  bool any_keyed = false;
};

// Views point into `graph` and `index`, which must live longer.
JobUnits MakeUnits(const JobGraph& graph, const PlanIndex& index, KindNames* names);

}  // namespace fss
