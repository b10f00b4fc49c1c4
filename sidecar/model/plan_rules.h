// The findings that a plan alone shows, as rules that a CI system explains to people.
#pragma once

#include <span>
#include <string_view>

#include "sidecar/model/finding.h"

namespace fss {

// Plain text throughout, no markup. docs/findings.md has a section for each; a test compares the
// two both ways.
struct PlanRule {
  std::string_view code;                // "forever-state": also the section's heading
  Severity usual = Severity::kWarning;  // at plan time
  std::string_view title;               // a few words
  std::string_view meaning;             // sentences: what is found, and why it matters
  std::string_view remedy;              // sentences: what to do, in the order of product.md
};

// All rules, in the order of docs/findings.md. Immutable; safe from any thread.
std::span<const PlanRule> AllPlanRules();

}  // namespace fss
