#include "sidecar/analysis/lab/order_totals.h"

namespace fss {
namespace {

Status Add(const LabOrder& order, OrderTotal* total) {
  const Result<Decimal> sum = total->amount.Plus(order.amount);
  if (!sum.ok()) return sum.error();
  total->amount = *sum;
  ++total->orders;
  return OkStatus();
}

// Rounds down before 1970 too.
std::int64_t WindowStart(std::int64_t time_ms) {
  std::int64_t into = time_ms % kLabWindowMs;
  if (into < 0) into += kLabWindowMs;
  return time_ms - into;
}

}  // namespace

Result<std::map<std::int64_t, OrderTotal>> WindowTotals(std::span<const LabOrder> orders) {
  std::map<std::int64_t, OrderTotal> totals;
  for (const LabOrder& order : orders) {
    const Status added = Add(order, &totals[WindowStart(order.time_ms)]);
    if (!added.ok()) return added.error();
  }
  return totals;
}

Result<std::map<std::string, OrderTotal>> UserTotals(std::span<const LabOrder> orders) {
  std::map<std::string, OrderTotal> totals;
  for (const LabOrder& order : orders) {
    const Status added = Add(order, &totals[order.user]);
    if (!added.ok()) return added.error();
  }
  return totals;
}

}  // namespace fss
