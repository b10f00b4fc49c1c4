// What `checkpoint` prints as JSON (docs/configuration.md has the shape's place; fields are added,
// never renamed).
#pragma once

#include <string>

#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

// One line, without a line break. `path` is the file or folder as it was named. Pure.
std::string CheckpointJson(const std::string& path, const CheckpointMetadata& metadata);

}  // namespace fss
