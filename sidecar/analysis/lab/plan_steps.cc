#include "sidecar/analysis/lab/plan_steps.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/analysis/lab/lab_failure.h"
#include "sidecar/analysis/lab/lab_report.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::string_view kForever = "0 ms";
constexpr std::string_view kJobTtl = "30 min";

// Why a TTL is not what it should be, as far as its value tells.
constexpr std::string_view kNotSet =
    "SET 'table.exec.state.ttl' works on the statements after it, and COMPILE PLAN does not write "
    "over an old file";
constexpr std::string_view kNoHint =
    "no hint reached this side: its key must be the alias where the table has one";

// The plan, where it is a streaming plan.
Result<const CompiledPlan*> StreamingPlan(const Result<CompiledPlan>& plan, std::string_view file) {
  if (!plan.ok()) return plan.error();
  const bool batch = std::ranges::any_of(plan->nodes, &PlanNode::batch);
  if (batch) return LabFailure(file, "a batch plan: execution.runtime-mode must be streaming");
  return &*plan;
}

bool HasKind(const CompiledPlan& plan, std::initializer_list<std::string_view> kinds) {
  return std::ranges::any_of(plan.nodes, [&](const PlanNode& node) {
    return std::ranges::find(kinds, node.kind) != kinds.end();
  });
}

std::string NodeName(const PlanNode& node) {
  return OneLine(node.type, kShownLabBytes) + " (id " + std::to_string(node.id) + ")";
}

// `what` is "leftState", "leftState of the second join".
Error WrongTtl(std::string_view file, const std::string& what, const std::string& ttl,
               std::string_view expected, std::string_view why) {
  return LabFailure(file, what + " is " + OneLine(ttl, kShownLabBytes) + ", expected " +
                              std::string(expected) + ": " + std::string(why));
}

Result<std::string> CheckAggregate(const Result<CompiledPlan>& read, std::string_view file,
                                   std::string_view expected, std::string_view why) {
  const auto plan = StreamingPlan(read, file);
  if (!plan.ok()) return plan.error();
  const Result<std::string> ttl = OnlyTtl(**plan, "groupAggregateState");
  if (!ttl.ok()) return LabFailure(file, ttl.error().message + ": no plan of one GROUP BY");
  if (*ttl != expected) return WrongTtl(file, "groupAggregateState", *ttl, expected, why);
  return "groupAggregateState is " + *ttl;
}

struct ExpectedSide {
  std::string_view entry;
  std::string_view ttl;
  std::string_view why;  // it is another
};

// `which` is empty or " of the first join".
Status CheckSide(const PlanNode& join, const ExpectedSide& side, std::string_view which,
                 std::string_view file) {
  const Result<std::string> ttl = TtlOf(join, side.entry);
  if (!ttl.ok()) return LabFailure(file, ttl.error().message);
  if (*ttl == side.ttl) return OkStatus();
  const bool default_alone = *ttl == kJobTtl || *ttl == kForever;
  return WrongTtl(file, std::string(side.entry) + std::string(which), *ttl, side.ttl,
                  default_alone ? side.why : "the plan is of another statement");
}

}  // namespace

Result<std::string> CheckFilter(const LabFolder& folder) {
  const auto plan = StreamingPlan(folder.calc_plan, kCalcPlanFile);
  if (!plan.ok()) return plan.error();
  if (!HasKind(**plan, {"calc"})) {
    return LabFailure(kCalcPlanFile, "no calc in it: not a filter's plan");
  }
  for (const PlanNode& node : (*plan)->nodes) {
    if (!node.state.empty() || KeepsKeyedState(node)) {
      return LabFailure(kCalcPlanFile,
                        NodeName(node) + " keeps state: not the plan of a filter alone");
    }
  }
  return std::string("no node has state");
}

Result<std::string> CheckGroupBy(const LabFolder& folder) {
  return CheckAggregate(folder.agg_plan, kAggPlanFile, kForever,
                        "a TTL was set before it was compiled, or a hint given");
}

Result<std::string> CheckGroupByTtl(const LabFolder& folder) {
  return CheckAggregate(folder.agg_ttl_plan, kAggTtlPlanFile, kJobTtl, kNotSet);
}

Result<std::string> CheckJoinHints(const LabFolder& folder) {
  const auto plan = StreamingPlan(folder.join_hint_plan, kJoinHintPlanFile);
  if (!plan.ok()) return plan.error();
  const std::vector<const PlanNode*> joins = JoinsOf(**plan);
  if (joins.size() != 1) {
    return LabFailure(kJoinHintPlanFile,
                      std::to_string(joins.size()) + " regular joins in it, expected 1");
  }
  for (const ExpectedSide& side :
       {ExpectedSide{"leftState", "1 d", kNoHint}, ExpectedSide{"rightState", "2 h", kNoHint}}) {
    const Status checked = CheckSide(*joins[0], side, "", kJoinHintPlanFile);
    if (!checked.ok()) return checked.error();
  }
  return std::string("leftState is 1 d, rightState 2 h");
}

Result<std::string> CheckCascade(const LabFolder& folder) {
  const auto plan = StreamingPlan(folder.cascade_plan, kCascadePlanFile);
  if (!plan.ok()) return plan.error();
  const std::vector<const PlanNode*> joins = JoinsOf(**plan);
  if (joins.size() != 2) {
    return LabFailure(kCascadePlanFile,
                      std::to_string(joins.size()) + " regular joins in it, expected 2");
  }
  struct Slot {
    const PlanNode* join;
    std::string_view which;
    ExpectedSide side;
  };
  for (const Slot& slot :
       {Slot{joins[0], " of the first join", {"leftState", "1 d", kNoHint}},
        Slot{joins[0], " of the first join", {"rightState", "2 h", kNoHint}},
        Slot{joins[1], " of the second join", {"rightState", "7 d", kNoHint}},
        Slot{joins[1], " of the second join", {"leftState", kJobTtl, kNotSet}}}) {
    const Status checked = CheckSide(*slot.join, slot.side, slot.which, kCascadePlanFile);
    if (!checked.ok()) return checked.error();
  }
  return std::string("first join 1 d and 2 h; second join 30 min, which no hint reaches, and 7 d");
}

Result<std::string> CheckWindowPlan(const LabFolder& folder) {
  const auto plan = StreamingPlan(folder.window_plan, kWindowPlanFile);
  if (!plan.ok()) return plan.error();
  if (!HasKind(**plan, {"window-aggregate", "global-window-aggregate"})) {
    return LabFailure(
        kWindowPlanFile,
        "no window aggregation in it: group by window_start and window_end of TUMBLE");
  }
  const std::int64_t entries = CountStateEntries(**plan);
  if (entries != 0) {
    return LabFailure(kWindowPlanFile,
                      std::to_string(entries) +
                          " state entries in it, expected none: something beside the "
                          "window aggregation keeps state");
  }
  return std::string("a window aggregation, no state entry");
}

}  // namespace fss
