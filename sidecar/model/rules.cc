#include "sidecar/model/rules.h"

#include <algorithm>
#include <cstddef>

#include "sidecar/base/unicode.h"

namespace fss {
namespace {

template <typename T>
void Override(const std::optional<T>& rule, T* value) {
  if (rule.has_value()) *value = *rule;
}

bool Fits(const Acknowledgement& rule, const Finding& finding) {
  return GlobFits(rule.code, finding.code) && GlobFits(rule.job, finding.job) &&
         GlobFits(rule.operator_label, finding.operator_label) &&
         GlobFits(rule.state, finding.state);
}

std::size_t CharacterBytes(std::string_view text, std::size_t at) {
  return DecodeUtf8(text.substr(at)).length;
}

}  // namespace

JobRules Rules::For(std::string_view job_name) const {
  JobRules all;
  for (const JobRule& rule : jobs) {
    if (!GlobFits(rule.job, job_name)) continue;
    Thresholds& thresholds = all.thresholds;
    Override(rule.capacity_warning_ms, &thresholds.capacity_warning_ms);
    Override(rule.capacity_critical_ms, &thresholds.capacity_critical_ms);
    Override(rule.heap_warning, &thresholds.heap_warning);
    Override(rule.heap_critical, &thresholds.heap_critical);
    Override(rule.skew_bytes, &thresholds.skew_bytes);
    Override(rule.skew_ratio, &thresholds.skew_ratio);
    Override(rule.large_bytes, &thresholds.large_bytes);
    if (rule.state_limit_bytes.has_value()) all.state_limit_bytes = rule.state_limit_bytes;
  }
  return all;
}

const Acknowledgement* Rules::AcknowledgementOf(const Finding& finding, std::int64_t now_ms) const {
  const auto found = std::find_if(
      acknowledgements.begin(), acknowledgements.end(),
      [&](const Acknowledgement& rule) { return now_ms < rule.until_ms && Fits(rule, finding); });
  return found == acknowledgements.end() ? nullptr : &*found;
}

// Only the last "*" is ever tried again: what an earlier one could still take, the later one can
// take as well. That is what bounds the steps.
bool GlobFits(std::string_view glob, std::string_view text) {
  if (glob.empty()) return true;
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t after_star = kNone;  // in the glob
  std::size_t star_end = 0;        // in the text: the end of what that star has taken
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      after_star = ++g;
      star_end = t;
    } else if (g < glob.size() && glob[g] == '?') {
      ++g;
      t += CharacterBytes(text, t);
    } else if (g < glob.size() && glob[g] == text[t]) {
      ++g;
      ++t;
    } else if (after_star != kNone) {
      star_end += CharacterBytes(text, star_end);
      g = after_star;
      t = star_end;
    } else {
      return false;
    }
  }
  return glob.find_first_not_of('*', g) == kNone;
}

}  // namespace fss
