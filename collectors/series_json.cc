#include "collectors/series_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "collectors/rest/state_metrics_reader.h"

namespace fss {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void Number(const char* name, const std::optional<std::int64_t>& number, Writer* out) {
  if (!number) return;
  out->Key(name);
  out->Int64(*number);
}

void Tasks(const std::map<std::string, VertexSize>& vertices, Writer* out) {
  out->Key("tasks");
  out->StartObject();
  for (const auto& [id, size] : vertices) {
    out->Key(id.c_str());
    out->StartObject();
    Number("state_size", size.state_size, out);
    Number("checkpointed_size", size.checkpointed_size, out);
    Number("persisted_data", size.persisted_data, out);
    out->EndObject();
  }
  out->EndObject();
}

void Rocks(const std::map<std::string, LiveSample>& live, Writer* out) {
  out->Key("rocks");
  out->StartObject();
  for (const auto& [id, sample] : live) {
    out->Key(id.c_str());
    out->StartObject();
    for (const LiveState& state : sample.states) {
      Number(LiveBytesMetric(state).c_str(), state.live_bytes, out);
      Number(KeysMetric(state).c_str(), state.keys, out);
    }
    out->EndObject();
  }
  out->EndObject();
  out->Key("rocks_t");
  out->StartObject();
  for (const auto& [id, sample] : live) {
    out->Key(id.c_str());
    out->Int64(sample.taken_ms);
  }
  out->EndObject();
}

}  // namespace

std::string SeriesLineJson(const CompletedCheckpoint& checkpoint, const SeriesExtras& extras) {
  rapidjson::StringBuffer buffer;
  Writer out(buffer);
  out.StartObject();
  Number("t", checkpoint.trigger_ms, &out);
  Number("id", checkpoint.id, &out);
  Number("state_size", checkpoint.state_size, &out);
  Number("checkpointed_size", checkpoint.checkpointed_size, &out);
  if (checkpoint.savepoint) {
    out.Key("is_savepoint");
    out.Bool(true);
  }
  if (extras.restored) {
    out.Key("restored");
    out.Bool(true);
  }
  Number("start_ms", extras.start_ms, &out);
  Number("polled", extras.polled_ms, &out);
  Tasks(checkpoint.vertices, &out);
  if (extras.live != nullptr && !extras.live->empty()) Rocks(*extras.live, &out);
  out.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + "\n";
}

}  // namespace fss
