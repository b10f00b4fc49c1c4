// /jobs/:jid/checkpoints/details/:cid/subtasks/:vid: a vertex' bytes per subtask.
#pragma once

#include <cstdint>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// The sizes of all subtasks in checkpoint `checkpoint_id`, in which the vertex has `total` bytes.
// kMalformed when a subtask is missing, twice there or without a size (it has finished, or not
// acknowledged), or when id or sum are others: Flink (1.20, 2.3) may answer with another job's
// checkpoint of that id. Other errors as JsonAnswer::Parse.
Result<SubtaskSizes> ReadSubtaskSizes(RestAnswer answer, std::int64_t checkpoint_id,
                                      std::int64_t total);

}  // namespace fss
