// One operator's part of a `_metadata`. Troubles go to the DataReader. Not thread-safe.
#pragma once

#include "collectors/checkpoint/data_reader.h"
#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

// The least an operator takes, in any format.
inline constexpr std::uint64_t kLeastOperatorBytes = 29;

// The next operator, as `format` (2 to 6) writes it. Not to be used when `in` has failed.
CheckpointOperator ReadOperator(int format, DataReader* in);

}  // namespace fss
