#include "sidecar/model/plan_diff.h"

namespace fss {

const char* PlanChangeName(PlanChangeKind kind) {
  switch (kind) {
    case PlanChangeKind::kAdded:
      return "added";
    case PlanChangeKind::kRemoved:
      return "removed";
    case PlanChangeKind::kTtl:
      return "ttl";
    case PlanChangeKind::kDescription:
      break;
  }
  return "description";
}

const char* RestoreOutcomeName(RestoreOutcome outcome) {
  switch (outcome) {
    case RestoreOutcome::kCompatible:
      return "compatible";
    case RestoreOutcome::kMigrates:
      return "migrates";
    case RestoreOutcome::kRefused:
      return "refused";
    case RestoreOutcome::kLost:
      return "lost";
    case RestoreOutcome::kNew:
      break;
  }
  return "new";
}

bool IsIncompatible(RestoreOutcome outcome) {
  return outcome == RestoreOutcome::kRefused || outcome == RestoreOutcome::kLost;
}

}  // namespace fss
