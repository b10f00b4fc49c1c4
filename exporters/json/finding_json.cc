#include "exporters/json/finding_json.h"

namespace fss {

void WriteFinding(const Finding& finding, JsonWriter* writer, std::string_view cluster) {
  writer->BeginObject();
  writer->Text("code", finding.code);
  writer->Text("severity", SeverityName(finding.severity));
  writer->TextIfAny("cluster", cluster);
  writer->TextIfAny("job", finding.job);
  writer->TextIfAny("job_id", finding.job_id);
  writer->TextIfAny("vertex_id", finding.vertex_id);
  writer->IntIfAny("node_id", finding.node_id);
  writer->TextIfAny("operator", finding.operator_label);
  writer->TextIfAny("state", finding.state);
  writer->TextIfAny("plan", finding.plan);
  writer->Text("message", finding.message);
  writer->Text("advice", finding.advice.Text());
  writer->IntIfAny("first_seen_ms", finding.first_seen_ms);
  if (finding.acknowledged) {
    writer->Bool("acknowledged", true);
    writer->TextIfAny("acknowledged_reason", finding.acknowledged_reason);
    writer->IntIfAny("acknowledged_until_ms", finding.acknowledged_until_ms);
  }
  writer->EndObject();
}

void WriteFindings(std::span<const Finding> findings, JsonWriter* writer) {
  writer->BeginArray("findings");
  for (const Finding& finding : findings) {
    WriteFinding(finding, writer);
    if (!writer->SendIfLarge()) {
      break;
    }
  }
  writer->EndArray();
}

}  // namespace fss
