// What people read of `checkpoint`: each operator's states, TTL and sizes, the largest first.
#pragma once

#include <string>

#include "exporters/text/report_text.h"
#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

// `path` is the file or folder as it was named. Pure; safe from any thread. No line holds a
// control character that came from outside.
std::string CheckpointText(const std::string& path, const CheckpointMetadata& metadata,
                           const TextOptions& options);

}  // namespace fss
