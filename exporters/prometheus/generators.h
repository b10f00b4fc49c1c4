// The generators of the metric table's rows: each adds the series of one metric. Pure; safe from
// any thread.
#pragma once

#include "exporters/prometheus/metric_table.h"

namespace fss::generators {

// Of jobs and their operators. A job in a terminal state has JobInfo alone.
void SizeBytes(const MetricInput& input, SeriesList* series);
void CheckpointedBytes(const MetricInput& input, SeriesList* series);
void OperatorSizeBytes(const MetricInput& input, SeriesList* series);
void EntryLiveBytes(const MetricInput& input, SeriesList* series);
void EntryKeys(const MetricInput& input, SeriesList* series);
void Growth(const MetricInput& input, SeriesList* series);
void SecondsUntilFull(const MetricInput& input, SeriesList* series);
void TtlSeconds(const MetricInput& input, SeriesList* series);
void Findings(const MetricInput& input, SeriesList* series);
void JobInfo(const MetricInput& input, SeriesList* series);
void CheckpointAge(const MetricInput& input, SeriesList* series);
void CheckpointFailures(const MetricInput& input, SeriesList* series);

// Of the sidecar itself.
void Up(const MetricInput& input, SeriesList* series);
void PollDuration(const MetricInput& input, SeriesList* series);
void CollectorSuccess(const MetricInput& input, SeriesList* series);
void LastSuccess(const MetricInput& input, SeriesList* series);
void RestRequests(const MetricInput& input, SeriesList* series);
void RestResponseBytes(const MetricInput& input, SeriesList* series);
void Plans(const MetricInput& input, SeriesList* series);
void Clusters(const MetricInput& input, SeriesList* series);
void Leader(const MetricInput& input, SeriesList* series);
void BuildInfo(const MetricInput& input, SeriesList* series);

}  // namespace fss::generators
