#include "sidecar/analysis/plan_pairing.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "sidecar/analysis/operator_uid.h"
#include "sidecar/analysis/plan_evidence.h"
#include "sidecar/analysis/topology.h"

namespace fss {
namespace {

using Nodes = std::vector<std::size_t>;

// How a node answers to its own plan and to others.
struct PairingSide {
  PairingSide(const PlanGraph& plan, const std::string& uid_format)
      : graph(plan), evidence(EvidenceOf(plan)), partner(plan.size()) {
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const PlanNode& node = plan.node(i);
      const std::string_view kind = node.kind;
      const auto names = TransformationsOf(FindOperatorKind(kind), kind);
      uids.push_back(node.uid.empty() ? ExpandUid(uid_format, node, names.front()) : node.uid);
    }
  }

  // What is left of an operator's looks when all evidence is equal; ids may be equal in plans of
  // Flink's own tests alone.
  auto Rank(std::size_t i) const {
    const PlanNode& node = graph.node(i);
    std::uint64_t state = 0;
    for (const StateEntry& entry : node.state) {
      state = MixHash(state, MixHash(HashText(entry.name), HashText(entry.ttl)));
    }
    return std::tuple(node.id, std::string_view(node.type), std::string_view(node.description),
                      state, node.row_type, i);
  }

  const PlanGraph& graph;
  PlanEvidence evidence;
  std::vector<std::string> uids;
  std::vector<std::optional<std::size_t>> partner;
};

// One grade of evidence.
struct Grade {
  std::uint64_t (*key)(const PairingSide& side, std::size_t node);
  // Nodes that look alike are one as good as the other when their texts are equal; when only their
  // kinds are, nothing is said unless they come out even.
  bool texts_equal;
};

constexpr Grade kGrades[] = {
    {[](const PairingSide& s, std::size_t i) { return s.evidence.place[i]; }, true},
    {[](const PairingSide& s, std::size_t i) { return s.evidence.above[i]; }, true},
    {[](const PairingSide& s, std::size_t i) {
       return MixHash(MixHash(s.evidence.text[i], s.evidence.tables[i]), s.evidence.kind_place[i]);
     },
     true},
    {[](const PairingSide& s, std::size_t i) {
       return MixHash(MixHash(s.evidence.text[i], s.evidence.tables[i]), s.evidence.kind_above[i]);
     },
     true},
    {[](const PairingSide& s, std::size_t i) {
       return MixHash(s.evidence.text[i], s.evidence.tables[i]);
     },
     true},
    {[](const PairingSide& s, std::size_t i) {
       return MixHash(HashText(s.uids[i]), s.evidence.tables[i]);
     },
     true},
    {[](const PairingSide& s, std::size_t i) { return s.evidence.text[i]; }, true},
    {[](const PairingSide& s, std::size_t i) { return s.evidence.kind_place[i]; }, false},
    {[](const PairingSide& s, std::size_t i) { return s.evidence.kind_above[i]; }, false},
    {[](const PairingSide& s, std::size_t i) { return s.evidence.tables[i]; }, false},
};

void MakePartners(PairingSide* old_side, std::size_t old_node, PairingSide* new_side,
                  std::size_t new_node) {
  old_side->partner[old_node] = new_node;
  new_side->partner[new_node] = old_node;
}

void DropPaired(const PairingSide& side, Nodes* nodes) {
  std::erase_if(*nodes, [&](std::size_t i) { return side.partner[i].has_value(); });
}

// Equal uids of equal candidates, in the order of their rank.
void PairByUid(PairingSide* old_side, const Nodes& old_nodes, PairingSide* new_side,
               const Nodes& new_nodes) {
  std::map<std::string_view, Nodes> by_uid;  // the last one is the next to be taken
  for (std::size_t left = new_nodes.size(); left > 0; --left) {
    const std::size_t node = new_nodes[left - 1];
    by_uid[new_side->uids[node]].push_back(node);
  }
  for (const std::size_t node : old_nodes) {
    const auto found = by_uid.find(old_side->uids[node]);
    if (found == by_uid.end() || found->second.empty()) continue;
    MakePartners(old_side, node, new_side, found->second.back());
    found->second.pop_back();
  }
}

void PairGroup(bool texts_equal, PairingSide* old_side, Nodes old_nodes, PairingSide* new_side,
               Nodes new_nodes) {
  if (old_nodes.empty() || new_nodes.empty()) return;
  std::ranges::sort(old_nodes, {}, [&](std::size_t i) { return old_side->Rank(i); });
  std::ranges::sort(new_nodes, {}, [&](std::size_t i) { return new_side->Rank(i); });
  PairByUid(old_side, old_nodes, new_side, new_nodes);
  DropPaired(*old_side, &old_nodes);
  DropPaired(*new_side, &new_nodes);
  if (!texts_equal && old_nodes.size() != new_nodes.size()) return;
  for (std::size_t i = 0; i < std::min(old_nodes.size(), new_nodes.size()); ++i) {
    MakePartners(old_side, old_nodes[i], new_side, new_nodes[i]);
  }
}

void PairByGrade(const Grade& grade, PairingSide* old_side, PairingSide* new_side) {
  std::map<std::uint64_t, std::pair<Nodes, Nodes>> groups;
  const auto add = [&](const PairingSide& side, Nodes std::pair<Nodes, Nodes>::*part) {
    for (std::size_t i = 0; i < side.graph.size(); ++i) {
      if (side.partner[i] || IsInvisible(side.graph.node(i))) continue;
      (groups[grade.key(side, i)].*part).push_back(i);
    }
  };
  add(*old_side, &std::pair<Nodes, Nodes>::first);
  add(*new_side, &std::pair<Nodes, Nodes>::second);
  for (auto& [key, group] : groups) {
    PairGroup(grade.texts_equal, old_side, std::move(group.first), new_side,
              std::move(group.second));
  }
}

bool FedByOtherTables(const PairingSide& old_side, std::size_t old_node,
                      const PairingSide& new_side) {
  if (!old_side.partner[old_node]) return false;
  const auto& before = old_side.evidence.feeding[old_node];
  const auto& now = new_side.evidence.feeding[*old_side.partner[old_node]];
  const auto common = [&now](std::uint64_t table) {
    return std::ranges::binary_search(now, table);
  };
  return !before.empty() && !now.empty() && std::ranges::none_of(before, common);
}

}  // namespace

PlanPairing PairPlans(const PlanGraph& old_graph, const PlanGraph& new_graph,
                      const std::string& uid_format) {
  PairingSide old_side(old_graph, uid_format);
  PairingSide new_side(new_graph, uid_format);
  for (const Grade& grade : kGrades) PairByGrade(grade, &old_side, &new_side);
  std::vector<bool> other_tables(old_graph.size());
  for (std::size_t i = 0; i < old_graph.size(); ++i) {
    other_tables[i] = FedByOtherTables(old_side, i, new_side);
  }
  return {std::move(old_side.partner), std::move(new_side.partner), std::move(other_tables)};
}

}  // namespace fss
