#include "sidecar/model/linted_plan.h"

namespace fss {

LintedOperators::LintedOperators(const LintedPlan& plan) {
  by_id_.reserve(plan.operators.size());
  for (const LintedOperator& op : plan.operators) {
    const auto [found, fresh] = by_id_.emplace(op.node_id, &op);
    if (!fresh) found->second = nullptr;
  }
}

const LintedOperator* LintedOperators::Of(const Finding& finding) const {
  const auto found = finding.node_id ? by_id_.find(*finding.node_id) : by_id_.end();
  return found == by_id_.end() ? nullptr : found->second;
}

}  // namespace fss
