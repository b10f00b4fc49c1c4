// Where checkpoints lie: opens a file by the address Flink gives it.
//
// Not thread-safe: the poll loop's thread alone uses it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collectors/byte_source.h"
#include "sidecar/base/result.h"

namespace fss {

class CheckpointStore {
 public:
  virtual ~CheckpointStore() = default;

  // Opens the file at `address`, as Flink's REST API (`external_path`) and its `_metadata` write
  // it: "file:/shared/job/chk-7/_metadata", "s3://bucket/job/chk-7/_metadata". No more than
  // `max_bytes` are fetched of it, from its start. kNotFound when it is not there (any more);
  // kInvalidArgument when no reachable place holds addresses like it ("hdfs://…"), which does not
  // change while the process runs; kUnreachable, kTimeout, kHttpStatus, kIo for trouble that may
  // pass. No error holds a credential.
  virtual Result<std::unique_ptr<ByteSource>> Open(const std::string& address,
                                                   std::uint64_t max_bytes) = 0;

  // Ends what waits for a place to answer, in Open and in the sources that came from it, and all
  // that would wait later, with kTimeout: the process ends. The one call that may come from any
  // thread. Files on mounted folders do not hear it.
  virtual void Cancel() {}
};

}  // namespace fss
