#include <limits>
#include <optional>
#include <string_view>
#include <unordered_set>

#include "exporters/prometheus/generators.h"

#include "sidecar/base/millis.h"

namespace fss::generators {
namespace {

double Seconds(std::int64_t millis) { return static_cast<double>(millis) / kMillisPerSecond; }

// Calls `visit(job)` for every job that has not ended.
template <typename Visit>
void ForEachLiveJob(const Report& report, const Visit& visit) {
  for (const JobReport& job : report.jobs) {
    if (!job.terminal) {
      visit(job);
    }
  }
}

// Calls `visit(job, operator)` for every operator of every job that has not ended.
template <typename Visit>
void ForEachLiveOperator(const Report& report, const Visit& visit) {
  ForEachLiveJob(report, [&visit](const JobReport& job) {
    for (const OperatorReport& op : job.operators) {
      visit(job, op);
    }
  });
}

void AddOperatorBytes(const JobReport& job, const OperatorReport& op,
                      const std::optional<std::int64_t>& bytes, SeriesList* series) {
  if (bytes) {
    series->Add({job.cluster, job.name, job.id, op.vertex_id, op.label, op.kind},
                static_cast<double>(*bytes));
  }
}

// The operator's own value has no label `state`, those of its entries have it.
void AddOfOperatorAndEntries(const Report& report, SeriesList* series,
                             std::optional<double> (*of_operator)(const OperatorReport&),
                             std::optional<double> (*of_entry)(const EntryReport&)) {
  ForEachLiveOperator(report, [&](const JobReport& job, const OperatorReport& op) {
    const auto add = [&](std::string_view state, const std::optional<double>& value) {
      if (value) {
        series->Add({job.cluster, job.name, job.id, op.vertex_id, op.label, op.kind, state},
                    *value);
      }
    };
    if (of_operator != nullptr) {
      add("", of_operator(op));
    }
    for (const EntryReport& entry : op.state) {
      add(entry.name, of_entry(entry));
    }
  });
}

std::optional<double> Number(const std::optional<std::int64_t>& whole) {
  if (!whole) {
    return std::nullopt;
  }
  return static_cast<double>(*whole);
}

std::optional<double> RateOf(const Trend& trend) {
  return trend.verdict == Verdict::kUnknown ? std::nullopt : trend.bytes_per_second;
}

double TtlSecondsOf(std::int64_t ttl_ms) {
  return ttl_ms == 0 ? std::numeric_limits<double>::infinity() : Seconds(ttl_ms);
}

}  // namespace

void SizeBytes(const MetricInput& input, SeriesList* series) {
  ForEachLiveOperator(input.report, [series](const JobReport& job, const OperatorReport& op) {
    AddOperatorBytes(job, op, op.size_bytes, series);
  });
}

void CheckpointedBytes(const MetricInput& input, SeriesList* series) {
  ForEachLiveOperator(input.report, [series](const JobReport& job, const OperatorReport& op) {
    AddOperatorBytes(job, op, op.checkpointed_bytes, series);
  });
}

void OperatorSizeBytes(const MetricInput& input, SeriesList* series) {
  ForEachLiveOperator(input.report, [series](const JobReport& job, const OperatorReport& op) {
    AddOperatorBytes(job, op, op.operator_bytes, series);
  });
}

void EntryLiveBytes(const MetricInput& input, SeriesList* series) {
  AddOfOperatorAndEntries(input.report, series, nullptr,
                          [](const EntryReport& entry) { return Number(entry.live_bytes); });
}

void EntryKeys(const MetricInput& input, SeriesList* series) {
  AddOfOperatorAndEntries(input.report, series, nullptr,
                          [](const EntryReport& entry) { return Number(entry.keys); });
}

void Growth(const MetricInput& input, SeriesList* series) {
  AddOfOperatorAndEntries(
      input.report, series, [](const OperatorReport& op) { return RateOf(op.trend); },
      [](const EntryReport& entry) { return RateOf(entry.trend); });
}

void SecondsUntilFull(const MetricInput& input, SeriesList* series) {
  AddOfOperatorAndEntries(
      input.report, series, [](const OperatorReport& op) { return Number(op.seconds_until_full); },
      [](const EntryReport& entry) { return Number(entry.seconds_until_full); });
}

void TtlSeconds(const MetricInput& input, SeriesList* series) {
  ForEachLiveOperator(input.report, [series](const JobReport& job, const OperatorReport& op) {
    for (const EntryReport& entry : op.state) {
      if (entry.ttl_ms) {
        series->Add({job.cluster, job.name, job.id, op.vertex_id, op.label, op.kind, entry.name},
                    TtlSecondsOf(*entry.ttl_ms));
      }
    }
  });
}

void Findings(const MetricInput& input, SeriesList* series) {
  std::unordered_set<std::string_view> live;
  ForEachLiveJob(input.report, [&live](const JobReport& job) { live.insert(job.id); });
  for (const Finding& finding : input.report.findings) {
    // Not of an ended job, which has job_info alone; a finding about a plan has no job.
    if (finding.job_id.empty() || live.contains(finding.job_id)) {
      series->Add({input.report.cluster, finding.job, finding.job_id, finding.vertex_id,
                   finding.operator_label, finding.state, finding.plan, finding.code,
                   SeverityName(finding.severity), finding.acknowledged ? "true" : ""},
                  1);
    }
  }
}

void JobInfo(const MetricInput& input, SeriesList* series) {
  static const CheckpointConfig kNothingKnown;
  for (const JobReport& job : input.report.jobs) {
    const CheckpointConfig& config = job.config ? *job.config : kNothingKnown;
    std::string_view incremental;
    if (job.incremental) {
      incremental = *job.incremental ? "true" : "false";
    }
    series->Add({job.cluster, job.name, job.id, job.state, job.flink_version, config.state_backend,
                 config.checkpoint_storage, incremental, job.plan,
                 job.plan.empty() ? "" : MatchedByName(job.plan_matched_by)},
                1);
  }
}

void CheckpointAge(const MetricInput& input, SeriesList* series) {
  ForEachLiveJob(input.report, [series](const JobReport& job) {
    if (job.checkpoint_age_ms) {
      series->Add({job.cluster, job.name, job.id}, Seconds(*job.checkpoint_age_ms));
    }
  });
}

void CheckpointFailures(const MetricInput& input, SeriesList* series) {
  ForEachLiveJob(input.report, [series](const JobReport& job) {
    if (job.counts) {
      series->Add({job.cluster, job.name, job.id}, static_cast<double>(job.counts->failed));
    }
  });
}

}  // namespace fss::generators
