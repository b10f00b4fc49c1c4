#include "sidecar/analysis/plan_fit.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/topology.h"

namespace fss {
namespace {

// What tells kinds apart when texts do not. A sink's operators have names of their own.
std::string_view KindName(const OperatorKind* kind, bool sink) {
  if (sink) return "Sink";
  return kind != nullptr ? kind->operator_name : std::string_view();
}

bool SameKind(const JobUnit& unit, const NodeFacts& node) {
  const std::string_view name = KindName(unit.kind, unit.sink);
  return !name.empty() && name == KindName(node.row, node.sink);
}

// Whether the unit's head, if it is one, has the id that this node's uid hashes to.
struct HeadProof {
  bool is_head = false;
  bool hash = false;
};

HeadProof ProofOf(const JobUnits& job, const JobUnit& unit, NodeRef ref) {
  HeadProof proof;
  for (std::uint32_t place : unit.operators) {
    const JobOperator& op = job.operators[place];
    if (op.chain != 0) continue;
    proof.is_head = true;
    for (const NodeRef& hit : job.uid_refs[op.vertex]) {
      proof.hash = proof.hash || (hit.plan == ref.plan && hit.node == ref.node);
    }
  }
  return proof;
}

// The node that the unit claims to be: the one with its id; where names carry none, one whose uid
// is its vertex', else the only one with its text.
std::optional<std::uint32_t> ClaimedNode(const JobUnits& job, const JobUnit& unit,
                                         const PlanFacts& plan, std::uint32_t plan_index) {
  if (unit.id) {
    const auto found = plan.graph.IndexOf(*unit.id);
    if (!found) return std::nullopt;
    return static_cast<std::uint32_t>(*found);
  }
  for (std::uint32_t place : unit.operators) {
    const JobOperator& op = job.operators[place];
    if (op.chain != 0) continue;
    for (const NodeRef& hit : job.uid_refs[op.vertex]) {
      if (hit.plan == plan_index && plan.nodes[hit.node].label == unit.label) return hit.node;
    }
  }
  const auto same_text = plan.WithLabel(unit.label);
  if (same_text.size() != 1) return std::nullopt;
  return same_text.front().second;
}

// A unit that must be in the job's plan. What carries no id and no kind's own name may be an
// operator that Flink added (a filter before an outer interval join), not a node's.
bool MustFit(const JobUnit& unit) {
  if (!unit.sql) return false;
  if (unit.keyed) return true;
  if (unit.sink) return !unit.table.empty();
  return unit.comparable && (unit.id.has_value() || unit.own_name);
}

Fit EmptyFit(const JobUnits& job, std::uint32_t plan) {
  Fit fit;
  fit.plan = plan;
  fit.node.assign(job.units.size(), kNoNode);
  fit.how.assign(job.units.size(), MatchedBy::kNone);
  return fit;
}

void Link(Fit* fit, std::uint32_t unit, std::uint32_t node, MatchedBy how) {
  fit->node[unit] = static_cast<std::int32_t>(node);
  fit->how[unit] = how;
}

// Counts what was linked and lists what was not. `explained`: units that are in the plan although
// it cannot be told which of several nodes they are.
void Summarize(const JobUnits& job, const PlanFacts& plan, const std::vector<bool>& explained,
               Fit* fit) {
  std::vector<bool> used(plan.nodes.size(), false);
  bool any_sink = false;
  bool sink_linked = false;
  for (std::uint32_t u = 0; u < job.units.size(); ++u) {
    const JobUnit& unit = job.units[u];
    const bool named_sink = unit.sink && !unit.table.empty();
    any_sink = any_sink || named_sink;
    if (fit->node[u] != kNoNode) {
      ++fit->linked;
      used[static_cast<std::size_t>(fit->node[u])] = true;
      sink_linked = sink_linked || named_sink;
    } else if (MustFit(unit) && !explained[u]) {
      fit->misfits.push_back(u);
    }
  }
  fit->sinks_agree = sink_linked || !any_sink;
  for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
    if (!used[n] && !plan.plan->nodes[n].state.empty()) fit->unused.push_back(n);
  }
}

// Nodes with the label, without those that are not operators.
std::vector<std::uint32_t> NodesWithLabel(const PlanFacts& plan, LabelId label) {
  std::vector<std::uint32_t> nodes;
  for (const auto& [unused_label, node] : plan.WithLabel(label)) nodes.push_back(node);
  return nodes;
}

// Whether what feeds what in the job is so in the plan, as far as both are linked.
bool EdgesAgree(const JobUnits& job, const PlanFacts& plan, const Fit& fit) {
  const auto inputs = VisibleInputs(plan.graph);
  for (std::uint32_t u = 0; u < job.units.size(); ++u) {
    if (fit.node[u] == kNoNode) continue;
    const auto& above = inputs[static_cast<std::size_t>(fit.node[u])];
    for (std::uint32_t input : job.units[u].inputs) {
      if (fit.node[input] == kNoNode) continue;
      const auto node = static_cast<std::size_t>(fit.node[input]);
      if (std::find(above.begin(), above.end(), node) == above.end()) return false;
    }
  }
  return true;
}

LabelledGraph JobGraphWith(const JobUnits& job, const std::vector<std::uint64_t>& labels) {
  LabelledGraph graph;
  std::vector<std::size_t> place(job.units.size(), 0);
  for (std::size_t u = 0; u < job.units.size(); ++u) {
    if (!job.units[u].sql) continue;
    place[u] = graph.labels.size();
    graph.labels.push_back(labels[u]);
  }
  for (std::size_t u = 0; u < job.units.size(); ++u) {
    if (!job.units[u].sql) continue;
    for (std::uint32_t input : job.units[u].inputs) {
      if (job.units[input].sql) graph.edges.emplace_back(place[input], place[u]);
    }
  }
  return graph;
}

LabelledGraph PlanGraphWith(const PlanFacts& plan, const std::vector<std::uint64_t>& labels) {
  LabelledGraph graph;
  std::vector<std::size_t> place(plan.nodes.size(), 0);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    if (plan.nodes[n].label == kNoLabel) continue;
    place[n] = graph.labels.size();
    graph.labels.push_back(labels[n]);
  }
  const auto inputs = VisibleInputs(plan.graph);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    for (std::size_t input : inputs[n]) graph.edges.emplace_back(place[input], place[n]);
  }
  return graph;
}

// Colours by unit (by node), 0 for those that take no part.
template <typename Takes>
std::vector<std::uint64_t> Spread(const std::vector<std::uint64_t>& colors, std::size_t size,
                                  Takes takes) {
  std::vector<std::uint64_t> spread(size, 0);
  std::size_t next = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (takes(i)) spread[i] = colors[next++];
  }
  return spread;
}

std::vector<std::uint64_t> ColorsOfJob(const JobUnits& job, bool by_text) {
  std::vector<std::uint64_t> labels(job.units.size());
  for (std::size_t u = 0; u < job.units.size(); ++u) {
    const JobUnit& unit = job.units[u];
    const std::uint64_t kind = HashText(KindName(unit.kind, unit.sink));
    labels[u] = by_text ? unit.label : MixHash(kind, HashText(unit.table));
  }
  return Spread(RefineColors(JobGraphWith(job, labels)), job.units.size(),
                [&](std::size_t u) { return job.units[u].sql; });
}

std::vector<std::uint64_t> ColorsOfPlan(const PlanFacts& plan, bool by_text) {
  std::vector<std::uint64_t> labels(plan.nodes.size());
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const NodeFacts& node = plan.nodes[n];
    const std::uint64_t kind = HashText(KindName(node.row, node.sink));
    labels[n] = by_text ? node.label : MixHash(kind, HashText(node.table));
  }
  return Spread(RefineColors(PlanGraphWith(plan, labels)), plan.nodes.size(),
                [&](std::size_t n) { return plan.nodes[n].label != kNoLabel; });
}

std::uint64_t ShapeOfColors(std::vector<std::uint64_t> colors) {
  std::erase(colors, std::uint64_t{0});
  return ShapeOf(std::move(colors));
}

// Attributes that say what a query means in every version of Flink. Where both texts show one, it
// must be equal; the rest of the text may be printed in another way.
bool MeaningDiffers(std::string_view a, std::string_view b) {
  static constexpr std::array<std::string_view, 6> kMeaning = {"groupBy",  "partitionBy", "key",
                                                               "joinType", "rankRange",   "window"};
  return std::any_of(kMeaning.begin(), kMeaning.end(), [&](std::string_view name) {
    const auto x = Attribute(a, name);
    const auto y = Attribute(b, name);
    return x && y && *x != *y;
  });
}

}  // namespace

bool SameTtls(const PlanNode& a, const PlanNode& b) {
  return std::equal(a.state.begin(), a.state.end(), b.state.begin(), b.state.end(),
                    [](const StateEntry& x, const StateEntry& y) {
                      return x.name == y.name && x.ttl_ms == y.ttl_ms;
                    });
}

Fit PlanFitter::ByUid(const JobUnits& job, std::uint32_t plan_index) const {
  const PlanFacts& plan = index_.plan(plan_index);
  Fit fit = EmptyFit(job, plan_index);
  std::size_t vertices_proved = 0;
  bool heads_proved = true;
  for (std::uint32_t u = 0; u < job.units.size(); ++u) {
    const JobUnit& unit = job.units[u];
    if (!unit.sql) continue;
    const auto node = ClaimedNode(job, unit, plan, plan_index);
    if (!node) continue;
    const NodeFacts& facts = plan.nodes[*node];
    const HeadProof proof = ProofOf(job, unit, {plan_index, *node});
    const bool same_text = unit.label != kNoLabel && facts.label == unit.label;
    const bool both_sinks =
        unit.sink && facts.sink && (unit.table.empty() || facts.table.empty() || same_text);
    // A shortened text says only the kind: then the hash must speak for it.
    const bool shortened = !unit.comparable && !unit.sink && proof.hash && SameKind(unit, facts);
    if (unit.keyed && (same_text || (proof.hash && SameKind(unit, facts)))) ++fit.proofs;
    if (!same_text && !both_sinks && !shortened) continue;
    Link(&fit, u, *node, proof.hash ? MatchedBy::kUid : MatchedBy::kDescription);
    if (unit.id) ++fit.by_id;
    if (proof.hash) ++vertices_proved;
    if (proof.hash && unit.keyed) ++fit.uid_proofs;
    if (unit.keyed && proof.is_head && !proof.hash) heads_proved = false;
  }
  const std::vector<bool> explained(job.units.size(), false);
  Summarize(job, plan, explained, &fit);
  const bool whole = fit.misfits.empty() && fit.unused.empty();
  if (whole && heads_proved && vertices_proved > 0) fit.strength = MatchedBy::kUid;
  return fit;
}

struct PlanFitter::Group {
  std::vector<std::uint32_t> units;  // by id
  std::vector<std::uint32_t> nodes;  // by place in the file
};

void PlanFitter::PairByColor(const JobUnits& job, Group* group, Fit* fit) {
  auto& plan_colors = colors_[fit->plan];
  if (plan_colors.empty()) plan_colors = ColorsOfPlan(index_.plan(fit->plan), true);
  const auto job_colors = ColorsOfJob(job, true);
  std::map<std::uint64_t, Group> by_color;
  for (std::uint32_t unit : group->units) by_color[job_colors[unit]].units.push_back(unit);
  for (std::uint32_t node : group->nodes) by_color[plan_colors[node]].nodes.push_back(node);
  for (const auto& [color, same] : by_color) {
    if (same.units.size() != 1 || same.nodes.size() != 1) continue;
    Link(fit, same.units[0], same.nodes[0], MatchedBy::kDescription);
    std::erase(group->units, same.units[0]);
    std::erase(group->nodes, same.nodes[0]);
  }
}

void PlanFitter::LinkGroup(const JobUnits& job, const Group& group, Fit* fit) {
  const PlanFacts& plan = index_.plan(fit->plan);
  if (group.units.size() > group.nodes.size()) return;
  Group rest = group;
  const bool same_ttls = std::all_of(rest.nodes.begin(), rest.nodes.end(), [&](std::uint32_t n) {
    return SameTtls(plan.plan->nodes[n], plan.plan->nodes[rest.nodes.front()]);
  });
  if (!same_ttls) PairByColor(job, &rest, fit);
  // Branches that look alike all the way: the planner numbers the same statement in the same
  // order each time. Where the job runs fewer of them, order says nothing, unless it is all one.
  if (rest.units.size() != rest.nodes.size() && !same_ttls) return;
  for (std::size_t i = 0; i < rest.units.size(); ++i) {
    Link(fit, rest.units[i], rest.nodes[i], MatchedBy::kDescription);
  }
}

Fit PlanFitter::ByText(const JobUnits& job, std::uint32_t plan_index) {
  const PlanFacts& plan = index_.plan(plan_index);
  Fit fit = EmptyFit(job, plan_index);
  std::vector<std::pair<LabelId, std::uint32_t>> labelled;
  for (std::uint32_t u = 0; u < job.units.size(); ++u) {
    if (job.units[u].sql && job.units[u].label != kNoLabel) {
      labelled.emplace_back(job.units[u].label, u);
    }
  }
  std::sort(labelled.begin(), labelled.end(), [&](const auto& a, const auto& b) {
    const auto key = [&](const auto& x) {
      return std::tuple(x.first, job.units[x.second].id, x.second);
    };
    return key(a) < key(b);
  });
  std::vector<bool> explained(job.units.size(), false);
  for (std::size_t begin = 0, end = 0; begin < labelled.size(); begin = end) {
    Group group;
    for (; end < labelled.size() && labelled[end].first == labelled[begin].first; ++end) {
      group.units.push_back(labelled[end].second);
    }
    group.nodes = NodesWithLabel(plan, labelled[begin].first);
    LinkGroup(job, group, &fit);
    if (group.units.size() > group.nodes.size()) continue;
    for (std::uint32_t unit : group.units) {
      explained[unit] = true;
      if (job.units[unit].keyed) ++fit.proofs;
    }
  }
  Summarize(job, plan, explained, &fit);
  const bool any = fit.linked > 0 && (fit.proofs > 0 || !job.any_keyed);
  if (!any || !fit.misfits.empty()) return fit;
  fit.partial = !fit.unused.empty();
  if (!fit.partial || EdgesAgree(job, plan, fit)) fit.strength = MatchedBy::kDescription;
  return fit;
}

Fit PlanFitter::ByTopology(const JobUnits& job, std::uint32_t plan_index) const {
  const PlanFacts& plan = index_.plan(plan_index);
  Fit fit = EmptyFit(job, plan_index);
  const auto job_colors = ColorsOfJob(job, false);
  const auto plan_colors = ColorsOfPlan(plan, false);
  if (ShapeOfColors(job_colors) != ShapeOfColors(plan_colors)) return fit;
  std::map<std::uint64_t, Group> by_color;
  for (std::uint32_t u = 0; u < job.units.size(); ++u) {
    if (job.units[u].sql) by_color[job_colors[u]].units.push_back(u);
  }
  for (std::uint32_t n = 0; n < plan.nodes.size(); ++n) {
    if (plan.nodes[n].label != kNoLabel) by_color[plan_colors[n]].nodes.push_back(n);
  }
  for (const auto& [color, same] : by_color) {
    if (same.units.size() != 1 || same.nodes.size() != 1) continue;
    const PlanNode& node = plan.plan->nodes[same.nodes[0]];
    if (MeaningDiffers(job.units[same.units[0]].text, node.description)) return fit;
    Link(&fit, same.units[0], same.nodes[0], MatchedBy::kTopology);
    if (job.units[same.units[0]].keyed) ++fit.proofs;
  }
  const std::vector<bool> explained(job.units.size(), true);
  Summarize(job, plan, explained, &fit);
  if (fit.proofs > 0) fit.strength = MatchedBy::kTopology;
  return fit;
}

std::uint64_t ShapeOfJob(const JobUnits& job) { return ShapeOfColors(ColorsOfJob(job, false)); }
std::uint64_t ShapeOfPlan(const PlanFacts& plan) {
  return ShapeOfColors(ColorsOfPlan(plan, false));
}

}  // namespace fss
