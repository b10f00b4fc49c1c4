#include "sidecar/analysis/plan_index.h"

#include <algorithm>

#include "sidecar/analysis/operator_uid.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/murmur3.h"

namespace fss {
namespace {

// In front of a sink's table in the label space; no description starts so.
constexpr std::string_view kSinkKey = "\nsink\n";

}  // namespace

bool IsSinkKind(std::string_view kind) { return kind == "sink" || kind == "legacy-sink"; }

std::span<const std::pair<LabelId, std::uint32_t>> PlanFacts::WithLabel(LabelId label) const {
  const auto [first, last] = std::equal_range(
      by_label.begin(), by_label.end(), std::pair<LabelId, std::uint32_t>{label, 0},
      [](const auto& a, const auto& b) { return a.first < b.first; });
  return {first, last};
}

PlanIndex::PlanIndex(const PlanLibrary& library, const std::vector<std::string>& uid_formats)
    : uid_formats_(uid_formats) {
  plans_.reserve(library.plans.size());
  for (const CompiledPlan& plan : library.plans) AddPlan(plan);
}

void PlanIndex::AddPlan(const CompiledPlan& plan) {
  const auto plan_index = static_cast<std::uint32_t>(plans_.size());
  PlanFacts& facts = plans_.emplace_back(plan);
  facts.nodes.reserve(plan.nodes.size());
  for (const PlanNode& node : plan.nodes) {
    const NodeRef ref{plan_index, static_cast<std::uint32_t>(facts.nodes.size())};
    NodeFacts& fact = facts.nodes.emplace_back();
    if (IsInvisible(node)) continue;
    ++facts.visible;
    fact.row = FindOperatorKind(node.kind);
    fact.table = TableOfDescription(node.description);
    fact.keyed = KeepsKeyedState(node);
    fact.sink = IsSinkKind(node.kind);
    if (fact.sink) {
      sink_keys_.push_back(std::string(kSinkKey).append(fact.table));
      fact.label = Intern(sink_keys_.back());
    } else {
      fact.label = Intern(node.description);
    }
    by_label_[fact.label].push_back(ref);
    facts.by_label.emplace_back(fact.label, ref.node);
    AddUids(ref, node, fact.row);
  }
  std::sort(facts.by_label.begin(), facts.by_label.end());
}

void PlanIndex::AddUids(NodeRef ref, const PlanNode& node, const OperatorKind* row) {
  const auto add = [&](const std::string& uid) {
    std::vector<NodeRef>& refs = by_uid_[OperatorIdFromUid(uid)];
    // Formats may come to the same text; a node is listed once.
    if (!refs.empty() && refs.back().plan == ref.plan && refs.back().node == ref.node) return;
    refs.push_back(ref);
  };
  // A process table function's own uid stands in place of the whole format (Flink 2.0 on).
  if (!node.uid.empty()) add(node.uid);
  const std::string_view kind_itself = node.kind;
  for (const std::string& format : uid_formats_) {
    for (std::string_view transformation : TransformationsOf(row, kind_itself)) {
      add(ExpandUid(format, node, transformation));
    }
  }
}

std::string_view PlanIndex::TransformationOf(std::string_view operator_id,
                                             const PlanNode& node) const {
  const std::string_view kind_itself = node.kind;
  for (const std::string_view transformation :
       TransformationsOf(FindOperatorKind(node.kind), kind_itself)) {
    for (const std::string& format : uid_formats_) {
      if (OperatorIdFromUid(ExpandUid(format, node, transformation)) == operator_id) {
        return transformation;
      }
    }
  }
  return {};
}

LabelId PlanIndex::Intern(std::string_view key) {
  const auto [found, added] = labels_.emplace(key, static_cast<LabelId>(by_label_.size()));
  if (added) by_label_.emplace_back();
  return found->second;
}

std::span<const NodeRef> PlanIndex::ByUid(std::string_view vertex_id) const {
  const auto found = by_uid_.find(std::string(vertex_id));
  if (found == by_uid_.end()) return {};
  return found->second;
}

std::span<const NodeRef> PlanIndex::ByLabel(LabelId label) const {
  if (label >= by_label_.size()) return {};
  return by_label_[label];
}

LabelId PlanIndex::LabelOfText(std::string_view description) const {
  const auto found = labels_.find(description);
  return found == labels_.end() ? kNoLabel : found->second;
}

LabelId PlanIndex::LabelOfSink(std::string_view table) const {
  return LabelOfText(std::string(kSinkKey).append(table));
}

}  // namespace fss
