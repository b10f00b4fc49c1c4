#include "sidecar/analysis/plan_findings.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>

namespace fss {
namespace {

// Texts about a plan name its operators: "Join[36]". People look for the running job's own numbers
// ("Join[52]") where those differ. "node 36 of the plan file" stays.
std::string WithRunningIds(const std::string& text,
                           const std::unordered_map<std::int64_t, std::int64_t>& running_id) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '[') continue;
    std::int64_t id = 0;
    const char* begin = text.data() + i + 1;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), id);
    if (error != std::errc() || end == text.data() + text.size() || *end != ']') continue;
    const auto found = running_id.find(id);
    if (found == running_id.end()) continue;
    out += std::to_string(found->second);
    i += static_cast<std::size_t>(end - begin);
  }
  return out;
}

}  // namespace

void PlanFindings::Begin(const PlanLibrary& library, const std::string& flink_version) {
  // Where nobody counts generations, nothing can be kept.
  const bool same = library.generation != 0 && library.generation == generation_ &&
                    flink_version == flink_version_;
  if (!same) kept_.clear();
  generation_ = library.generation;
  flink_version_ = flink_version;
}

void PlanFindings::End() {
  const bool dropped = std::erase_if(kept_, [](const auto& kept) { return !kept.second.used; }) > 0;
  if (dropped) lines_.Trim();
  for (auto& [key, kept] : kept_) kept.used = false;
}

const std::vector<PlanFindings::FoundBy>& PlanFindings::Of(
    const CompiledPlan& plan, const std::string& state_backend,
    const std::unordered_map<std::int64_t, std::int64_t>& running_id) {
  Ids ids(running_id.begin(), running_id.end());
  std::ranges::sort(ids);
  const auto [at, added] = kept_.try_emplace(std::tuple(plan.file, state_backend, std::move(ids)));
  Kept& kept = at->second;
  kept.used = true;
  if (!added) return kept.findings;
  const PlanContext context{plan, flink_version_.empty() ? plan.flink_version : flink_version_,
                            state_backend, true};
  for (const auto& detector : detectors_) {
    std::vector<Finding> findings;
    detector->Inspect(context, &findings);
    for (Finding& finding : findings) {
      if (!running_id.empty()) {
        finding.message = WithRunningIds(finding.message, running_id);
        finding.advice = WithRunningIds(finding.advice.Text(), running_id);
      }
      finding.message.shrink_to_fit();  // it was put together piece by piece, and stays for long
      finding.advice.ShareLines(&lines_);
      kept.findings.push_back({detector.get(), std::move(finding)});
    }
  }
  kept.findings.shrink_to_fit();
  return kept.findings;
}

}  // namespace fss
