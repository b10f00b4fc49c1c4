// What the `_metadata` of a checkpoint or savepoint says: operators, their sizes, their states.
//
// What is not known is absent (std::nullopt, an empty text), never 0, -1 or NaN.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fss {

enum class StateScope { kKeyed, kOperator };

// What kind of thing stands behind a state's name, as the checkpoint tells it.
enum class StateKind {
  kUnknown,
  kValue,        // ValueState; Table operators keep most of theirs so
  kList,         // ListState of a key
  kMap,          // MapState
  kAggregating,  // ReducingState, AggregatingState
  kTimers,       // timers of a key ("_timer_state/event_user-timers"): no rows, no TTL
  kSplitList,    // operator state, split over the subtasks
  kUnionList,    // operator state, whole to each subtask
  kBroadcast,
};

// "value", "list", "map", "aggregating", "timers", "split-list", "union-list", "broadcast", "".
const char* StateKindName(StateKind kind);

struct CheckpointState {
  std::string name;  // "left-records", "accState", "_timer_state/processing_user-timers"
  StateScope scope = StateScope::kKeyed;
  StateKind kind = StateKind::kUnknown;
  // Whether the state was registered with a TTL. False only where its serializer was understood
  // as a whole; absent where it was not.
  std::optional<bool> ttl_enabled;
};

// A file at whose head an operator's keyed states are described, where `_metadata` itself does
// not hold that description (hashmap; RocksDB's when it is large or file merging is on).
struct StateHead {
  // As Flink writes it: "file:/shared/job/chk-7/0e1f…", or a name below the checkpoint's own
  // folder when `relative`.
  std::string address;
  bool relative = false;
  std::int64_t offset = 0;  // where the description begins; above 0 in merged files alone
};

// Sizes in bytes, over all subtasks, as Flink's own loader adds them up.
struct CheckpointOperator {
  std::string operator_id;  // 32 lower-case hex digits; a vertex' id is the id of its chain's head
  std::string name;         // "Calc[20]"; empty before format 5
  std::string uid;          // "20_calc"; empty before format 5, and where none was set
  int parallelism = 0;
  int max_parallelism = 0;
  std::int64_t managed_keyed_bytes = 0;
  std::int64_t raw_keyed_bytes = 0;
  std::int64_t managed_operator_bytes = 0;
  std::int64_t raw_operator_bytes = 0;
  std::int64_t channel_bytes = 0;                 // in flight (unaligned checkpoints)
  std::optional<std::int64_t> coordinator_bytes;  // absent: no coordinator state
  std::int64_t size_bytes = 0;                    // all of these (getStateSize)
  // What this checkpoint wrote anew (getCheckpointedSize); before Flink 1.15 equal to size_bytes.
  std::int64_t checkpointed_bytes = 0;
  bool fully_finished = false;  // every subtask had ended

  // Keyed states in the order of the file, then operator states. Each name once per scope.
  std::vector<CheckpointState> states;
  // False: it has keyed state whose names are not all among `states`.
  bool keyed_states_known = true;
  // Where those names stand; absent when nothing of the kind is in reach.
  std::optional<StateHead> keyed_head;
};

struct CheckpointMetadata {
  int version = 0;  // the file's format, 2 to 6
  std::int64_t checkpoint_id = 0;
  std::optional<bool> savepoint;              // absent before format 4
  std::vector<CheckpointOperator> operators;  // sorted by operator_id

  const CheckpointOperator* FindOperator(const std::string& operator_id) const;
};

}  // namespace fss
