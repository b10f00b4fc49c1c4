// What the lab's queries must give, computed from its orders. Exact; pure; safe from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

struct OrderTotal {
  std::int64_t orders = 0;  // COUNT(*)
  Decimal amount;           // SUM(amount)

  bool operator==(const OrderTotal&) const = default;
};

// The lab's TUMBLE window.
inline constexpr std::int64_t kLabWindowMs = 10LL * 60 * 1000;

// By start of the window, milliseconds since 1970. Windows begin at multiples of their size since
// 1970, an order on the border belongs to the later one. Every window that holds an order is there,
// the last one too: at the end of a file Flink's watermark closes it. None is late: ts ascends in
// the lab's file. kTooLarge where a sum does not fit.
Result<std::map<std::int64_t, OrderTotal>> WindowTotals(std::span<const LabOrder> orders);

// By user.
Result<std::map<std::string, OrderTotal>> UserTotals(std::span<const LabOrder> orders);

}  // namespace fss
