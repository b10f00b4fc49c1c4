// The JSON shapes of product.md. Stable: fields are added, never renamed; what is not known is
// left out. Pure; safe from any thread. Text is UTF-8 whatever came in.
//
// Every document also tells whether its numbers are of now: "up" (the JobManager answered the last
// poll), "stale" (they are of an earlier poll), "taken_ms", and "error" when not up. An
// unreachable cluster is thus never taken for one without jobs.
#pragma once

#include <string>
#include <string_view>

#include "exporters/json/json_writer.h"
#include "sidecar/model/report.h"

namespace fss {

// Each sends its document in pieces, so that the answer for a thousand jobs needs no memory.
void WriteJobsJson(const Report& report, JsonSink sink);      // {"jobs":[JOB without operators…]}
void WriteFindingsJson(const Report& report, JsonSink sink);  // {"findings":[FINDING…]}
// {"jobs":[JOB…]}; only those with this id when `job_id` is not empty.
void WriteOperatorsJson(const Report& report, std::string_view job_id, JsonSink sink);

// The same as one text.
std::string ScanJson(const Report& report);  // {"jobs":[JOB…],"findings":[FINDING…]}
std::string JobsJson(const Report& report);
std::string FindingsJson(const Report& report);
std::string OperatorsJson(const Report& report, std::string_view job_id);

}  // namespace fss
