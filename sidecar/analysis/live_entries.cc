#include "sidecar/analysis/live_entries.h"

#include <array>
#include <string>
#include <string_view>

#include "sidecar/model/job_graph.h"

namespace fss {
namespace {

// Kinds with several entries. Of all others the one entry is all that the operator keeps: a GROUP
// BY's accumulators (accState) and the maps of its DISTINCT and MIN beside it.
struct StateName {
  std::string_view state;
  std::string_view entry;
};
constexpr std::array<StateName, 2> kJoinStates = {{
    {"left-records", "leftState"},
    {"right-records", "rightState"},
}};
constexpr std::string_view kMultiJoinEntry = "input-state-";

bool IsStateOf(std::string_view state, std::string_view entry) {
  for (const StateName& name : kJoinStates) {
    if (name.entry == entry) return state == name.state;
  }
  // "multi-join-input-0": the number at the end is the input's.
  if (!entry.starts_with(kMultiJoinEntry)) return false;
  const std::string_view number = entry.substr(kMultiJoinEntry.size());
  if (!state.ends_with(number) || state.size() == number.size()) return false;
  const char before = state[state.size() - number.size() - 1];
  return before < '0' || before > '9';
}

void AddTo(const std::optional<std::int64_t>& value, std::optional<std::int64_t>* sum) {
  if (value) *sum = sum->value_or(0) + *value;
}

}  // namespace

std::vector<LiveFigures> LiveFiguresOf(const LiveSample& sample, const OperatorReport& op,
                                       bool alone) {
  std::vector<LiveFigures> figures(op.state.size());
  const std::string name = MetricNameOf(op.label);
  for (const LiveState& state : sample.states) {
    if (!alone && state.operator_name != name) continue;
    for (std::size_t e = 0; e < figures.size(); ++e) {
      if (figures.size() > 1 && !IsStateOf(state.state_name, op.state[e].name)) continue;
      AddTo(state.live_bytes, &figures[e].live_bytes);
      AddTo(state.keys, &figures[e].keys);
    }
  }
  return figures;
}

std::optional<bool> TtlOfEntry(const CheckpointOperator& op, std::string_view entry,
                               std::size_t entries) {
  // Without all names of its states nobody knows whether one of them is this entry's.
  std::optional<bool> enabled;
  bool unknown = !op.keyed_states_known;
  for (const CheckpointState& state : op.states) {
    if (state.scope != StateScope::kKeyed || state.kind == StateKind::kTimers) continue;
    if (entries > 1 && !IsStateOf(state.name, entry)) continue;
    if (state.ttl_enabled == true) return true;
    unknown = unknown || !state.ttl_enabled;
    enabled = false;
  }
  if (unknown) return std::nullopt;
  return enabled;
}

}  // namespace fss
