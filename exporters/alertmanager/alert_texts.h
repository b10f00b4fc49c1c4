// Labels and annotations of alerts. Pure functions; safe from any thread.
#pragma once

#include <string>
#include <string_view>

#include "exporters/alertmanager/alert.h"
#include "exporters/alertmanager/alert_table.h"
#include "sidecar/model/finding.h"

namespace fss {

// As the Prometheus alert has them, its values cut and cleaned as the metric's labels are; what
// Prometheus' scrape adds (namespace, job, instance) is missing.
AlertPairs FindingLabels(const FindingAlert& row, const std::string& cluster,
                         const Finding& finding);
// summary; description, the finding's own sentence; runbook_url where `runbook_base_url`, which
// ends without a slash, is not empty.
AlertPairs FindingAnnotations(const FindingAlert& row, const std::string& cluster,
                              const Finding& finding, const std::string& runbook_base_url);

// `instance` tells the sidecars of a cluster apart; empty where the alert is about the cluster.
AlertPairs OwnLabels(const OwnAlert& row, const std::string& cluster, const std::string& instance,
                     const std::string& collector);
AlertPairs OwnAnnotations(const OwnAlert& row, const std::string& cluster,
                          const std::string& instance, const std::string& description,
                          const std::string& runbook_base_url);

// The value of a label; empty where there is none.
std::string_view LabelOf(const AlertPairs& labels, std::string_view name);

}  // namespace fss
