#include "exporters/text/lab_text.h"

#include <algorithm>

#include "exporters/text/style.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// The longest of ours has 250; what is longer came from a file.
constexpr std::size_t kMaxReasonBytes = 1000;

}  // namespace

std::string LabGradeText(std::span<const LabStep> steps, const TextOptions& options) {
  const Style style(options.color);
  std::size_t widest = 0;
  for (const LabStep& step : steps) widest = std::max(widest, step.name.size());
  std::string out;
  for (const LabStep& step : steps) {
    out += step.passed ? "pass" : style.OfSeverity(Severity::kCritical, "fail");
    out.append("  ").append(std::to_string(step.number)).append("  ").append(step.name);
    out.append(widest - step.name.size() + 2, ' ');
    out.append(OneLine(step.reason, kMaxReasonBytes)).append("\n");
  }
  const auto passed = std::ranges::count_if(steps, &LabStep::passed);
  out.append("\n").append(std::to_string(passed)).append(" of ");
  out.append(std::to_string(steps.size())).append(" steps pass\n");
  return out;
}

}  // namespace fss
