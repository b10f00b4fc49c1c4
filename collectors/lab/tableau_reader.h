// Reads what Flink's SQL client prints of a streaming query in tableau mode.
#pragma once

#include <cstddef>
#include <string_view>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// The lab's largest has 28 KB and 360 rows.
inline constexpr std::size_t kMaxTableauBytes = 16U << 20U;
inline constexpr std::size_t kMaxTableauRows = 200'000;

// The one result that `text` holds among the client's messages, as Flink 1.20 to 2.3 print it.
// kMalformed, with the line where there is one: no result (with the client's [ERROR] where it
// printed one), several results, a result without `op` column (a batch run), a row that does not
// fit the columns, a result that does not end. kTooLarge above the limits. Never throws; uses
// memory in proportion to `text`. Safe from any thread.
Result<TableauResult> ReadTableau(std::string_view text);

}  // namespace fss
