#include "sidecar/model/operator_link.h"

namespace fss {

const char* MatchedByName(MatchedBy how) {
  switch (how) {
    case MatchedBy::kUid:
      return "uid";
    case MatchedBy::kDescription:
      return "description";
    case MatchedBy::kTopology:
      return "topology";
    case MatchedBy::kName:
      return "name";
    case MatchedBy::kNone:
      break;
  }
  return "none";
}

}  // namespace fss
