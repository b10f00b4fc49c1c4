#include "exporters/json/event_json.h"

#include <algorithm>

#include "exporters/json/json_writer.h"
#include "sidecar/base/micro_time.h"

namespace fss {
namespace {

constexpr const char* kController = "flink-state-sidecar";
constexpr std::size_t kMaxInstanceBytes = 128;

void WriteSeries(const KubeEventRecord& record, JsonWriter* writer) {
  writer->BeginObject("series");
  writer->Int("count", std::max<std::int64_t>(record.count, 2));  // of one there is no series
  writer->Text("lastObservedTime", MicroTime(record.last_ms));
  writer->EndObject();
}

}  // namespace

std::string EventJson(const KubeEventRecord& record, const std::string& instance) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.Text("apiVersion", "events.k8s.io/v1");
    writer.Text("kind", "Event");
    writer.BeginObject("metadata");
    writer.Text("name", record.name);
    writer.Text("namespace", record.regarding.namespace_name);
    writer.EndObject();
    writer.Text("eventTime", MicroTime(record.first_ms));
    writer.Text("reportingController", kController);
    writer.Text("reportingInstance", instance.substr(0, kMaxInstanceBytes));
    writer.Text("action", "AnalyseState");
    writer.Text("reason", record.reason);
    writer.Text("type", record.warning ? "Warning" : "Normal");
    writer.Text("note", record.note);
    writer.BeginObject("regarding");
    writer.Text("apiVersion", record.regarding.api_version);
    writer.Text("kind", record.regarding.kind);
    writer.Text("namespace", record.regarding.namespace_name);
    writer.Text("name", record.regarding.name);
    writer.Text("uid", record.regarding.uid);
    writer.EndObject();
    if (record.count > 1) WriteSeries(record, &writer);
    writer.EndObject();
    writer.Finish();
  });
}

std::string EventSeriesJson(const KubeEventRecord& record) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    WriteSeries(record, &writer);
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
