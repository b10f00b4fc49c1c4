#include "exporters/json/checkpoint_json.h"

#include <utility>

#include "exporters/json/json_writer.h"

namespace fss {
namespace {

void WriteState(const CheckpointState& state, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("name", state.name);
  writer->Text("scope", state.scope == StateScope::kKeyed ? "keyed" : "operator");
  writer->TextIfAny("kind", StateKindName(state.kind));
  writer->BoolIfAny("ttl_enabled", state.ttl_enabled);
  writer->EndObject();
}

void WriteOperator(const CheckpointOperator& op, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("operator_id", op.operator_id);
  writer->TextIfAny("name", op.name);
  writer->TextIfAny("uid", op.uid);
  writer->Int("parallelism", op.parallelism);
  writer->Int("max_parallelism", op.max_parallelism);
  writer->Int("managed_keyed_bytes", op.managed_keyed_bytes);
  writer->Int("raw_keyed_bytes", op.raw_keyed_bytes);
  writer->Int("managed_operator_bytes", op.managed_operator_bytes);
  writer->Int("raw_operator_bytes", op.raw_operator_bytes);
  writer->Int("channel_bytes", op.channel_bytes);
  writer->IntIfAny("coordinator_bytes", op.coordinator_bytes);
  writer->Int("size_bytes", op.size_bytes);
  writer->Int("checkpointed_bytes", op.checkpointed_bytes);
  writer->Bool("fully_finished", op.fully_finished);
  writer->Bool("keyed_states_known", op.keyed_states_known);
  writer->BeginArray("states");
  for (const CheckpointState& state : op.states) {
    WriteState(state, writer);
  }
  writer->EndArray();
  writer->EndObject();
}

}  // namespace

std::string CheckpointJson(const std::string& path, const CheckpointMetadata& metadata) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.Text("path", path);
    writer.Int("version", metadata.version);
    writer.Int("checkpoint_id", metadata.checkpoint_id);
    writer.BoolIfAny("savepoint", metadata.savepoint);
    writer.BeginArray("operators");
    for (const CheckpointOperator& op : metadata.operators) {
      WriteOperator(op, &writer);
    }
    writer.EndArray();
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
