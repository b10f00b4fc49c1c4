#include "sidecar/analysis/plan_evidence.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sidecar/analysis/comparable_text.h"
#include "sidecar/analysis/plan_index.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/analysis/topology.h"

namespace fss {
namespace {

// Of the tables that feed a node so many are looked at, those of the least hashes: sets of more are
// equal when these are. Bounds the cost where thousands of sources feed thousands of joins.
constexpr std::size_t kMostTables = 64;

using Inputs = std::vector<std::vector<std::size_t>>;
using Numbers = std::vector<std::uint64_t>;

// Inputs before what they feed. Nodes in a loop are left out.
std::vector<std::size_t> Upwards(const Inputs& inputs) {
  std::vector<std::size_t> missing(inputs.size());
  Inputs fed(inputs.size());
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    missing[i] = inputs[i].size();
    for (const std::size_t input : inputs[i]) fed[input].push_back(i);
    if (missing[i] == 0) order.push_back(i);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::size_t target : fed[order[at]]) {
      if (--missing[target] == 0) order.push_back(target);
    }
  }
  return order;
}

Numbers Above(const Numbers& labels, const Inputs& inputs, const std::vector<std::size_t>& order) {
  Numbers above = labels;
  for (const std::size_t node : order) {
    for (const std::size_t input : inputs[node]) above[node] = MixHash(above[node], above[input]);
  }
  return above;
}

// Colours of the visible nodes alone: how a plan is cut by exchanges is no evidence.
Numbers Places(const PlanGraph& graph, const Numbers& labels, const Inputs& inputs) {
  LabelledGraph visible;
  std::vector<std::size_t> place(graph.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (IsInvisible(graph.node(i))) continue;
    place[i] = visible.labels.size();
    visible.labels.push_back(labels[i]);
  }
  for (std::size_t i = 0; i < graph.size(); ++i) {
    for (const std::size_t input : inputs[i]) visible.edges.emplace_back(place[input], place[i]);
  }
  const Numbers colors = RefineColors(visible);
  Numbers places(graph.size(), 0);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (!IsInvisible(graph.node(i))) places[i] = colors[place[i]];
  }
  return places;
}

Numbers Tables(const PlanGraph& graph, const Inputs& inputs, const std::vector<std::size_t>& order,
               std::vector<Numbers>* feeding_tables) {
  std::vector<Numbers>& feeding = *feeding_tables;
  feeding.resize(graph.size());
  Numbers tables(graph.size(), 0);
  for (const std::size_t node : order) {
    const PlanNode& what = graph.node(node);
    const std::string own = ComparableDescription(TableOfDescription(what.description));
    Numbers& set = feeding[node];
    if (inputs[node].empty()) set.push_back(MixHash(HashText(what.kind), HashText(own)));
    for (const std::size_t input : inputs[node]) {
      Numbers both;
      std::ranges::set_union(set, feeding[input], std::back_inserter(both));
      if (both.size() > kMostTables) both.resize(kMostTables);
      set = std::move(both);
    }
    tables[node] = MixHash(HashText(what.kind), ShapeOf(set));
    if (IsSinkKind(what.kind)) tables[node] = MixHash(tables[node], HashText(own));
  }
  return tables;
}

}  // namespace

PlanEvidence EvidenceOf(const PlanGraph& graph) {
  PlanEvidence evidence;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const PlanNode& node = graph.node(i);
    const std::uint64_t kind = HashText(node.kind);
    const bool end = IsSinkKind(node.kind) || node.kind.ends_with("source-scan");
    const std::string table = ComparableDescription(TableOfDescription(node.description));
    evidence.kind.push_back(end ? MixHash(kind, HashText(table)) : kind);
    evidence.text.push_back(MixHash(kind, HashText(ComparableDescription(node.description))));
  }
  const Inputs inputs = VisibleInputs(graph);
  const std::vector<std::size_t> order = Upwards(inputs);
  // Colours do not tell left from right; what they begin with does.
  evidence.above = Above(evidence.text, inputs, order);
  evidence.place = Places(graph, evidence.above, inputs);
  evidence.kind_above = Above(evidence.kind, inputs, order);
  evidence.kind_place = Places(graph, evidence.kind_above, inputs);
  evidence.tables = Tables(graph, inputs, order, &evidence.feeding);
  return evidence;
}

}  // namespace fss
