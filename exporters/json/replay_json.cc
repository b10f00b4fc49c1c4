#include "exporters/json/replay_json.h"

#include "exporters/json/finding_json.h"
#include "exporters/json/job_json.h"

namespace fss {
namespace {

void WriteVerdict(const OperatorReport& op, const FirstGrowing& first_growing, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("vertex_id", op.vertex_id);
  writer->IntIfAny("node_id", op.node_id);
  writer->Text("operator", op.label);
  writer->IntIfAny("size_bytes", op.size_bytes);
  writer->Text("verdict", VerdictName(op.trend.verdict));
  const auto first = first_growing.find(op.vertex_id);
  if (first != first_growing.end()) {
    writer->Int("first_growing_at_ms", first->second);
  }
  WriteTrend(op.trend, op.seconds_until_full, writer);
  if (!op.state.empty()) {
    writer->BeginArray("state");
    for (const EntryReport& entry : op.state) {
      WriteEntry(entry, writer);
    }
    writer->EndArray();
  }
  writer->EndObject();
}

}  // namespace

std::string ReplayJson(const Report& report, const FirstGrowing& first_growing,
                       std::optional<std::int64_t> t_ms) {
  return JsonText([&](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.IntIfAny("t", t_ms);
    writer.BeginArray("verdicts");
    for (const JobReport& job : report.jobs) {
      for (const OperatorReport& op : job.operators) {
        // One operator of each vertex carries the vertex' sizes.
        if (op.size_bytes) {
          WriteVerdict(op, first_growing, &writer);
        }
      }
    }
    writer.EndArray();
    WriteFindings(report.findings, &writer);
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
