#include "sidecar/model/checkpoint_metadata.h"

#include <algorithm>

namespace fss {

const char* StateKindName(StateKind kind) {
  switch (kind) {
    case StateKind::kUnknown:
      return "";
    case StateKind::kValue:
      return "value";
    case StateKind::kList:
      return "list";
    case StateKind::kMap:
      return "map";
    case StateKind::kAggregating:
      return "aggregating";
    case StateKind::kTimers:
      return "timers";
    case StateKind::kSplitList:
      return "split-list";
    case StateKind::kUnionList:
      return "union-list";
    case StateKind::kBroadcast:
      return "broadcast";
  }
  return "";
}

const CheckpointOperator* CheckpointMetadata::FindOperator(const std::string& operator_id) const {
  const auto found =
      std::ranges::lower_bound(operators, operator_id, {}, &CheckpointOperator::operator_id);
  return found != operators.end() && found->operator_id == operator_id ? &*found : nullptr;
}

}  // namespace fss
