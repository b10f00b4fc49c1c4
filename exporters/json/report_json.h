// The JSON shapes of product.md. Stable: fields are added, never renamed; what is not known is
// left out. Pure; safe from any thread. Text is UTF-8 whatever came in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/report.h"

namespace fss {

std::string ScanJson(const Report& report);      // {"jobs":[JOB…],"findings":[FINDING…]}
std::string JobsJson(const Report& report);      // {"jobs":[JOB without operators…]}
std::string FindingsJson(const Report& report);  // {"findings":[FINDING…]}
// {"jobs":[JOB…]}; only those with this id when `job_id` is not empty.
std::string OperatorsJson(const Report& report, std::string_view job_id);

}  // namespace fss
