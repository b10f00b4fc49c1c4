#include "sidecar/app/flags.h"

#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "sidecar/analysis/restore_advice.h"
#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

DEFINE_string(jobmanager_url, "http://localhost:8081",
              "URL of the JobManager's REST API; a base path is allowed. Several, separated by "
              "commas, are standbys of one cluster.");
DEFINE_string(plan_dir, "",
              "Folder with the compiled plans of the jobs (COMPILE PLAN), *.json, re-read when it "
              "changes.");
DEFINE_string(poll_interval, "15s", "How often the JobManager is asked.");
DEFINE_string(request_timeout, "5s", "The longest wait for one REST answer.");
DEFINE_string(cluster, "default", "Name of the cluster: the label on every metric.");
DEFINE_string(ca_file, "", "PEM file with the certificate authorities to trust for https.");
DEFINE_bool(tls_skip_verify, false, "Do not check the JobManager's certificate.");
DEFINE_string(uid_format, "",
              "The cluster's table.exec.uid.format, where it is not Flink's default.");
DEFINE_string(
    rules_file, "",
    "YAML file with acknowledged findings, and with thresholds and limits per job; re-read "
    "when it changes.");
DEFINE_string(policy, "",
              "YAML file with what a team allows: the longest TTL, what may be kept for ever, "
              "required hints.");
DEFINE_string(history_file, "",
              "SQLite file that keeps the sizes over restarts; made when it is not there.");
DEFINE_string(history_retention, "30d", "How long the history keeps what is no longer seen.");
DEFINE_int64(history_max_bytes, 268435456, "The most bytes that the history file may take.");
DEFINE_int64(disk_limit_bytes, 0,
             "Bytes of disk that all RocksDB and ForSt state of the cluster may take; 0: no limit "
             "is known.");
DEFINE_string(state_disk_path, "",
              "A folder on the disk that RocksDB and ForSt state fills: its free space counts.");
DEFINE_string(record_dir, "",
              "Folder to record jobs into, for bug reports: per job a folder that replay reads; "
              "made when it is not there.");
DEFINE_string(
    checkpoint_root, "",
    "Where checkpoints may be read, comma-separated: a folder or s3://bucket/prefix whose "
    "addresses are those that Flink uses, or PREFIX=PLACE where Flink's addresses begin "
    "with PREFIX. Nothing else is ever opened.");
DEFINE_string(s3_endpoint, "",
              "URL of the S3-compatible store of --checkpoint_root; else AWS_ENDPOINT_URL_S3, else "
              "AWS.");
DEFINE_string(s3_region, "", "Region of the buckets; else AWS_REGION, else us-east-1.");
DEFINE_string(s3_addressing, "auto",
              "How a bucket is named to the store: path, virtual (in the host name), or auto: "
              "virtual at AWS, path elsewhere.");
DEFINE_bool(anonymize, false,
            "Replace names of jobs, tables, columns and functions, literals and addresses in what "
            "--record_dir writes.");
DEFINE_string(listen, "0.0.0.0:9249", "Address of /metrics and the API; port 0 picks one.");
DEFINE_string(alertmanager_url, "",
              "Base URL of an Alertmanager to post alerts to, for places without Prometheus' "
              "rules. Several, separated by commas: all of them get all alerts.");
DEFINE_string(runbook_base_url, "",
              "URL of the folder with the runbooks: alerts link to URL/<alert>.md.");
DEFINE_bool(kubernetes, false,
            "Find the Flink clusters in Kubernetes, and their plans in ConfigMaps, with the pod's "
            "service account; instead of --jobmanager_url and --cluster.");
DEFINE_string(
    kubernetes_namespaces, "",
    "Namespaces to look in, comma-separated; none: all, for which a ClusterRole is needed.");
DEFINE_string(kubernetes_service_selector,
              "component=jobmanager;type in (flink-native-kubernetes,flink-standalone-kubernetes)",
              "Label selectors of the JobManagers' Services, separated by semicolons: what one of "
              "them chooses is looked at.");
DEFINE_string(kubernetes_api_server, "", "URL of the API server; else as in a pod.");
DEFINE_string(kubernetes_token_file, "",
              "File with the token for the API server, read again for every request; else the "
              "service account's.");
DEFINE_string(kubernetes_ca_file, "",
              "PEM file with the API server's certificate authority; else the service account's.");
DEFINE_bool(
    kubernetes_events, false,
    "Write an Event about the FlinkDeployment or Service when a finding of severity warning "
    "or above appears or ends.");
DEFINE_bool(leader_election, false,
            "Of several replicas one polls, the others are ready to: agreed on by a Lease.");
DEFINE_string(lease_name, "flink-state-sidecar",
              "Name of that Lease; with --shard the shard's number is added to it.");
DEFINE_string(lease_namespace, "", "Its namespace; else the pod's own.");
DEFINE_string(shard, "",
              "Poll this share of the clusters: i/n, i from 0 to n-1, or auto/n in a StatefulSet, "
              "where i is the number of the pod.");
DEFINE_string(url, "http://127.0.0.1:9249/readyz",
              "What to ask: /readyz or /healthz of a sidecar that runs.");
DEFINE_int32(polls, 1, "How many times to ask before the report is printed.");
DEFINE_int64(limit_bytes, 0, "The most state that the job may have; 0: no limit is known.");
DEFINE_bool(
    every, false,
    "Print once per line of the series (per poll where --record_dir wrote it), not only after "
    "the last.");
DEFINE_string(data, "", "Folder with the lab's sources: state_orders.csv.");
DEFINE_string(format, "text", "What to print: text or json; lint also sarif and junit.");
DEFINE_string(fail_on, "warning",
              "Exit with 1 when a finding is at or above this: info, warning, critical or never. "
              "diff: incompatible (state is refused or lost) or never, which is its default.");
DEFINE_string(flink_version, "", "The Flink that is to restore; else the version in the new plan.");
DEFINE_string(
    state_backend, "",
    "The state backend that is to restore: hashmap, rocksdb or forst; else the worse case "
    "counts.");
DEFINE_string(log_format, "logfmt", "Manner of the log on stderr: logfmt or json.");
DEFINE_string(log_level, "info", "Least level to log: debug, info, warn or error.");

namespace fss {
namespace {

constexpr std::int64_t kDayMillis = 24LL * 60 * 60 * 1000;

Error BadFlag(const std::string& flag, std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message), "--" + flag};
}

// The parts between separators, without blanks around them; empty ones are left out.
std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string::size_type begin = 0;
  while (begin <= text.size()) {
    const auto end = std::min(text.find(separator, begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(std::move(part));
    begin = end + 1;
  }
  return parts;
}

// Comma-separated; blanks and empty places are left out.
std::vector<std::string> SplitUrls(const std::string& text) {
  std::vector<std::string> urls = Split(text, ',');
  for (std::string& url : urls) std::erase(url, ' ');
  return urls;
}

bool Given(const char* flag) {
  gflags::CommandLineFlagInfo info;
  return gflags::GetCommandLineFlagInfo(flag, &info) && !info.is_default;
}

// A label of RFC 1123, as namespaces are named.
bool IsNamespaceName(const std::string& name) {
  constexpr std::size_t kMaxBytes = 63;
  const auto good = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return name.size() <= kMaxBytes && std::all_of(name.begin(), name.end(), good) &&
         name.front() != '-' && name.back() != '-';
}

Result<std::chrono::milliseconds> BoundedDuration(const std::string& flag, const std::string& value,
                                                  std::int64_t most, const std::string& most_text) {
  const bool has_unit =
      !value.empty() && std::isdigit(static_cast<unsigned char>(value.back())) == 0;
  const Result<std::int64_t> millis = ParseFlinkDuration(value, /*allow_iso8601=*/false);
  if (!has_unit || !millis.ok()) {
    return BadFlag(flag, "'" + value + "' is not a number with a unit such as 15s or 500ms");
  }
  if (*millis < 1 || *millis > most) {
    return BadFlag(flag, "'" + value + "' is not between 1 ms and " + most_text);
  }
  return std::chrono::milliseconds(*millis);
}

}  // namespace

Result<std::chrono::milliseconds> DurationFlag(const std::string& flag, const std::string& value) {
  return BoundedDuration(flag, value, kDayMillis, "1 d");
}

Result<std::chrono::milliseconds> LongDurationFlag(const std::string& flag,
                                                   const std::string& value) {
  constexpr std::int64_t kTenYears = 3653;
  return BoundedDuration(flag, value, kTenYears * kDayMillis, "10 years");
}

Result<std::optional<std::int64_t>> DiskLimitFlag() {
  if (FLAGS_disk_limit_bytes < 0) return BadFlag("disk_limit_bytes", "must be 0 or more");
  if (FLAGS_disk_limit_bytes == 0) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(FLAGS_disk_limit_bytes);
}

Result<OutputFormat> FormatFlag() {
  if (FLAGS_format == "text") return OutputFormat::kText;
  if (FLAGS_format == "json") return OutputFormat::kJson;
  if (FLAGS_format == "sarif" || FLAGS_format == "junit") {
    return BadFlag("format", "'" + FLAGS_format + "' is for lint alone: here text or json");
  }
  return BadFlag("format", "'" + FLAGS_format + "' is neither text nor json");
}

Result<OutputFormat> LintFormatFlag() {
  if (FLAGS_format == "text") return OutputFormat::kText;
  if (FLAGS_format == "json") return OutputFormat::kJson;
  if (FLAGS_format == "sarif") return OutputFormat::kSarif;
  if (FLAGS_format == "junit") return OutputFormat::kJunit;
  return BadFlag("format", "'" + FLAGS_format + "' is not text, json, sarif or junit");
}

Result<std::optional<Severity>> FailOnFlag() {
  for (const Severity severity : {Severity::kInfo, Severity::kWarning, Severity::kCritical}) {
    if (FLAGS_fail_on == SeverityName(severity)) return std::optional(severity);
  }
  if (FLAGS_fail_on == "never") return std::optional<Severity>();
  return BadFlag("fail_on", "'" + FLAGS_fail_on + "' is not info, warning, critical or never");
}

Result<bool> FailOnIncompatibleFlag() {
  if (FLAGS_fail_on == "incompatible") return true;
  if (FLAGS_fail_on == "never") return false;
  // The shared default is for findings.
  if (gflags::GetCommandLineFlagInfoOrDie("fail_on").is_default) return false;
  return BadFlag("fail_on",
                 "'" + FLAGS_fail_on + "' is not incompatible or never, which diff knows alone");
}

Result<std::string> FlinkVersionFlag() {
  if (FLAGS_flink_version.empty() || ParseFlinkVersion(FLAGS_flink_version)) {
    return FLAGS_flink_version;
  }
  return BadFlag("flink_version",
                 "'" + OneLine(FLAGS_flink_version, 40) + "' is no version such as 2.3");
}

Result<std::string> StateBackendFlag() {
  for (const char* known : {"", "hashmap", "rocksdb", "forst"}) {
    if (FLAGS_state_backend == known) return FLAGS_state_backend;
  }
  return BadFlag("state_backend",
                 "'" + OneLine(FLAGS_state_backend, 40) + "' is not hashmap, rocksdb or forst");
}

Result<std::vector<std::string>> JobManagerUrlsFlag() {
  std::vector<std::string> urls = SplitUrls(FLAGS_jobmanager_url);
  if (urls.empty()) return BadFlag("jobmanager_url", "no URL given");
  return urls;
}

std::vector<std::string> AlertmanagerUrlsFlag() { return SplitUrls(FLAGS_alertmanager_url); }

Result<std::vector<std::string>> KubernetesNamespacesFlag() {
  std::vector<std::string> names = Split(FLAGS_kubernetes_namespaces, ',');
  for (const std::string& name : names) {
    if (!IsNamespaceName(name)) {
      return BadFlag("kubernetes_namespaces",
                     "'" + OneLine(name, 100) + "' is no namespace's name");
    }
  }
  return names;
}

Result<std::vector<std::string>> ServiceSelectorsFlag() {
  std::vector<std::string> selectors = Split(FLAGS_kubernetes_service_selector, ';');
  if (selectors.empty()) return BadFlag("kubernetes_service_selector", "no selector given");
  return selectors;
}

Status CheckKubernetesFlags() {
  // What belongs to one JobManager, and what to many.
  constexpr auto kOfOne = std::to_array<const char*>(
      {"jobmanager_url", "cluster", "record_dir", "anonymize", "state_disk_path"});
  constexpr auto kOfMany = std::to_array<const char*>(
      {"kubernetes_namespaces", "kubernetes_service_selector", "kubernetes_api_server",
       "kubernetes_token_file", "kubernetes_ca_file", "kubernetes_events", "leader_election",
       "lease_name", "lease_namespace", "shard"});
  if (FLAGS_kubernetes) {
    for (const char* flag : kOfOne) {
      if (Given(flag)) return BadFlag(flag, "is for one cluster, not for --kubernetes");
    }
  } else {
    for (const char* flag : kOfMany) {
      if (Given(flag)) return BadFlag(flag, "has a meaning with --kubernetes alone");
    }
  }
  return OkStatus();
}

Result<std::string> RunbookBaseUrlFlag() {
  std::string url = FLAGS_runbook_base_url;
  while (!url.empty() && url.back() == '/') url.pop_back();
  const bool web = url.starts_with("http://") || url.starts_with("https://");
  const bool printable =
      std::none_of(url.begin(), url.end(), [](unsigned char c) { return c <= ' ' || c >= 0x7F; });
  if (!FLAGS_runbook_base_url.empty() && (!web || !printable)) {
    return BadFlag("runbook_base_url",
                   "'" + OneLine(FLAGS_runbook_base_url, 100) + "' is no http:// or https:// URL");
  }
  return url;
}

}  // namespace fss
