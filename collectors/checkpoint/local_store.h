// Checkpoint files of this machine, for the verb `checkpoint`: whoever runs it may read them.
// (`serve` and `scan` go through --checkpoint_root.)
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collectors/byte_source.h"
#include "collectors/checkpoint_store.h"
#include "sidecar/base/result.h"

namespace fss {

// A regular file of any folder, up to `max_bytes` of it. kNotFound; kIo for a folder, a pipe, no
// permission. Errors have no context: the caller knows the name to show.
Result<std::unique_ptr<ByteSource>> OpenLocalFile(const std::string& path, std::uint64_t max_bytes);

// Addresses are paths, or URLs of scheme "file". A file that is not where its address says, but of
// the same name in the checkpoint's own folder, is taken from there: the folder was copied.
class LocalStore : public CheckpointStore {
 public:
  explicit LocalStore(std::string folder) : folder_(std::move(folder)) {}

  Result<std::unique_ptr<ByteSource>> Open(const std::string& address,
                                           std::uint64_t max_bytes) override;

 private:
  std::string folder_;
};

}  // namespace fss
