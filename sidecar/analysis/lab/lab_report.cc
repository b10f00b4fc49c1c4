#include "sidecar/analysis/lab/lab_report.h"

#include <algorithm>
#include <utility>

#include "sidecar/analysis/lab/changelog.h"
#include "sidecar/analysis/lab/lab_failure.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

Status TakeDefault(const LabFolder& folder, LabReport* report) {
  if (!folder.agg_plan.ok()) return folder.agg_plan.error();
  Result<std::string> ttl = OnlyTtl(*folder.agg_plan, "groupAggregateState");
  if (!ttl.ok()) return InLabFile(ttl.error(), kAggPlanFile);
  report->default_ttl = *std::move(ttl);
  return OkStatus();
}

Status TakeJoin(const LabFolder& folder, LabReport* report) {
  if (!folder.join_hint_plan.ok()) return folder.join_hint_plan.error();
  Result<std::string> left = OnlyTtl(*folder.join_hint_plan, "leftState");
  if (!left.ok()) return InLabFile(left.error(), kJoinHintPlanFile);
  Result<std::string> right = OnlyTtl(*folder.join_hint_plan, "rightState");
  if (!right.ok()) return InLabFile(right.error(), kJoinHintPlanFile);
  report->join_left_ttl = *std::move(left);
  report->join_right_ttl = *std::move(right);
  return OkStatus();
}

Status TakeCascade(const LabFolder& folder, LabReport* report) {
  if (!folder.cascade_plan.ok()) return folder.cascade_plan.error();
  const std::vector<const PlanNode*> joins = JoinsOf(*folder.cascade_plan);
  if (joins.size() < 2) {
    return InLabFile(LabFailure("fewer than two joins in it"), kCascadePlanFile);
  }
  Result<std::string> ttl = TtlOf(*joins.back(), "leftState");
  if (!ttl.ok()) return InLabFile(ttl.error(), kCascadePlanFile);
  report->cascade_second_left_ttl = *std::move(ttl);
  return OkStatus();
}

Status TakeWindow(const LabFolder& folder, LabReport* report) {
  if (!folder.window_plan.ok()) return folder.window_plan.error();
  report->window_state_entries = CountStateEntries(*folder.window_plan);
  return OkStatus();
}

Status TakeRocks(const LabFolder& folder, LabReport* report) {
  if (!folder.rocks_backend.ok()) return folder.rocks_backend.error();
  report->state_backend = *folder.rocks_backend;
  if (!folder.rocks_out.ok()) return folder.rocks_out.error();
  const auto left = RowsLeft(*folder.rocks_out);
  if (!left.ok()) return InLabFile(left.error(), kRocksOutFile);
  report->rocks_groups = static_cast<std::int64_t>(left->size());
  return OkStatus();
}

Error Differs(std::string_view field, const std::string& claim, const std::string& fact) {
  return LabFailure(std::string(field) + " is " + OneLine(claim, kShownLabBytes) +
                    ", but the artefacts say " + OneLine(fact, kShownLabBytes) +
                    ": it is of another run, or copied wrongly");
}

}  // namespace

Result<LabReport> MakeLabReport(const LabFolder& folder) {
  LabReport report;
  for (const auto take : {TakeDefault, TakeJoin, TakeCascade, TakeWindow, TakeRocks}) {
    const Status taken = take(folder, &report);
    if (!taken.ok()) return taken.error();
  }
  return report;
}

Status CheckClaims(const LabReport& claims, const LabReport& facts) {
  struct Text {
    std::string_view field;
    std::string LabReport::*value;
  };
  for (const Text& text : {Text{"default_ttl", &LabReport::default_ttl},
                           Text{"join_left_ttl", &LabReport::join_left_ttl},
                           Text{"join_right_ttl", &LabReport::join_right_ttl},
                           Text{"cascade_second_left_ttl", &LabReport::cascade_second_left_ttl},
                           Text{"state_backend", &LabReport::state_backend}}) {
    if (claims.*text.value != facts.*text.value) {
      return Differs(text.field, "'" + claims.*text.value + "'", "'" + facts.*text.value + "'");
    }
  }
  struct Count {
    std::string_view field;
    std::int64_t LabReport::*value;
  };
  for (const Count& count : {Count{"window_state_entries", &LabReport::window_state_entries},
                             Count{"rocks_groups", &LabReport::rocks_groups}}) {
    if (claims.*count.value != facts.*count.value) {
      return Differs(count.field, std::to_string(claims.*count.value),
                     std::to_string(facts.*count.value));
    }
  }
  return OkStatus();
}

Result<std::string> OnlyTtl(const CompiledPlan& plan, std::string_view entry) {
  const StateEntry* only = nullptr;
  for (const PlanNode& node : plan.nodes) {
    for (const StateEntry& state : node.state) {
      if (state.name != entry) continue;
      if (only != nullptr) return LabFailure("more than one " + std::string(entry) + " in it");
      only = &state;
    }
  }
  if (only == nullptr) return LabFailure("no " + std::string(entry) + " in it");
  if (only->ttl.empty()) return LabFailure(std::string(entry) + " has no ttl");
  return only->ttl;
}

Result<std::string> TtlOf(const PlanNode& node, std::string_view entry) {
  const auto found = std::ranges::find(node.state, entry, &StateEntry::name);
  if (found == node.state.end() || found->ttl.empty()) {
    return LabFailure("node " + std::to_string(node.id) + " has no ttl of " + std::string(entry));
  }
  return found->ttl;
}

std::vector<const PlanNode*> JoinsOf(const CompiledPlan& plan) {
  std::vector<const PlanNode*> joins;
  for (const PlanNode& node : plan.nodes) {
    if (node.kind == "join") joins.push_back(&node);
  }
  std::ranges::sort(joins, {}, &PlanNode::id);
  return joins;
}

std::int64_t CountStateEntries(const CompiledPlan& plan) {
  std::int64_t entries = 0;
  for (const PlanNode& node : plan.nodes) entries += static_cast<std::int64_t>(node.state.size());
  return entries;
}

}  // namespace fss
