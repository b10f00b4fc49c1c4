#include "exporters/text/report_text.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "exporters/text/findings_text.h"
#include "exporters/text/job_text.h"
#include "exporters/text/layout.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kErrorIndent = 4;

// The findings of each job, by its id; "" for those of no job of the report.
using FindingsByJob = std::unordered_map<std::string_view, std::vector<const Finding*>>;

FindingsByJob GroupFindings(const Report& report) {
  FindingsByJob groups;
  for (const JobReport& job : report.jobs) {
    groups.try_emplace(job.id);
  }
  for (const Finding& finding : report.findings) {
    const auto group = groups.find(finding.job_id);
    groups[group == groups.end() ? std::string_view() : std::string_view(finding.job_id)].push_back(
        &finding);
  }
  return groups;
}

// Appends the findings filed under `job_id`, once: of two jobs with one id the first gets them.
void AppendFindings(std::string_view job_id, const TextOptions& options, FindingsByJob* groups,
                    std::string* out) {
  const auto group = groups->find(job_id);
  if (group == groups->end()) {
    return;
  }
  for (const Finding* finding : group->second) {
    out->push_back('\n');
    AppendFinding(*finding, options, out);
  }
  group->second.clear();
}

void AppendHealth(const Report& report, const TextOptions& options, std::string* out) {
  if (report.health.up) {
    return;
  }
  std::string line = report.cluster.empty() ? "" : report.cluster + ": ";
  line.append("the JobManager is unreachable");
  if (!report.health.last_error.empty()) {
    line.append(" (").append(report.health.last_error).append(")");
  }
  if (report.health.stale) {
    line.append("; what follows is from the last poll that it answered");
  }
  AppendWrapped(line, 0, kErrorIndent, options.width, out);
  out->push_back('\n');
}

void AppendEmptyCluster(const Report& report, std::string* out) {
  // "No jobs" is an answer: only a JobManager gives it.
  if (!report.jobs.empty() || (!report.health.up && !report.health.stale)) {
    return;
  }
  constexpr std::size_t kClusterColumns = 60;
  if (!report.cluster.empty()) {
    out->append(FitColumns(report.cluster, kClusterColumns)).append(": ");
  }
  out->append("no jobs\n");
}

}  // namespace

std::string ReportText(const Report& report, const TextOptions& options) {
  std::string out;
  AppendHealth(report, options, &out);
  AppendEmptyCluster(report, &out);
  FindingsByJob groups = GroupFindings(report);
  bool one_liner = true;
  for (const JobReport& job : report.jobs) {
    // A blank line between jobs; ended ones, a line each, stand together.
    if (!out.empty() && !(one_liner && job.terminal)) {
      out.push_back('\n');
    }
    const std::size_t before = groups[job.id].size();
    AppendJob(job, options, &out);
    AppendFindings(job.id, options, &groups, &out);
    one_liner = job.terminal && before == 0;
  }
  AppendFindings("", options, &groups, &out);
  FindingCounts counts;
  for (const Finding& finding : report.findings) {
    counts.Add(finding);
  }
  if (const std::string summary = counts.ToString(); !summary.empty()) {
    out.append("\n").append(summary).append("\n");
  }
  return out;
}

}  // namespace fss
