// The JSON shapes of product.md. Stable: fields are added, never renamed; what is not known is
// left out. Pure; safe from any thread. Text is UTF-8 whatever came in.
//
// Every document also tells whether its numbers are of now: "up" (the JobManager answered the last
// poll), "stale" (they are of an earlier poll), "taken_ms", "poll_interval_ms", and "error" when
// not up. An unreachable cluster is thus never taken for one without jobs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "exporters/json/json_writer.h"
#include "sidecar/model/fleet.h"
#include "sidecar/model/report.h"

namespace fss {

// Of several clusters the documents hold the jobs and findings of all, findings with their cluster.
// Then "up" says that all answered, "stale" that one is of an earlier poll, "taken_ms" is the
// oldest and "error" the first of them; which one it is, is told by {"clusters":[…]}.

// Which part of a fleet is asked for; empty: all.
struct JsonFilter {
  std::string_view cluster;
  std::string_view job_id;
  std::size_t limit = static_cast<std::size_t>(-1);  // of findings, the gravest first
};

// Each sends its document in pieces, so that the answer for a thousand jobs needs no memory.
// {"jobs":[JOB without operators, with "finding_counts"…]}
void WriteJobsJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink);
// {"findings":[FINDING…],"total"}: "total" is how many there are without the limit.
void WriteFindingsJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink);
// {"jobs":[JOB…]}
void WriteOperatorsJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink);
// {"clusters":[{"cluster","up","stale","taken_ms"?,"poll_interval_ms"?,"error"?,"flink_version"?,
// "jobs","findings"}…]}
void WriteClustersJson(const Fleet& fleet, const JsonFilter& filter, JsonSink sink);

// The same as one text.
std::string ScanJson(const Report& report);  // {"jobs":[JOB…],"findings":[FINDING…]}
std::string JobsJson(const Report& report);
std::string FindingsJson(const Report& report);
std::string OperatorsJson(const Report& report, std::string_view job_id);

}  // namespace fss
