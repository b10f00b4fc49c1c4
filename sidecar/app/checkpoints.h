// The store of --checkpoint_root, out of the flags.
#pragma once

#include <memory>

#include "collectors/checkpoint_store.h"
#include "sidecar/base/clock.h"
#include "sidecar/base/result.h"

namespace fss {

// nullptr without --checkpoint_root: then no checkpoint is read. An error names the flag or the
// variable of the environment. `clock` outlives the store.
Result<std::unique_ptr<CheckpointStore>> CheckpointStoreFromFlags(const Clock& clock);

}  // namespace fss
