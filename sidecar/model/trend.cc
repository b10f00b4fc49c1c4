#include "sidecar/model/trend.h"

namespace fss {

const char* VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGrowing:
      return "growing";
    case Verdict::kFilling:
      return "filling";
    case Verdict::kFlat:
      return "flat";
    case Verdict::kShrinking:
      return "shrinking";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace fss
