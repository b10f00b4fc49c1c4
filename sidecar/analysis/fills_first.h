// The operator of a job that whoever is on call should look at first.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "sidecar/model/report.h"

namespace fss {

// The place of the operator whose place is full first; of equals (what is shared is full for all at
// once), and where no time is known, the one that grows fastest, growing before filling. Absent
// where none rises. Pure.
std::optional<std::size_t> FillsFirst(const std::vector<OperatorReport>& operators);

}  // namespace fss
