// scan: polls a few times, prints the operator table and the findings, leaves.

#include <array>
#include <iostream>
#include <thread>

#include "exporters/json/report_json.h"
#include "exporters/text/report_text.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/poll_loop.h"
#include "sidecar/app/terminal.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

int RunScan(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) return UsageError("scan takes no argument: '" + arguments[0] + "'");
  const auto format = FormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  const auto fail_on = FailOnFlag();
  if (!fail_on.ok()) return UsageError(fail_on.error().ToString());
  const auto interval = DurationFlag("poll_interval", FLAGS_poll_interval);
  if (!interval.ok()) return UsageError(interval.error().ToString());
  if (FLAGS_polls < 1) return UsageError("--polls: must be 1 or more");
  auto loop = PollLoop::FromFlags(SystemClock());
  if (!loop.ok()) return UsageError(loop.error().ToString());

  std::shared_ptr<const Report> report = (*loop)->PollOnce();
  for (int poll = 1; poll < FLAGS_polls; ++poll) {
    std::this_thread::sleep_for(*interval);
    report = (*loop)->PollOnce();
  }
  // Never reached at all: there is nothing to print. Lost on the way: the last numbers, marked.
  if (!report->health.up && !report->health.stale) return UsageError(report->health.last_error);

  std::cout << (*format == OutputFormat::kJson ? ScanJson(*report) + "\n"
                                               : ReportText(*report, TerminalOptions()));
  std::cout.flush();
  return FindingsExitCode(report->findings, *fail_on);
}

constexpr auto kScanFlags = std::to_array<std::string_view>({"jobmanager_url",
                                                             "plan_dir",
                                                             "polls",
                                                             "poll_interval",
                                                             "rules_file",
                                                             "history_file",
                                                             "history_retention",
                                                             "history_max_bytes",
                                                             "disk_limit_bytes",
                                                             "state_disk_path",
                                                             "record_dir",
                                                             "anonymize",
                                                             "checkpoint_root",
                                                             "s3_endpoint",
                                                             "s3_region",
                                                             "s3_addressing",
                                                             "request_timeout",
                                                             "cluster",
                                                             "format",
                                                             "fail_on",
                                                             "ca_file",
                                                             "tls_skip_verify",
                                                             "uid_format",
                                                             "log_format",
                                                             "log_level"});

}  // namespace

const Verb kScanVerb = {"scan", "[flags]",
                        "Polls the JobManager, prints every job's operators and the findings.",
                        kScanFlags, RunScan};

}  // namespace fss
