#include "exporters/alertmanager/alert_texts.h"

#include <algorithm>
#include <utility>

#include "exporters/prometheus/label_value.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// A finding's sentence has some 300 bytes; a plan with hostile names must not fill a pager.
constexpr std::size_t kMaxTextBytes = 2'048;

void AddLabel(std::string_view name, std::string_view text, AlertPairs* labels) {
  std::string value = LabelValue(text);
  if (!value.empty()) labels->emplace_back(name, std::move(value));
}

AlertPairs Annotations(std::string_view name, const std::string& summary,
                       const std::string& description, const std::string& runbook_base_url) {
  AlertPairs annotations = {{"summary", OneLine(summary, kMaxTextBytes)},
                            {"description", OneLine(description, kMaxTextBytes)}};
  if (!runbook_base_url.empty()) {
    annotations.emplace_back("runbook_url", runbook_base_url + "/" + std::string(name) + ".md");
  }
  return annotations;
}

// "leftState of Join[19] of job cascade on cluster default"
std::string Place(const std::string& cluster, const Finding& finding) {
  std::string place;
  if (!finding.state.empty()) place += LabelValue(finding.state) + " of ";
  if (!finding.operator_label.empty()) place += LabelValue(finding.operator_label) + " of ";
  place += finding.job.empty() ? "jobs" : "job " + LabelValue(finding.job);
  return place + " on cluster " + LabelValue(cluster);
}

}  // namespace

AlertPairs FindingLabels(const FindingAlert& row, const std::string& cluster,
                         const Finding& finding) {
  AlertPairs labels;
  AddLabel("alertname", row.name, &labels);
  AddLabel("severity", SeverityName(row.severity), &labels);
  AddLabel("cluster", cluster, &labels);
  AddLabel("flink_job", finding.job, &labels);
  AddLabel("job_id", finding.job_id, &labels);
  AddLabel("vertex_id", finding.vertex_id, &labels);
  AddLabel("operator", finding.operator_label, &labels);
  AddLabel("state", finding.state, &labels);
  AddLabel("plan", finding.plan, &labels);
  AddLabel("code", finding.code, &labels);
  return labels;
}

AlertPairs FindingAnnotations(const FindingAlert& row, const std::string& cluster,
                              const Finding& finding, const std::string& runbook_base_url) {
  return Annotations(row.name, std::string(row.what) + ": " + Place(cluster, finding) + ".",
                     finding.message, runbook_base_url);
}

AlertPairs OwnLabels(const OwnAlert& row, const std::string& cluster, const std::string& instance,
                     const std::string& collector) {
  AlertPairs labels;
  AddLabel("alertname", row.name, &labels);
  AddLabel("severity", SeverityName(row.severity), &labels);
  AddLabel("cluster", cluster, &labels);
  AddLabel("instance", instance, &labels);
  AddLabel("collector", collector, &labels);
  AddLabel("reason", row.reason, &labels);
  return labels;
}

AlertPairs OwnAnnotations(const OwnAlert& row, const std::string& cluster,
                          const std::string& instance, const std::string& description,
                          const std::string& runbook_base_url) {
  const std::string sidecar = instance.empty() ? "" : "sidecar " + LabelValue(instance) + ", ";
  // About the sidecar of many clusters itself: no cluster.
  const std::string whose = cluster.empty() ? "sidecar " + LabelValue(instance)
                                            : sidecar + "cluster " + LabelValue(cluster);
  return Annotations(row.name, std::string(row.what) + ": " + whose + ".", description,
                     runbook_base_url);
}

std::string_view LabelOf(const AlertPairs& labels, std::string_view name) {
  const auto found = std::find_if(labels.begin(), labels.end(),
                                  [&](const auto& label) { return label.first == name; });
  return found == labels.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace fss
