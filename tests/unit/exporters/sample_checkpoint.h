// A checkpoint with operators of each kind, for the exporters' golden files.
#pragma once

#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

CheckpointMetadata SampleCheckpoint();

}  // namespace fss
