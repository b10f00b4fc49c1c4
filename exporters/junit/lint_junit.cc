#include "exporters/junit/lint_junit.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exporters/junit/xml_text.h"

namespace fss {
namespace {

constexpr std::string_view kSuiteName = "flink-state-sidecar lint";
constexpr std::string_view kReadableCase = "can be read as a plan";
constexpr std::string_view kOtherCase = "other findings";

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
};

struct Case {
  std::string name;
  int line = 0;  // 0 unknown
  std::vector<const Finding*> findings;
};

std::string Attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + XmlText(value) + "\"";
}

std::string Attributes(const Counts& counts) {
  return Attribute("tests", std::to_string(counts.tests)) +
         Attribute("failures", std::to_string(counts.failures)) +
         Attribute("errors", std::to_string(counts.errors)) + Attribute("skipped", "0");
}

bool KeepsState(const LintedOperator& op) {
  return !op.state.empty() || op.cleanup == Cleanup::kTtl || op.cleanup == Cleanup::kWatermark ||
         op.cleanup == Cleanup::kBounded || op.cleanup == Cleanup::kUnknown;
}

std::string NameOf(const LintedOperator& op) {
  return op.label.empty() ? op.kind + "[" + std::to_string(op.node_id) + "]" : op.label;
}

// As people read it: place, code and sentence, then the advice.
std::string Told(const LintedPlan& plan, const Case& place,
                 const std::vector<const Finding*>& findings) {
  std::string text;
  for (const Finding* finding : findings) {
    if (!text.empty()) text += "\n\n";
    text += plan.file;
    if (place.line > 0) text += ":" + std::to_string(place.line);
    text += ": " + std::string(SeverityName(finding->severity)) + ": " + finding->code + "\n" +
            finding->message;
    if (!finding->advice.empty()) text += "\nFix: " + finding->advice.Text();
  }
  return text;
}

// The operators that keep state, those with findings, and a place for findings without an operator.
std::vector<Case> CasesOf(const LintedPlan& plan) {
  const LintedOperators operators(plan);
  std::unordered_map<const LintedOperator*, std::vector<const Finding*>> found;
  for (const Finding& finding : plan.findings) found[operators.Of(finding)].push_back(&finding);
  std::vector<Case> cases;
  for (const LintedOperator& op : plan.operators) {
    const auto own = found.find(&op);
    if (own == found.end() && !KeepsState(op)) continue;
    cases.push_back({NameOf(op), op.line, {}});
    if (own != found.end()) cases.back().findings = std::move(own->second);
  }
  if (const auto other = found.find(nullptr); other != found.end()) {
    cases.push_back({std::string(kOtherCase), 0, std::move(other->second)});
  }
  return cases;
}

std::string OpenCase(const LintedPlan& plan, std::string_view name) {
  return "    <testcase" + Attribute("classname", plan.file) + Attribute("name", name) +
         Attribute("file", plan.file) + ">";
}

void AppendCase(const LintedPlan& plan, const Case& place,
                const std::function<bool(const Finding&)>& fails, Counts* counts,
                std::string* out) {
  std::vector<const Finding*> failed = place.findings;
  const auto passed =  // clang-tidy 14 cannot read std::ranges::stable_partition
      std::stable_partition(failed.begin(), failed.end(),
                            [&fails](const Finding* finding) { return fails(*finding); });
  const std::vector<const Finding*> others(passed, failed.end());
  failed.erase(passed, failed.end());

  ++counts->tests;
  out->append(OpenCase(plan, place.name));
  if (!failed.empty()) {
    ++counts->failures;
    const Finding& first = *failed.front();
    std::string message = first.code + ": " + first.message;
    if (failed.size() > 1) message += " (and " + std::to_string(failed.size() - 1) + " more)";
    out->append("\n      <failure" + Attribute("type", first.code) + Attribute("message", message) +
                ">" + XmlText(Told(plan, place, failed)) + "</failure>");
  }
  if (!others.empty()) {
    out->append("\n      <system-out>" + XmlText(Told(plan, place, others)) + "</system-out>");
  }
  out->append(failed.empty() && others.empty() ? "</testcase>\n" : "\n    </testcase>\n");
}

void AppendReadable(const LintedPlan& plan, Counts* counts, std::string* out) {
  ++counts->tests;
  out->append(OpenCase(plan, kReadableCase));
  if (!plan.error.empty()) {
    ++counts->errors;
    out->append("\n      <error" + Attribute("type", "unreadable") +
                Attribute("message", plan.error) + ">" + XmlText(plan.file + ": " + plan.error) +
                "</error>\n    ");
  }
  out->append("</testcase>\n");
}

void AppendSuite(const LintedPlan& plan, const std::function<bool(const Finding&)>& fails,
                 Counts* total, std::string* out) {
  Counts counts;
  std::string cases;
  AppendReadable(plan, &counts, &cases);
  for (const Case& place : CasesOf(plan)) AppendCase(plan, place, fails, &counts, &cases);
  out->append("  <testsuite" + Attribute("name", plan.file) + Attributes(counts) + ">\n");
  out->append(cases).append("  </testsuite>\n");
  total->tests += counts.tests;
  total->failures += counts.failures;
  total->errors += counts.errors;
}

}  // namespace

std::string LintJunit(std::span<const LintedPlan> plans,
                      const std::function<bool(const Finding&)>& fails) {
  Counts total;
  std::string suites;
  for (const LintedPlan& plan : plans) AppendSuite(plan, fails, &total, &suites);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + Attribute("name", kSuiteName) +
         Attributes(total) + ">\n" + suites + "</testsuites>\n";
}

}  // namespace fss
