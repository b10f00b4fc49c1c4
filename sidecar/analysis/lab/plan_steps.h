// The steps of the lab that are judged by their plan alone. Each returns what was found (it
// passes), or an Error whose text is the reason why it fails. Pure; safe from any thread.
#pragma once

#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// A filter keeps no state.
Result<std::string> CheckFilter(const LabFolder& folder);
// GROUP BY without a TTL: 0 ms.
Result<std::string> CheckGroupBy(const LabFolder& folder);
// With the job-wide TTL: 30 min.
Result<std::string> CheckGroupByTtl(const LabFolder& folder);
// STATE_TTL on both sides of a join: 1 d, 2 h.
Result<std::string> CheckJoinHints(const LabFolder& folder);
// Two joins: 1 d, 2 h, then 30 min (no hint reaches it), 7 d.
Result<std::string> CheckCascade(const LabFolder& folder);
// A window aggregation, no state entry. (Its rows: result_steps.h.)
Result<std::string> CheckWindowPlan(const LabFolder& folder);

}  // namespace fss
