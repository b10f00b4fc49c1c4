#include "exporters/text/findings_text.h"

#include <algorithm>
#include <string_view>

#include "exporters/text/layout.h"
#include "exporters/text/style.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// "critical" and two blanks; all that follows the first line stands below the code.
constexpr std::size_t kSeverityColumns = 10;
// Lines of an advice that begin so are SQL or configuration.
constexpr std::string_view kCodeIndent = "    ";
// A line of SQL is shown whole up to here; a hostile one is cut.
constexpr std::size_t kMaxCodeLineBytes = 4096;

// "Join[24] leftState", when the sentence does not name the operator itself.
std::string MissingPlace(const Finding& finding) {
  if (finding.operator_label.empty() ||
      finding.message.find(finding.operator_label) != std::string::npos) {
    return {};
  }
  std::string place = finding.operator_label;
  if (!finding.state.empty()) {
    place.append(" ").append(finding.state);
  }
  return place + ": ";
}

// "(acknowledged: 2,000 users, bounded) ".
std::string Acknowledged(const Finding& finding) {
  if (!finding.acknowledged) {
    return {};
  }
  const std::string& reason = finding.acknowledged_reason;
  return "(acknowledged" + (reason.empty() ? "" : ": " + reason) + ") ";
}

void AppendAdvice(std::string_view advice, std::size_t width, std::string* out) {
  bool first = true;
  while (!advice.empty()) {
    const std::size_t end = std::min(advice.find('\n'), advice.size());
    const std::string_view line = advice.substr(0, end);
    advice.remove_prefix(std::min(end + 1, advice.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
      continue;
    }
    out->append(kSeverityColumns, ' ');
    if (line.starts_with(kCodeIndent)) {
      out->append(OneLine(line, kMaxCodeLineBytes));
    } else {
      const std::string text = std::string(first ? "Fix: " : "").append(line);
      AppendWrapped(text, kSeverityColumns, kSeverityColumns, width, out);
    }
    out->push_back('\n');
    first = false;
  }
}

void AppendCount(std::size_t count, std::string_view singular, std::string_view plural,
                 std::string* out) {
  if (count > 0) {
    out->append(out->empty() ? "" : ", ").append(std::to_string(count)).append(" ");
    out->append(count == 1 ? singular : plural);
  }
}

}  // namespace

void AppendFinding(const Finding& finding, const TextOptions& options, std::string* out) {
  const Style style(options.color);
  const std::string_view severity = SeverityName(finding.severity);
  const std::string code = OneLine(finding.code, kMaxCodeLineBytes);
  out->append(style.OfSeverity(finding.severity, severity));
  out->append(kSeverityColumns - severity.size(), ' ');
  out->append(style.Bold(code)).append("  ");
  const std::size_t column = kSeverityColumns + DisplayWidth(code) + 2;
  std::string sentence = Acknowledged(finding);
  sentence.append(MissingPlace(finding)).append(finding.message);
  AppendWrapped(sentence, column, kSeverityColumns, options.width, out);
  out->push_back('\n');
  AppendAdvice(finding.advice.Text(), options.width, out);
}

void FindingCounts::Add(const Finding& finding) {
  if (finding.acknowledged) {
    ++acknowledged_;
    return;
  }
  switch (finding.severity) {
    case Severity::kCritical:
      ++critical_;
      return;
    case Severity::kWarning:
      ++warning_;
      return;
    case Severity::kInfo:
      ++info_;
      return;
  }
}

std::string FindingCounts::ToString() const {
  const std::size_t total = critical_ + warning_ + info_ + acknowledged_;
  if (total == 0) {
    return {};
  }
  std::string parts;
  AppendCount(critical_, "critical", "critical", &parts);
  AppendCount(warning_, "warning", "warnings", &parts);
  AppendCount(info_, "info", "info", &parts);
  AppendCount(acknowledged_, "acknowledged", "acknowledged", &parts);
  return std::to_string(total) + (total == 1 ? " finding: " : " findings: ") + parts;
}

}  // namespace fss
