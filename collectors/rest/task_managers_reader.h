// /taskmanagers: who is there.
#pragma once

#include <string>
#include <vector>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"

namespace fss {

// The ids of the registered TaskManagers ("127.0.0.1:43447-231f56", a pod's or container's name),
// sorted, each once, at most 5,000. Errors as JsonAnswer::Parse.
Result<std::vector<std::string>> ReadTaskManagerIds(RestAnswer answer);

}  // namespace fss
