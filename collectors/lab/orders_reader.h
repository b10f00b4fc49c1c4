// Reads the lab's state_orders.csv: order_id, user_id, amount, ts; no header.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// 400,000 orders; the lab's has 200.
inline constexpr std::size_t kMaxOrdersBytes = 16U << 20U;

// As Flink's csv format would give them to BIGINT, a numeric type and TIMESTAMP(3). kMalformed,
// with the line, for a row that it would refuse, and for a file without rows; kTooLarge above the
// limit. Never throws; uses memory in proportion to `text`. Safe from any thread.
Result<std::vector<LabOrder>> ReadOrders(std::string_view text);

}  // namespace fss
