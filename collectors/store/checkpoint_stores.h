// The CheckpointStore of --checkpoint_root.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "collectors/checkpoint_store.h"
#include "collectors/store/aws_environment.h"
#include "sidecar/base/clock.h"
#include "sidecar/base/result.h"

namespace fss {

struct CheckpointStoreOptions {
  std::string roots;          // --checkpoint_root, see RootList::Parse; empty: nothing is read
  std::string s3_endpoint;    // --s3_endpoint; empty: the environment's, else AWS
  std::string s3_region;      // --s3_region; empty: the environment's, else us-east-1
  std::string s3_addressing;  // --s3_addressing: "auto", "path" or "virtual"; empty: auto
  std::chrono::milliseconds request_timeout{5000};
  Environment environment = ProcessEnvironment();
};

// A store that opens what lies below the roots and nothing else: files on mounted folders, objects
// of S3 and its like. An address is taken as it is written, and, where nothing is there, with its
// escapes undone ("%20"). Besides the codes of CheckpointStore::Open: each error has the address
// for context. Nothing is asked of S3 before the first Open, and libcurl is loaded only where a
// root lies there. kInvalidArgument, with the flag or variable for context, for a bad value; kIo
// when libcurl4 is needed and not installed. A folder that is not there (yet) is no bad value.
// `clock` outlives the store.
Result<std::unique_ptr<CheckpointStore>> NewCheckpointStore(const CheckpointStoreOptions& options,
                                                            const Clock& clock);

}  // namespace fss
