#include "sidecar/model/fleet.h"

#include <utility>

namespace fss {

std::shared_ptr<const Fleet> FleetOf(std::shared_ptr<const Report> report, SidecarStats stats) {
  auto fleet = std::make_shared<Fleet>();
  fleet->clusters.push_back(
      std::make_shared<const ClusterView>(ClusterView{std::move(report), std::move(stats)}));
  return fleet;
}

}  // namespace fss
