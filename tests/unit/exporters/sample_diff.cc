#include "tests/unit/exporters/sample_diff.h"

namespace fss {
namespace {

using Number = std::optional<std::int64_t>;

PlanChange Change(Number old_id, Number new_id, const std::string& label, const std::string& state,
                  PlanChangeKind kind, RestoreOutcome restore, const std::string& message) {
  PlanChange change;
  change.node_id_old = old_id;
  change.node_id_new = new_id;
  change.label = label;
  change.state = state;
  change.change = kind;
  change.restore = restore;
  change.message = message;
  return change;
}

PlanChange WithTtls(PlanChange change, Number before, Number now) {
  change.old_ttl_ms = before;
  change.new_ttl_ms = now;
  return change;
}

}  // namespace

PlanDiff SampleDiff() {
  using Kind = PlanChangeKind;
  using Restore = RestoreOutcome;
  constexpr std::int64_t kHour = 3'600'000;
  constexpr std::int64_t kDay = 24 * kHour;
  const std::string group = "GroupAggregate[6]";
  const std::string total = "groupAggregateState";
  PlanDiff diff{"plans/old.json", "plans/new.json", "2.3", {}};
  diff.changes = {
      Change(1, 1, "Source: orders[1]", "", Kind::kDescription, Restore::kCompatible,
             "Source: orders[1] has the uid '1_source' as before, so Flink gives it the old state. "
             "fields was [a], is [a, b]: what the connector keeps does not hang on it."),
      Change(6, 6, group, "", Kind::kDescription, Restore::kRefused,
             "groupBy was [user_id], is [product_id]."),
      WithTtls(Change(6, 6, group, total, Kind::kTtl, Restore::kMigrates,
                      "its TTL was for ever, is 1 h."),
               0, kHour),
      WithTtls(Change(19, 24, "Join[24]", "leftState", Kind::kTtl, Restore::kLost,
                      "leftState of Join[24] is the same operator under another number."),
               kDay, 2 * kHour),
      WithTtls(Change(19, 24, "Join[24]", "rightState", Kind::kDescription, Restore::kLost,
                      "rightState of Join[24] is the same operator under another number."),
               kDay, kDay),
      WithTtls(Change({}, 30, "Deduplicate[30]", "deduplicateState", Kind::kAdded, Restore::kNew,
                      "deduplicateState of Deduplicate[30] is new."),
               {}, 0),
      Change(31, {}, "IntervalJoin[31]", "", Kind::kRemoved, Restore::kLost,
             "IntervalJoin[31] is no longer there."),
      WithTtls(Change(40, 40, "Rank[40]", "rankState", Kind::kTtl, Restore::kMigrates,
                      "its TTL was 1 h, is not in the plan."),
               kHour, {}),
  };
  return diff;
}

}  // namespace fss
