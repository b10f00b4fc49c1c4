// The body of /metrics, rendered once per report: a scrape only sends bytes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sidecar/model/fleet.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// All clusters of a fleet on one page, each metric's series together. Prometheus text format 0.0.4.
// No two series are equal; a hostile name cannot break a line; a stale report's jobs keep their
// numbers while `up` is 0. Pure; safe from any thread.
std::string MetricsPage(const Report& report, const SidecarStats& stats);

std::string MetricsPage(const Fleet& fleet);

// The same page in pieces, for who need not hold it as a whole.
void WriteMetricsPage(const Fleet& fleet, const std::function<void(std::string_view piece)>& sink);

}  // namespace fss
