#include "tests/unit/exporters/sample_checkpoint.h"

#include <utility>

namespace fss {
namespace {

CheckpointState State(std::string name, StateKind kind, std::optional<bool> ttl,
                      StateScope scope = StateScope::kKeyed) {
  return {std::move(name), scope, kind, ttl};
}

CheckpointOperator Operator(char digit, std::string name) {
  CheckpointOperator op;
  op.operator_id = std::string(32, digit);
  op.name = std::move(name);
  op.parallelism = 4;
  op.max_parallelism = 128;
  return op;
}

CheckpointOperator Join() {
  CheckpointOperator op = Operator('1', "Join[19]");
  op.uid = "19_join";
  op.managed_keyed_bytes = 1'500'000;
  op.channel_bytes = 2'000;
  op.size_bytes = 1'502'000;
  op.checkpointed_bytes = 90'000;
  op.states = {State("left-records", StateKind::kMap, true),
               State("right-records", StateKind::kMap, false),
               State("strange", StateKind::kValue, std::nullopt),
               State("_timer_state/event_user-timers", StateKind::kTimers, false)};
  return op;
}

CheckpointOperator Source() {
  CheckpointOperator op =
      Operator('2', "Source: \"orders\"\n日本 with a name that is far too long");
  op.managed_operator_bytes = 234;
  op.coordinator_bytes = 12;
  op.size_bytes = op.checkpointed_bytes = 246;
  op.states = {State("SourceReaderState", StateKind::kSplitList, false, StateScope::kOperator)};
  return op;
}

CheckpointOperator Unread() {
  CheckpointOperator op = Operator('3', "");
  op.managed_keyed_bytes = op.size_bytes = op.checkpointed_bytes = 4'096;
  op.keyed_states_known = false;
  op.keyed_head = StateHead{"file:/gone", false, 0};
  return op;
}

CheckpointOperator Finished() {
  CheckpointOperator op = Operator('4', "Calc[20]");
  op.fully_finished = true;
  return op;
}

CheckpointOperator Unaligned() {
  CheckpointOperator op = Operator('5', "Calc[21]");
  op.channel_bytes = op.size_bytes = op.checkpointed_bytes = 77;
  return op;
}

}  // namespace

CheckpointMetadata SampleCheckpoint() {
  CheckpointMetadata metadata;
  metadata.version = 6;
  metadata.checkpoint_id = 41;
  metadata.savepoint = false;
  metadata.operators = {Join(), Source(), Unread(), Finished(), Unaligned()};
  return metadata;
}

}  // namespace fss
