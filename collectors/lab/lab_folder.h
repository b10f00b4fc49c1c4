// The files of a lab folder, each read with a limit on its size.
#pragma once

#include <string>
#include <vector>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// Regular files alone: nothing is waited for. Each file is a value or an Error of its own, with its
// path as context. Safe from any thread.
LabFolder ReadLabFolder(const std::string& folder);

// state_orders.csv of `folder`; an error's context is the path.
Result<std::vector<LabOrder>> ReadLabOrders(const std::string& folder);

}  // namespace fss
