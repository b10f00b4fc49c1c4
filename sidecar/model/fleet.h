// What is known of all clusters at one moment: what the exporters render.
#pragma once

#include <memory>
#include <vector>

#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// One cluster: its last report, and what its poll loop counted. Immutable once published.
struct ClusterView {
  std::shared_ptr<const Report> report;  // never nullptr
  SidecarStats stats;
};

// Immutable once published; the views are shared from one fleet to the next.
struct Fleet {
  std::vector<std::shared_ptr<const ClusterView>> clusters;  // sorted by name
  // Whether this sidecar looks for its clusters itself (serve --kubernetes). Without: one cluster,
  // named by flag.
  bool discovered = false;
  // Of the sidecar itself, beside its clusters: the outcome of discovery, the plans that all
  // clusters share. Its report has no name and no jobs. Unused where nothing is discovered.
  ClusterView own{std::make_shared<const Report>(), {}};
};

// A fleet of one cluster, named by flag.
std::shared_ptr<const Fleet> FleetOf(std::shared_ptr<const Report> report, SidecarStats stats);

}  // namespace fss
