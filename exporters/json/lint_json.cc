#include "exporters/json/lint_json.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/json/finding_json.h"

namespace fss {
namespace {

void WriteList(std::string_view name, const std::vector<std::string>& list, JsonWriter* writer) {
  if (list.empty()) return;
  writer->BeginArray(name);
  for (const std::string& item : list) {
    writer->Element(item);
  }
  writer->EndArray();
}

void WriteEntry(const LintedEntry& entry, JsonWriter* writer) {
  writer->BeginObject();
  writer->Int("index", entry.index);
  writer->Text("name", entry.name);
  writer->TextIfAny("ttl", entry.ttl);
  if (entry.ttl_ms) {
    writer->Int("ttl_ms", *entry.ttl_ms);
    writer->Bool("forever", *entry.ttl_ms == 0);
  }
  WriteList("tables", entry.tables, writer);
  WriteList("keys", entry.keys, writer);
  writer->EndObject();
}

void WriteOperator(const LintedOperator& op, JsonWriter* writer) {
  writer->BeginObject();
  writer->Int("node_id", op.node_id);
  writer->Text("type", op.type);
  writer->Text("kind", op.kind);
  writer->TextIfAny("operator", op.label);
  writer->Text("cleanup", CleanupName(op.cleanup));
  writer->TextIfAny("expiry", op.expiry);
  writer->BeginArray("state");
  for (const LintedEntry& entry : op.state) {
    WriteEntry(entry, writer);
  }
  writer->EndArray();
  writer->EndObject();
}

void WritePlan(const LintedPlan& plan, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("file", plan.file);
  if (!plan.error.empty()) {
    writer->Text("error", plan.error);
    writer->EndObject();
    return;
  }
  writer->Text("flink_version", plan.flink_version);
  writer->BeginArray("operators");
  for (const LintedOperator& op : plan.operators) {
    WriteOperator(op, writer);
  }
  writer->EndArray();
  WriteFindings(plan.findings, writer);
  writer->EndObject();
}

}  // namespace

std::string LintJson(std::span<const LintedPlan> plans) {
  return JsonText([plans](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.BeginArray("plans");
    for (const LintedPlan& plan : plans) {
      WritePlan(plan, &writer);
    }
    writer.EndArray();
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
