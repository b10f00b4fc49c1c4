// /config: what the JobManager says about itself.
#pragma once

#include <string>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"

namespace fss {

// The Flink version, "2.3.0"; empty where the JobManager does not know it (a build of one's own).
// Errors as JsonAnswer::Parse.
Result<std::string> ReadFlinkVersion(RestAnswer answer);

}  // namespace fss
