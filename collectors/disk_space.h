// Free space of a file system (--state_disk_path).
#pragma once

#include <cstdint>
#include <string>

#include "sidecar/base/result.h"

namespace fss {

// Bytes that a process without privileges can still write to the file system that holds `path`.
// kNotFound when there is no such path, kIo when the system refuses; both name the path. Safe from
// any thread; may block as long as a network file system does.
Result<std::int64_t> FreeBytes(const std::string& path);

}  // namespace fss
