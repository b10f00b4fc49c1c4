// The JOB of product.md's JSON shapes.
#pragma once

#include "exporters/json/json_writer.h"
#include "sidecar/model/report.h"

namespace fss {

enum class JobDetail { kAlone, kWithOperators };

// One job as an object.
void WriteJob(const JobReport& job, JobDetail detail, JsonWriter* writer);

}  // namespace fss
