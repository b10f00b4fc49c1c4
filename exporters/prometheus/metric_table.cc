#include "exporters/prometheus/metric_table.h"

#include <array>

#include "exporters/prometheus/generators.h"

namespace fss {
namespace {

using prometheus::MetricType;

// Never `job` or `instance`: Prometheus' own labels of the scrape have these names.
constexpr std::array<std::string_view, 1> kClusterLabels = {"cluster"};
constexpr std::array<std::string_view, 3> kJobLabels = {"cluster", "flink_job", "job_id"};
constexpr std::array<std::string_view, 6> kOperatorLabels = {"cluster",   "flink_job", "job_id",
                                                             "vertex_id", "operator",  "kind"};
constexpr std::array<std::string_view, 7> kEntryLabels = {
    "cluster", "flink_job", "job_id", "vertex_id", "operator", "kind", "state"};
constexpr std::array<std::string_view, 10> kFindingLabels = {
    "cluster", "flink_job", "job_id", "vertex_id", "operator",
    "state",   "plan",      "code",   "severity",  "acknowledged"};
constexpr std::array<std::string_view, 10> kJobInfoLabels = {
    "cluster",       "flink_job",          "job_id",      "state", "flink_version",
    "state_backend", "checkpoint_storage", "incremental", "plan",  "matched_by"};
// Of what the sidecar counts for each cluster, where it has several; else without "cluster".
constexpr std::array<std::string_view, 2> kCollectorLabels = {"cluster", "collector"};
constexpr std::array<std::string_view, 2> kOutcomeLabels = {"cluster", "outcome"};
constexpr std::array<std::string_view, 1> kPlanStateLabels = {"state"};
constexpr std::array<std::string_view, 1> kBuildLabels = {"version"};

constexpr std::array<MetricRow, 22> kTable = {{
    {"flink_state_up", "Whether the JobManager answered the last poll: 1 or 0.", MetricType::Gauge,
     "", kClusterLabels, generators::Up},
    {"flink_state_job_info",
     "A job of the cluster, running or ended, and what is known of it: always 1.",
     MetricType::Gauge, "", kJobInfoLabels, generators::JobInfo},
    {"flink_state_size_bytes",
     "Full size of a vertex' state in the latest completed checkpoint, on the operator of its "
     "chain that keeps keyed state.",
     MetricType::Gauge, "bytes", kOperatorLabels, generators::SizeBytes},
    {"flink_state_checkpointed_bytes",
     "What the latest completed checkpoint wrote for a vertex: the increment where checkpoints "
     "are incremental.",
     MetricType::Gauge, "bytes", kOperatorLabels, generators::CheckpointedBytes},
    {"flink_state_operator_size_bytes",
     "State of one operator alone, out of the checkpoint itself; where --checkpoint_root reaches "
     "it.",
     MetricType::Gauge, "bytes", kOperatorLabels, generators::OperatorSizeBytes},
    {"flink_state_entry_live_bytes",
     "Live bytes of a state entry, as RocksDB estimates them; where its metrics are on in Flink.",
     MetricType::Gauge, "bytes", kEntryLabels, generators::EntryLiveBytes},
    {"flink_state_entry_keys", "Keys of a state entry, as RocksDB estimates them.",
     MetricType::Gauge, "", kEntryLabels, generators::EntryKeys},
    {"flink_state_growth_bytes_per_second",
     "How fast an operator's state grows, or with the label state one of its entries, beyond what "
     "comes and goes; 0 is flat.",
     MetricType::Gauge, "bytes_per_second", kEntryLabels, generators::Growth},
    {"flink_state_seconds_until_full",
     "Time until heap, disk or the job's limit is full at the present growth.", MetricType::Gauge,
     "seconds", kEntryLabels, generators::SecondsUntilFull},
    {"flink_state_ttl_seconds",
     "How long a state entry is kept since its last update, from the compiled plan; +Inf is for "
     "ever.",
     MetricType::Gauge, "seconds", kEntryLabels, generators::TtlSeconds},
    {"flink_state_finding", "A finding that stands, with its code and severity: always 1.",
     MetricType::Gauge, "", kFindingLabels, generators::Findings},
    {"flink_state_checkpoint_age_seconds",
     "Age of the latest completed checkpoint on the JobManager's clock, as of the last poll that "
     "answered.",
     MetricType::Gauge, "seconds", kJobLabels, generators::CheckpointAge},
    {"flink_state_checkpoint_failures_total",
     "Failed checkpoints of a job, as its JobManager counts them.", MetricType::Counter, "",
     kJobLabels, generators::CheckpointFailures},
    {"flink_state_sidecar_poll_duration_seconds", "How long polls of the JobManager took.",
     MetricType::Histogram, "seconds", kClusterLabels, generators::PollDuration},
    {"flink_state_sidecar_collector_success", "Whether a collector's last run succeeded: 1 or 0.",
     MetricType::Gauge, "", kCollectorLabels, generators::CollectorSuccess},
    {"flink_state_sidecar_last_success_timestamp_seconds",
     "When the last poll that the JobManager answered was done, since 1970.", MetricType::Gauge,
     "seconds", kClusterLabels, generators::LastSuccess},
    {"flink_state_sidecar_rest_requests_total",
     "Requests to the JobManager's REST API, by outcome.", MetricType::Counter, "", kOutcomeLabels,
     generators::RestRequests},
    {"flink_state_sidecar_rest_response_bytes_total",
     "Bytes of REST answers received from the JobManager.", MetricType::Counter, "bytes",
     kClusterLabels, generators::RestResponseBytes},
    {"flink_state_sidecar_plans",
     "Compiled plans of the plan folder, by whether they could be read.", MetricType::Gauge, "",
     kPlanStateLabels, generators::Plans},
    {"flink_state_sidecar_clusters",
     "How many clusters this sidecar polls, where it looks for them itself.",
     MetricType::Gauge,
     "",
     {},
     generators::Clusters},
    {"flink_state_sidecar_leader",
     "Whether this replica is the one that polls, where replicas elect one: 1 or 0.",
     MetricType::Gauge,
     "",
     {},
     generators::Leader},
    {"flink_state_sidecar_build_info", "The version of the sidecar: always 1.", MetricType::Gauge,
     "", kBuildLabels, generators::BuildInfo},
}};

}  // namespace

std::span<const MetricRow> MetricTable() { return kTable; }

}  // namespace fss
