#include <limits>

#include "exporters/prometheus/generators.h"

#include "sidecar/base/millis.h"

namespace fss::generators {
namespace {

// Before the first poll neither the JobManager nor the plans are known: nothing is said of them.
bool Polled(const Report& report) { return report.health.polls > 0 || report.health.up; }

// Whether the numbers are those of a cluster, not of the sidecar beside its clusters.
bool OfCluster(const MetricInput& input) { return !input.named || !input.report.cluster.empty(); }

}  // namespace

void Up(const MetricInput& input, SeriesList* series) {
  if (Polled(input.report) && OfCluster(input)) {
    series->Add({input.report.cluster}, input.report.health.up ? 1 : 0);
  }
}

void PollDuration(const MetricInput& input, SeriesList* series) {
  if (!OfCluster(input)) {
    return;
  }
  prometheus::ClientMetric::Histogram histogram;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < input.stats.poll_durations.size(); ++i) {
    count += input.stats.poll_durations[i];
    const double bound = i < kPollDurationBounds.size() ? kPollDurationBounds[i]
                                                        : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({count, bound});
  }
  histogram.sample_count = count;
  histogram.sample_sum = input.stats.poll_duration_sum_seconds;
  series->Add({input.own_cluster()}, std::move(histogram));
}

void CollectorSuccess(const MetricInput& input, SeriesList* series) {
  for (const auto& [collector, success] : input.stats.collector_success) {
    series->Add({input.own_cluster(), collector}, success ? 1 : 0);
  }
}

void LastSuccess(const MetricInput& input, SeriesList* series) {
  if (const auto& millis = input.report.health.last_success_ms) {
    series->Add({input.own_cluster()}, static_cast<double>(*millis) / kMillisPerSecond);
  }
}

void RestRequests(const MetricInput& input, SeriesList* series) {
  for (const auto& [outcome, count] : input.stats.rest_requests) {
    series->Add({input.own_cluster(), outcome}, static_cast<double>(count));
  }
}

void RestResponseBytes(const MetricInput& input, SeriesList* series) {
  if (OfCluster(input)) {
    series->Add({input.own_cluster()}, static_cast<double>(input.stats.rest_response_bytes));
  }
}

void Plans(const MetricInput& input, SeriesList* series) {
  if (Polled(input.report)) {
    series->Add({"loaded"}, static_cast<double>(input.report.plans_loaded));
    series->Add({"unreadable"}, static_cast<double>(input.report.plans_unreadable));
  }
}

void Clusters(const MetricInput& input, SeriesList* series) {
  if (input.stats.clusters) {
    series->Add({}, static_cast<double>(*input.stats.clusters));
  }
}

void Leader(const MetricInput& input, SeriesList* series) {
  if (input.stats.leader) {
    series->Add({}, *input.stats.leader ? 1 : 0);
  }
}

void BuildInfo(const MetricInput& /*input*/, SeriesList* series) { series->Add({FSS_VERSION}, 1); }

}  // namespace fss::generators
