// Names and TTL of an operator's keyed states from the head of one of its state files.
//
// Pure but for the source or store. Thread safety: as of these.
#pragma once

#include <cstdint>
#include <string>

#include "collectors/byte_source.h"
#include "collectors/checkpoint_store.h"
#include "sidecar/base/result.h"
#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

// The description of keyed states at a state file's head takes some KiB; no more is ever read.
inline constexpr std::uint64_t kMaxStateHeadBytes = 1U << 20U;

// Reads the head in `source`, the file at `op->keyed_head`, and puts the states it describes
// before those that `op` has. kMalformed when nothing can be made of it, then `*op` is as it was.
// Errors of the source pass through.
Status ReadStateHead(ByteSource& source, CheckpointOperator* op);

// `head`'s address for a CheckpointStore; `folder` is the checkpoint's own ("file:/job/chk-7").
std::string StateHeadAddress(const std::string& folder, const StateHead& head);

struct HeadsRead {
  int read = 0;
  int failed = 0;           // not there, not reachable, not understood, or beyond `max_bytes`
  std::uint64_t bytes = 0;  // of the budget, at most
  std::string first_error;  // one line; empty when none failed
};

// Reads the heads that `metadata`'s operators still lack, each through `store`, until `max_bytes`
// are spent in all. One that fails is left; the others go on.
HeadsRead ReadStateHeads(const std::string& folder, CheckpointStore& store, std::uint64_t max_bytes,
                         CheckpointMetadata* metadata);

}  // namespace fss
