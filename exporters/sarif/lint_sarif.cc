#include "exporters/sarif/lint_sarif.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "exporters/json/json_writer.h"
#include "exporters/sarif/file_uri.h"
#include "sidecar/base/murmur3.h"
#include "sidecar/model/plan_rules.h"

namespace fss {
namespace {

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
constexpr std::string_view kFindingsPage = "docs/findings.md#";

// How often a place was named so far: tells apart operators that do the same.
using Seen = std::map<std::string, int>;

std::string_view LevelOf(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "note";
    case Severity::kWarning:
      return "warning";
    case Severity::kCritical:
      break;
  }
  return "error";
}

// The words by which GitHub sorts rules.
std::string_view ProblemSeverity(Severity severity) {
  return severity == Severity::kInfo ? "recommendation" : LevelOf(severity);
}

// A text as a SARIF message: braces are doubled (3.11.5), and what would read as a link is none
// (3.11.6), for names in it are anybody's.
std::string MessageText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c;
    if (c == '{' || c == '}') out += c;
    if (c == ']' && text.substr(i + 1).starts_with('(')) out += ' ';
  }
  return out;
}

void WriteMessage(std::string_view name, std::string_view text, JsonWriter* writer) {
  writer->BeginObject(name);
  writer->Text("text", MessageText(text));
  writer->EndObject();
}

void WriteRule(const PlanRule& rule, JsonWriter* writer) {
  // helpUri must be absolute (3.49.12), and where this repository lies is not known here: the page
  // is named in the help instead.
  const std::string page = std::string(kFindingsPage) + std::string(rule.code);
  writer->BeginObject();
  writer->Text("id", rule.code);
  WriteMessage("shortDescription", rule.title, writer);
  WriteMessage("fullDescription", rule.meaning, writer);
  writer->BeginObject("help");
  const std::string help = std::string(rule.meaning) + "\n\n" + std::string(rule.remedy);
  writer->Text("text", MessageText(help + "\n\nMore: " + page));
  writer->Text("markdown", MessageText(help) + "\n\nMore: `" + page + "`");
  writer->EndObject();
  writer->BeginObject("defaultConfiguration");
  writer->Text("level", LevelOf(rule.usual));
  writer->EndObject();
  writer->BeginObject("properties");
  writer->Text("problem.severity", ProblemSeverity(rule.usual));
  writer->BeginArray("tags");
  for (const std::string_view tag : {"flink", "sql", "state"}) writer->Element(tag);
  writer->EndArray();
  writer->EndObject();
  writer->EndObject();
}

void WriteTool(JsonWriter* writer) {
  writer->BeginObject("tool");
  writer->BeginObject("driver");
  writer->Text("name", "flink-state-sidecar");
  writer->Text("semanticVersion", FSS_VERSION);
  writer->BeginArray("rules");
  for (const PlanRule& rule : AllPlanRules()) WriteRule(rule, writer);
  writer->EndArray();
  writer->EndObject();
  writer->EndObject();
}

void WritePhysicalLocation(const std::string& file, int line, JsonWriter* writer) {
  const std::string uri = FileUri(file);
  writer->BeginObject("physicalLocation");
  writer->BeginObject("artifactLocation");
  writer->Text("uri", uri);
  if (StaysBelow(uri)) writer->Text("uriBaseId", "%SRCROOT%");
  writer->EndObject();
  if (line > 0) {
    writer->BeginObject("region");
    writer->Int("startLine", line);
    writer->EndObject();
  }
  writer->EndObject();
}

void WriteLocation(const LintedPlan& plan, const LintedOperator* op, const Finding& finding,
                   JsonWriter* writer) {
  writer->BeginArray("locations");
  writer->BeginObject();
  WritePhysicalLocation(plan.file, op == nullptr ? 0 : op->line, writer);
  if (!finding.operator_label.empty()) {
    writer->BeginArray("logicalLocations");
    writer->BeginObject();
    writer->Text("name", finding.operator_label);
    writer->Text("fullyQualifiedName", finding.state.empty()
                                           ? finding.operator_label
                                           : finding.operator_label + "." + finding.state);
    writer->Text("kind", "operator");
    writer->EndObject();
    writer->EndArray();
  }
  writer->EndObject();
  writer->EndArray();
}

// "<hash>:<n>": n tells apart operators of one plan that do the same, in the order of the file.
void WriteFingerprints(const LintedOperator* op, const Finding& finding, Seen* seen,
                       JsonWriter* writer) {
  const std::string place = finding.code + "\n" + finding.state + "\n" +
                            (op == nullptr ? finding.operator_label : op->identity);
  const std::string print =
      OperatorIdFromUid(place) + ":" + std::to_string(++seen->try_emplace(place, 0).first->second);
  writer->BeginObject("partialFingerprints");
  writer->Text("flinkStateOperator/v1", print);
  // The one name that GitHub reads. Left to itself it hashes the lines of the plan, ids and all.
  writer->Text("primaryLocationLineHash", print);
  writer->EndObject();
}

void WriteResult(const LintedPlan& plan, const Finding& finding, const LintedOperator* op,
                 Seen* seen, JsonWriter* writer) {
  writer->BeginObject();
  writer->Text("ruleId", finding.code);
  const auto rules = AllPlanRules();
  const auto rule = std::ranges::find(rules, finding.code, &PlanRule::code);
  if (rule != rules.end()) writer->Int("ruleIndex", rule - rules.begin());
  writer->Text("level", LevelOf(finding.severity));
  WriteMessage("message",
               finding.advice.empty() ? finding.message
                                      : finding.message + "\nFix: " + finding.advice.Text(),
               writer);
  WriteLocation(plan, op, finding, writer);
  WriteFingerprints(op, finding, seen, writer);
  if (finding.acknowledged) {
    writer->BeginArray("suppressions");
    writer->BeginObject();
    writer->Text("kind", "external");
    writer->TextIfAny("justification", finding.acknowledged_reason);
    writer->EndObject();
    writer->EndArray();
  }
  writer->BeginObject("properties");
  writer->Text("severity", SeverityName(finding.severity));
  writer->IntIfAny("node_id", finding.node_id);
  writer->TextIfAny("operator", finding.operator_label);
  writer->TextIfAny("state", finding.state);
  writer->EndObject();
  writer->EndObject();
}

// Findings stand most severe first; fingerprints count in the order of the file, which stays when a
// severity changes.
void WriteResults(const LintedPlan& plan, JsonWriter* writer) {
  const LintedOperators operators(plan);
  std::vector<std::pair<const LintedOperator*, const Finding*>> placed;
  placed.reserve(plan.findings.size());
  for (const Finding& finding : plan.findings) {
    placed.emplace_back(operators.Of(finding), &finding);
  }
  const auto place = [&plan](const auto& pair) {
    return pair.first == nullptr ? plan.operators.end() - plan.operators.begin()
                                 : pair.first - plan.operators.data();
  };
  std::ranges::stable_sort(placed, {}, place);
  Seen seen;
  for (const auto& [op, finding] : placed) {
    WriteResult(plan, *finding, op, &seen, writer);
    if (!writer->SendIfLarge()) return;
  }
}

void WriteInvocation(std::span<const LintedPlan> plans, JsonWriter* writer) {
  const auto unreadable = [](const LintedPlan& plan) { return !plan.error.empty(); };
  writer->BeginArray("invocations");
  writer->BeginObject();
  writer->Bool("executionSuccessful", std::ranges::none_of(plans, unreadable));
  writer->BeginArray("toolExecutionNotifications");
  for (const LintedPlan& plan : plans) {
    if (plan.error.empty()) continue;
    writer->BeginObject();
    writer->Text("level", "error");
    WriteMessage("message", plan.file + " cannot be read as a plan: " + plan.error, writer);
    writer->BeginArray("locations");
    writer->BeginObject();
    WritePhysicalLocation(plan.file, 0, writer);
    writer->EndObject();
    writer->EndArray();
    writer->EndObject();
  }
  writer->EndArray();
  writer->EndObject();
  writer->EndArray();
}

void WriteRun(std::span<const LintedPlan> plans, JsonWriter* writer) {
  writer->BeginObject();
  WriteTool(writer);
  WriteInvocation(plans, writer);
  writer->BeginArray("results");
  for (const LintedPlan& plan : plans) WriteResults(plan, writer);
  writer->EndArray();
  writer->EndObject();
}

}  // namespace

std::string LintSarif(std::span<const LintedPlan> plans) {
  return JsonText([plans](JsonSink sink) {
    JsonWriter writer(std::move(sink));
    writer.BeginObject();
    writer.Text("$schema", kSchema);
    writer.Text("version", "2.1.0");
    writer.BeginArray("runs");
    WriteRun(plans, &writer);
    writer.EndArray();
    writer.EndObject();
    writer.Finish();
  });
}

}  // namespace fss
