#include "sidecar/model/plan_rules.h"

#include <array>

namespace fss {
namespace {

constexpr auto kRules = std::to_array<PlanRule>({
    {"forever-state", Severity::kWarning, "State is kept for ever",
     "The entry's TTL is 0, which is Flink's default: nothing removes what is in it. It grows with "
     "the number of keys or rows that ever came. Where that number has no bound, checkpoints grow "
     "until they time out, or the heap or the disk fills up.",
     "Bound it in time first: an interval, window, temporal or lookup join, a window aggregation. "
     "Else give each input a STATE_TTL hint, measured on data. Last, set table.exec.state.ttl for "
     "the whole job. Where the number of keys is bounded it is fine as it is."},
    {"ttl-from-job-default", Severity::kWarning, "A STATE_TTL hint does not reach this input",
     "The input is itself the result of a regular join. Hints name tables, and that result has no "
     "name in the query, so it took the job's default: 0 keeps it for ever, and a time shorter "
     "than that of the join below forgets rows that are still wanted; matches are lost without an "
     "error.",
     "Put the first join into a view with its own hint, and hint the view. From Flink 2.1 on, "
     "joins on one key can be one multi-join, whose inputs all take hints."},
    {"ttl-mismatch", Severity::kWarning, "Two TTLs do not fit together",
     "The two sides of a join, or two operators on one path, keep rows for so different times that "
     "the shorter one decides the result.",
     "Give both the time in which a match can still come, measured on data, or bound the join in "
     "time."},
    {"heavy-aggregate", Severity::kWarning, "An aggregate function keeps every value of its group",
     "MIN, MAX, DISTINCT, LISTAGG and the like must keep every value where the input takes rows "
     "back, and here the state has no TTL.",
     "Let the input only add rows: aggregate the table itself, or put a window below. Else group "
     "by a window as well, let fewer values reach it, or give the GROUP BY a STATE_TTL hint."},
    {"joinable-chain", Severity::kInfo, "Joins on one key could be one multi-join",
     "Regular joins that share a key column work on each other's results. Every intermediate "
     "result is kept in state beside the inputs; one multi-join (Flink 2.1 on) keeps the inputs "
     "alone.",
     "SET 'table.optimizer.multi-join.enabled' = 'true', compile the plan again and look for one "
     "MultiJoin. The state of the old joins is not taken over."},
    {"time-bound-possible", Severity::kInfo, "An interval join or a window could take its place",
     "The inputs of this regular join, GROUP BY or deduplication carry watermarks. An interval "
     "join "
     "or a window drops its state by itself and without loss; whether the result may change so, "
     "only its users know.",
     "Write the join with a bound between its two time columns, or group by a window; deduplicate "
     "within a window."},
    {"policy", Severity::kWarning, "The team's policy does not allow this",
     "The entry keeps its rows longer than the policy file allows, or without a hint that it "
     "requires. The message has the policy's reason.",
     "Give the entry a TTL that the policy allows. If the policy is wrong here, change the policy, "
     "with a reason."},
    {"unknown-operator", Severity::kWarning, "The kind of this operator is not known",
     "The plan has a node of a kind that this version does not know. It may keep state that "
     "nothing here speaks of.",
     "Judge it by hand: by the operator's size in checkpoints and by Flink's documentation. A "
     "newer version may know it."},
});

}  // namespace

std::span<const PlanRule> AllPlanRules() { return kRules; }

}  // namespace fss
