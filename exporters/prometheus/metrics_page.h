// The body of /metrics, rendered once per report: a scrape only sends bytes.
#pragma once

#include <string>

#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// Prometheus text format 0.0.4. No two series are equal; a hostile name cannot break a line; a
// stale report's jobs keep their numbers while `up` is 0. Pure; safe from any thread.
std::string MetricsPage(const Report& report, const SidecarStats& stats);

}  // namespace fss
