#include "sidecar/model/cluster_snapshot.h"

namespace fss {

bool JobSnapshot::Terminal() const {
  return state == "FINISHED" || state == "FAILED" || state == "CANCELED" || state == "SUSPENDED";
}

}  // namespace fss
