// The metric table: one row for each metric of /metrics. docs/metrics.md has the same rows; a test
// compares the two both ways.
#pragma once

#include <prometheus/metric_type.h>

#include <span>
#include <string_view>

#include "exporters/prometheus/series_list.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// What the generators read: of one cluster, or of the sidecar itself (a report without a name).
struct MetricInput {
  const Report& report;
  const SidecarStats& stats;
  // Whether the sidecar's own series of this cluster carry its name: where there may be several.
  bool named = false;

  std::string_view own_cluster() const { return named ? report.cluster : std::string_view(); }
};

struct MetricRow {
  std::string_view name;
  std::string_view help;  // one line, without backslashes: the serializer does not escape it
  prometheus::MetricType type = prometheus::MetricType::Gauge;
  std::string_view unit;  // "bytes", "seconds"; empty: a count, or 1
  std::span<const std::string_view> labels;
  // Adds the series of this metric, none for what is not known. Called for each cluster in turn.
  void (*generate)(const MetricInput& input, SeriesList* series) = nullptr;
};

// All rows, in the order of the page. Immutable; safe from any thread.
std::span<const MetricRow> MetricTable();

}  // namespace fss
