// Reads the `_metadata` of a checkpoint or savepoint (Flink 1.8 to 2.3, formats 2 to 6).
//
// Pure but for the source. Thread safety: as of the source.
#pragma once

#include "collectors/byte_source.h"
#include "sidecar/base/result.h"
#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

// Reads `source` to the end of what a `_metadata` holds, forward, once. Memory stays below the
// file's size times a small constant, whatever the bytes say. kMalformed, with the byte's offset
// and what was being read, for a cut or altered file; kInvalidArgument for a format that is not
// read (1, of Flink 1.2 and before, which Flink itself reads no more; newer than 6). Errors of the
// source pass through.
Result<CheckpointMetadata> ReadCheckpointMetadata(ByteSource& source);

}  // namespace fss
