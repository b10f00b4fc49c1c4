// A regular file below a folder, wherever the names lead. Safe from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collectors/byte_source.h"
#include "sidecar/base/result.h"

namespace fss {

// Opens `folder` + `relative` ("/job/chk-7/_metadata") and yields no more than `max_bytes` of it.
// Symbolic links may lead anywhere below the folder; one that leads out of it is kIo, as is all
// that is no regular file: nothing else is opened, so that no pipe can hang and no device can act.
// A folder that is a symbolic link itself is followed. kNotFound when nothing is there. Errors have
// no context: the caller knows the address.
Result<std::unique_ptr<ByteSource>> OpenFileBelow(const std::string& folder,
                                                  const std::string& relative,
                                                  std::uint64_t max_bytes);

}  // namespace fss
