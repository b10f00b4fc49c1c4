#include "sidecar/analysis/job_units.h"

#include <algorithm>
#include <array>

#include "sidecar/analysis/plan_text.h"

namespace fss {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;

// Kinds of which only some operators keep keyed state; their descriptions tell.
constexpr std::array<std::string_view, 3> kByText = {"lookup-join", "process-table-function",
                                                     "window-table-function"};

// "SinkMaterializer", "SinkUpsertMaterializer": the one operator of a sink with keyed state.
bool IsMaterializerName(std::string_view name) {
  return name.starts_with("Sink") &&
         name.substr(0, name.find('(')).find("Materializer") != std::string_view::npos;
}

bool IsSinkName(std::string_view name) {
  return name.ends_with(": Writer") || name.ends_with(": Committer") ||
         name.starts_with("Sink: ") || IsMaterializerName(name) ||
         name.starts_with("ConstraintEnforcer") || name == "Sink";
}

// Groups operators into units: by id, and where names carry none
// (table.optimizer.simplify-operator-name-enabled=false), by being a sink's next operator.
class UnitMaker {
 public:
  UnitMaker(const JobGraph& graph, const PlanIndex& index, KindNames* names)
      : index_(index), names_(names) {
    units_.graph = &graph;
  }

  JobUnits Make() {
    const auto& vertices = units_.graph->vertices;
    first_.reserve(vertices.size());
    for (std::uint32_t v = 0; v < vertices.size(); ++v) {
      first_.push_back(static_cast<std::uint32_t>(units_.operators.size()));
      vertex_.emplace(vertices[v].id, v);
      units_.uid_refs.push_back(index_.ByUid(vertices[v].id));
      for (std::uint32_t c = 0; c < vertices[v].chain.size(); ++c) AddOperator(v, c);
    }
    for (std::uint32_t op = 0; op < units_.operators.size(); ++op) AddInputs(op);
    for (JobUnit& unit : units_.units) Finish(&unit);
    return std::move(units_);
  }

 private:
  const ChainOperator& Op(const JobOperator& op) const {
    return units_.graph->vertices[op.vertex].chain[op.chain];
  }

  void AddOperator(std::uint32_t vertex, std::uint32_t chain) {
    const ChainOperator& op = units_.graph->vertices[vertex].chain[chain];
    const OperatorKind* kind = names_->Find(op.name);
    const bool sink = IsSinkName(op.name) || (kind != nullptr && IsSinkKind(kind->kind));
    const std::uint32_t unit = UnitFor(op, vertex, sink);
    JobUnit& u = units_.units[unit];
    u.operators.push_back(static_cast<std::uint32_t>(units_.operators.size()));
    if (u.kind == nullptr || (kind != nullptr && kind->keyed && !u.kind->keyed)) u.kind = kind;
    u.sink = u.sink || sink;
    u.own_name = u.own_name || (kind != nullptr && HasOwnName(op, *kind));
    u.keyed = u.keyed || KeepsKeyedState(op, kind);
    units_.operators.push_back({vertex, chain, unit});
  }

  std::uint32_t UnitFor(const ChainOperator& op, std::uint32_t vertex, bool sink) {
    const auto fresh = static_cast<std::uint32_t>(units_.units.size());
    if (op.node_id) {
      const auto [found, added] = by_id_.emplace(*op.node_id, fresh);
      if (!added) return found->second;
      units_.units.emplace_back().id = op.node_id;
      return fresh;
    }
    if (sink && op.parent && first_[vertex] + *op.parent < units_.operators.size()) {
      const std::uint32_t parent = units_.operators[first_[vertex] + *op.parent].unit;
      if (units_.units[parent].sink && !units_.units[parent].id) return parent;
    }
    units_.units.emplace_back();
    return fresh;
  }

  void AddInputs(std::uint32_t op_index) {
    const JobOperator op = units_.operators[op_index];
    const JobVertex& vertex = units_.graph->vertices[op.vertex];
    const auto parent = vertex.chain[op.chain].parent;
    if (parent && *parent < vertex.chain.size()) {
      AddInput(op.unit, units_.operators[first_[op.vertex] + *parent].unit);
      return;
    }
    if (op.chain != 0) return;
    for (const VertexInput& input : vertex.inputs) {
      const auto found = vertex_.find(input.vertex_id);
      if (found == vertex_.end()) continue;
      const std::uint32_t feeder = FeederIn(found->second, units_.units[op.unit].id);
      if (feeder != kNone) AddInput(op.unit, feeder);
    }
  }

  void AddInput(std::uint32_t unit, std::uint32_t input) {
    if (unit == input) return;
    auto& inputs = units_.units[unit].inputs;
    if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
  }

  // REST names the vertex that feeds another one, not the operator of its chain. Node ids count up
  // from the sources to the sinks, branch after branch: the feeder is the nearest one below.
  // Without ids only a chain with one end tells.
  std::uint32_t FeederIn(std::uint32_t vertex, std::optional<std::int64_t> consumer) const {
    const auto& chain = units_.graph->vertices[vertex].chain;
    std::uint32_t best = kNone;
    std::int64_t best_id = 0;
    std::vector<bool> feeds(chain.size(), false);
    for (std::uint32_t c = 0; c < chain.size(); ++c) {
      if (chain[c].parent && *chain[c].parent < chain.size()) feeds[*chain[c].parent] = true;
      if (!consumer || !chain[c].node_id || *chain[c].node_id >= *consumer) continue;
      if (best != kNone && *chain[c].node_id < best_id) continue;
      best = units_.operators[first_[vertex] + c].unit;
      best_id = *chain[c].node_id;
    }
    if (best != kNone) return best;
    for (std::uint32_t c = 0; c < chain.size(); ++c) {
      if (feeds[c]) continue;
      if (best != kNone) return kNone;
      best = units_.operators[first_[vertex] + c].unit;
    }
    return best;
  }

  void Finish(JobUnit* unit) {
    for (std::uint32_t place : unit->operators) Describe(Op(units_.operators[place]), unit);
    unit->sql = unit->id.has_value() || unit->kind != nullptr || unit->label != kNoLabel;
    if (unit->sink) {
      unit->label = index_.LabelOfSink(unit->table);
      unit->comparable = false;
    }
    if (unit->sql) ++units_.sql;
    units_.any_keyed = units_.any_keyed || unit->keyed;
  }

  void Describe(const ChainOperator& op, JobUnit* unit) const {
    std::string_view text = op.description;
    // Unsimplified sinks carry the node's description and their role.
    for (std::string_view role : {": Writer", ": Committer"}) {
      if (text.ends_with(role)) text.remove_suffix(role.size());
    }
    if (unit->table.empty()) unit->table = TableOfDescription(text);
    if (unit->table.empty()) unit->table = TableOfOperatorName(op.name);
    if (text.find('(') == std::string_view::npos) {
      if (unit->text.empty()) unit->text = text;
      return;
    }
    unit->comparable = true;
    const LabelId label = index_.LabelOfText(text);
    if (unit->label != kNoLabel) return;
    if (label != kNoLabel || unit->text.find('(') == std::string_view::npos) unit->text = text;
    unit->label = label;
  }

  const PlanIndex& index_;
  KindNames* names_;
  JobUnits units_;
  std::vector<std::uint32_t> first_;  // per vertex, the place of its head in `operators`
  std::unordered_map<std::string_view, std::uint32_t> vertex_;
  std::unordered_map<std::int64_t, std::uint32_t> by_id_;
};

}  // namespace

const OperatorKind* KindNames::Find(std::string_view name) {
  const auto [found, added] = known_.emplace(name, nullptr);
  if (added) found->second = FindKindByOperatorName(name);
  return found->second;
}

bool HasOwnName(const ChainOperator& op, const OperatorKind& kind) {
  const std::string_view name = op.name;
  return name.substr(0, name.find_first_of("[(")) == kind.operator_name;
}

PlanNode NodeOfOperator(const ChainOperator& op, const OperatorKind& kind) {
  PlanNode node;
  node.kind = kind.kind;
  node.description = op.description;
  const auto uid = Attribute(op.description, "uid");
  if (uid && *uid != "null") node.uid = *uid;
  return node;
}

const OperatorKind* KindNames::Known(std::string_view name) const {
  const auto found = known_.find(name);
  return found == known_.end() ? nullptr : found->second;
}

bool KeepsKeyedState(const ChainOperator& op, const OperatorKind* kind) {
  if (IsMaterializerName(op.name)) return true;
  // A node's helpers (the filters of an outer interval join) go by its kind and keep nothing.
  if (kind == nullptr || IsSinkKind(kind->kind) || !HasOwnName(op, *kind)) return false;
  const bool depends_on_text =
      std::find(kByText.begin(), kByText.end(), kind->kind) != kByText.end();
  return depends_on_text ? KeepsKeyedState(NodeOfOperator(op, *kind)) : kind->keyed;
}

JobUnits MakeUnits(const JobGraph& graph, const PlanIndex& index, KindNames* names) {
  return UnitMaker(graph, index, names).Make();
}

}  // namespace fss
