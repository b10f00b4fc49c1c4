// The steps of the lab that are judged by what their queries printed, beside the same results
// computed from the orders. Each returns what was found (it passes), or an Error whose text is the
// reason why it fails. Pure; safe from any thread.
#pragma once

#include <span>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// Every row of window.out is +I and equals a window; every window is there once.
Result<std::string> CheckWindowRows(const LabFolder& folder, std::span<const LabOrder> orders);

// The job's name, its backend, and the last row of each user.
Result<std::string> CheckRocks(const LabFolder& folder, std::span<const LabOrder> orders);

}  // namespace fss
