#include "sidecar/model/operator_kind.h"

namespace fss {

const char* CleanupName(Cleanup cleanup) {
  switch (cleanup) {
    case Cleanup::kStateless:
      return "stateless";
    case Cleanup::kTtl:
      return "ttl";
    case Cleanup::kWatermark:
      return "watermark";
    case Cleanup::kBounded:
      return "bounded";
    case Cleanup::kConnector:
      return "connector";
    case Cleanup::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace fss
