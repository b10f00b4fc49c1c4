#include "collectors/series_reader.h"

#include <utility>

#include "collectors/rest/checkpoint_row.h"
#include "collectors/rest/json_answer.h"
#include "collectors/rest/state_metrics_reader.h"

namespace fss {
namespace {

std::string NameOf(const rapidjson::Value& name) {
  return {name.GetString(), name.GetStringLength()};
}

void ReadRocks(const rapidjson::Value& rocks, const rapidjson::Value* times, SeriesLine* line) {
  for (const auto& vertex : rocks.GetObject()) {
    if (!vertex.value.IsObject()) continue;
    StateMetrics metrics;
    for (const auto& metric : vertex.value.GetObject()) {
      if (metric.value.IsNumber()) metrics.Add(NameOf(metric.name), metric.value.GetDouble());
    }
    const std::string id = NameOf(vertex.name);
    const auto taken = times == nullptr ? std::nullopt : CountMember(*times, id.c_str());
    LiveSample sample{taken.value_or(line->checkpoint.trigger_ms), metrics.TakeStates()};
    if (!sample.states.empty()) line->live[id] = std::move(sample);
  }
}

}  // namespace

Result<SeriesLine> ReadSeriesLine(std::string text) {
  constexpr int kOk = 200;
  Result<JsonAnswer> json = JsonAnswer::Parse({kOk, "application/json", std::move(text)});
  if (!json.ok()) {
    if (json.error().code != ErrorCode::kMalformed) return json.error();
    return Error{ErrorCode::kMalformed, "not a JSON object", ""};
  }
  const rapidjson::Value& root = json->root();
  const auto t = CountMember(root, "t");
  const auto id = CountMember(root, "id");
  const auto size = CountMember(root, "state_size");
  if (!t || !id || !size) {
    return Error{ErrorCode::kMalformed, "no checkpoint: t, id or state_size is missing", ""};
  }
  SeriesLine line;
  CompletedCheckpoint& checkpoint = line.checkpoint;
  checkpoint.id = *id;
  checkpoint.trigger_ms = *t;
  checkpoint.completed_ms = *t;
  checkpoint.state_size = *size;
  checkpoint.checkpointed_size = CountMember(root, "checkpointed_size");
  checkpoint.savepoint = BoolMember(root, "is_savepoint").value_or(false);
  line.restored = BoolMember(root, "restored").value_or(false);
  line.start_ms = CountMember(root, "start_ms");
  line.polled_ms = CountMember(root, "polled");
  ReadVertexSizes(root, &checkpoint);
  if (const rapidjson::Value* rocks = ObjectMember(root, "rocks")) {
    ReadRocks(*rocks, ObjectMember(root, "rocks_t"), &line);
  }
  return line;
}

}  // namespace fss
