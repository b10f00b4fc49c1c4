// /jobs/:jid/checkpoints/config.
#pragma once

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// "Unknown" becomes an empty text, an interval of 2^63-1 (checkpointing off) an absent one.
// Errors as JsonAnswer::Parse.
Result<CheckpointConfig> ReadCheckpointConfig(RestAnswer answer);

}  // namespace fss
