// Feeds bytes to the readers of the rules file and of the policy file: whatever they are, they
// return, and what they call rules can be asked.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "collectors/policy_reader.h"
#include "collectors/rules_reader.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckRules(const fss::Rules& rules, std::string_view text) {
  fss::Finding finding;
  finding.code = "forever-state";
  finding.job = text.substr(0, std::min<std::size_t>(text.size(), 100));
  finding.operator_label = "Join[19]";
  finding.state = "leftState";
  for (const fss::Acknowledgement& rule : rules.acknowledgements) {
    Require(!rule.reason.empty());
    Require(rule.until_ms > 0);
    Require(!(rule.code.empty() && rule.job.empty() && rule.operator_label.empty() &&
              rule.state.empty()));
    const fss::Acknowledgement* holds = rules.AcknowledgementOf(finding, rule.until_ms - 1);
    Require(holds == nullptr || holds->until_ms >= rule.until_ms || holds <= &rule);
  }
  for (const fss::JobRule& rule : rules.jobs) {
    Require(!rule.job.empty());
    Require(rule.state_limit_bytes.value_or(1) > 0);
    Require(rule.capacity_warning_ms.value_or(1) > 0 && rule.capacity_critical_ms.value_or(1) > 0);
    Require(rule.skew_bytes.value_or(0) >= 0 && rule.large_bytes.value_or(0) >= 0);
    Require(std::isfinite(rule.skew_ratio.value_or(2)) && rule.skew_ratio.value_or(2) > 1);
    Require(rule.heap_warning.value_or(1) > 0 && rule.heap_warning.value_or(1) <= 1);
  }
  (void)rules.For(finding.job);
}

void CheckPolicy(const fss::Policy& policy) {
  for (const fss::LongestTtl& rule : policy.longest) Require(rule.ttl_ms > 0);
  for (const fss::AllowedForever& rule : policy.forever) {
    Require(!rule.reason.empty() && !(rule.kind.empty() && rule.table.empty()));
  }
  for (const fss::RequiredHint& rule : policy.hints) Require(rule.ttl_ms.value_or(1) > 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view yaml(reinterpret_cast<const char*>(data), size);
  const fss::Result<fss::Rules> rules = fss::ReadRules(yaml, "fuzz");
  if (rules.ok()) {
    CheckRules(*rules, yaml);
  } else {
    Require(!rules.error().message.empty());
    Require(rules.error().ToString().find('\n') == std::string::npos);
  }
  const fss::Result<fss::Policy> policy = fss::ReadPolicy(yaml, "fuzz");
  if (policy.ok()) CheckPolicy(*policy);
  return 0;
}
