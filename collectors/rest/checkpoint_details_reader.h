// /jobs/:jid/checkpoints/details/:cid: one checkpoint with its size per vertex.
#pragma once

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// The details of the checkpoint that `row` (of the same job's /checkpoints) describes. kMalformed
// when the answer is about another checkpoint: Flink (1.20, 2.3) may answer with one of another
// job that has the same id. Other errors as JsonAnswer::Parse.
Result<CompletedCheckpoint> ReadCheckpointDetails(RestAnswer answer,
                                                  const CompletedCheckpoint& row);

// Whether `error`, of this answer, says that it is about another checkpoint: asking again brings
// the same.
bool SaysAnotherCheckpoint(const Error& error);

}  // namespace fss
