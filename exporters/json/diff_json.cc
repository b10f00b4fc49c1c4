#include "exporters/json/diff_json.h"

#include <utility>

#include "exporters/json/json_writer.h"

namespace fss {
namespace {

void WriteChange(const PlanChange& change, JsonWriter* writer) {
  writer->BeginObject();
  writer->IntIfAny("node_id_old", change.node_id_old);
  writer->IntIfAny("node_id_new", change.node_id_new);
  writer->Text("operator", change.label);
  writer->TextIfAny("state", change.state);
  writer->Text("change", PlanChangeName(change.change));
  writer->IntIfAny("old_ttl_ms", change.old_ttl_ms);
  writer->IntIfAny("new_ttl_ms", change.new_ttl_ms);
  writer->Text("restore", RestoreOutcomeName(change.restore));
  writer->Text("message", change.message);
  writer->EndObject();
}

}  // namespace

std::string DiffJson(const PlanDiff& diff) {
  return JsonText([&diff](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.Text("old", diff.old_file);
    writer.Text("new", diff.new_file);
    writer.Text("flink_version", diff.flink_version);
    writer.BeginArray("changes");
    for (const PlanChange& change : diff.changes) {
      WriteChange(change, &writer);
    }
    writer.EndArray();
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
