// How to bound a state entry: the advice that several detectors give.
//
// Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sidecar/analysis/plan_graph.h"

namespace fss {

// In the order of product.md: bound it in time, then a hint per input with the query that measures
// which TTL the data needs, then the job-wide TTL, the plan's file, what expiry does to this
// operator's result, what a restore makes of the switch, and last another backend. Lines; the last
// without a line break.
std::string BoundAdvice(const PlanGraph& graph, std::size_t node, const std::string& entry,
                        std::string_view flink_version, std::string_view state_backend);

// What a state that grows at this rate would settle at under a TTL of an hour, a day, a week.
std::string SettleSentence(double bytes_per_second);

// "2.1 KiB/s": never "0 B/s" for what is more than nothing.
std::string FormatRate(double bytes_per_second);

}  // namespace fss
