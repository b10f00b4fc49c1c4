// The flags of the command line, in gflags' manner, and their checked values.
//
// Flags are defined in flags.cc alone; a verb says by name which of them are its own.
#pragma once

#include <gflags/gflags_declare.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/base/result.h"
#include "sidecar/model/finding.h"

DECLARE_string(jobmanager_url);
DECLARE_string(plan_dir);
DECLARE_string(poll_interval);
DECLARE_string(request_timeout);
DECLARE_string(cluster);
DECLARE_string(ca_file);
DECLARE_bool(tls_skip_verify);
DECLARE_string(uid_format);
DECLARE_string(rules_file);
DECLARE_string(policy);
DECLARE_string(history_file);
DECLARE_string(history_retention);
DECLARE_int64(history_max_bytes);
DECLARE_int64(disk_limit_bytes);
DECLARE_string(state_disk_path);
DECLARE_string(record_dir);
DECLARE_string(checkpoint_root);
DECLARE_string(s3_endpoint);
DECLARE_string(s3_region);
DECLARE_string(s3_addressing);
DECLARE_bool(anonymize);
DECLARE_string(listen);
DECLARE_string(alertmanager_url);
DECLARE_string(runbook_base_url);
DECLARE_bool(kubernetes);
DECLARE_string(kubernetes_namespaces);
DECLARE_string(kubernetes_service_selector);
DECLARE_string(kubernetes_api_server);
DECLARE_string(kubernetes_token_file);
DECLARE_string(kubernetes_ca_file);
DECLARE_bool(kubernetes_events);
DECLARE_bool(leader_election);
DECLARE_string(lease_name);
DECLARE_string(lease_namespace);
DECLARE_string(shard);
DECLARE_string(url);
DECLARE_int32(polls);
DECLARE_int64(limit_bytes);
DECLARE_bool(every);
DECLARE_string(data);
DECLARE_string(format);
DECLARE_string(fail_on);
DECLARE_string(flink_version);
DECLARE_string(state_backend);
DECLARE_string(log_format);
DECLARE_string(log_level);

namespace fss {

enum class OutputFormat { kText, kJson, kSarif, kJunit };

// "15s", "500 ms", "2min": a number with a unit. kInvalidArgument naming `flag` for anything else,
// for zero, and for more than a day.
Result<std::chrono::milliseconds> DurationFlag(const std::string& flag, const std::string& value);

// The same up to ten years, for what is kept.
Result<std::chrono::milliseconds> LongDurationFlag(const std::string& flag,
                                                   const std::string& value);

// --disk_limit_bytes: absent for 0. kInvalidArgument below 0.
Result<std::optional<std::int64_t>> DiskLimitFlag();

// --format: text or json.
Result<OutputFormat> FormatFlag();

// --format of lint: text, json, sarif or junit.
Result<OutputFormat> LintFormatFlag();

// --fail_on: exit 1 on findings at or above it. Absent for "never".
Result<std::optional<Severity>> FailOnFlag();

// --fail_on of diff: whether to exit 1 where state is refused or lost. Its default is never.
Result<bool> FailOnIncompatibleFlag();

// --flink_version: "2.3", "1.20.5"; empty when not given.
Result<std::string> FlinkVersionFlag();

// --state_backend: hashmap, rocksdb or forst; empty when not given.
Result<std::string> StateBackendFlag();

// --jobmanager_url: one or more, comma-separated. kInvalidArgument when none is left.
Result<std::vector<std::string>> JobManagerUrlsFlag();

// --alertmanager_url: none or more, comma-separated. A comma in a password is written %2C.
std::vector<std::string> AlertmanagerUrlsFlag();

// --kubernetes_namespaces: none (all) or more. kInvalidArgument for what is no name.
Result<std::vector<std::string>> KubernetesNamespacesFlag();

// --kubernetes_service_selector: one or more, separated by semicolons.
Result<std::vector<std::string>> ServiceSelectorsFlag();

// kInvalidArgument for a flag that was given and has no meaning with, or without, --kubernetes.
Status CheckKubernetesFlags();

// --runbook_base_url without slashes at its end; empty when not given.
Result<std::string> RunbookBaseUrlFlag();

}  // namespace fss
