#include "sidecar/app/checkpoints.h"

#include "collectors/store/checkpoint_stores.h"
#include "sidecar/app/flags.h"

namespace fss {

Result<std::unique_ptr<CheckpointStore>> CheckpointStoreFromFlags(const Clock& clock) {
  if (FLAGS_checkpoint_root.empty()) return std::unique_ptr<CheckpointStore>();
  const auto timeout = DurationFlag("request_timeout", FLAGS_request_timeout);
  if (!timeout.ok()) return timeout.error();
  CheckpointStoreOptions options;
  options.roots = FLAGS_checkpoint_root;
  options.s3_endpoint = FLAGS_s3_endpoint;
  options.s3_region = FLAGS_s3_region;
  options.s3_addressing = FLAGS_s3_addressing;
  options.request_timeout = *timeout;
  return NewCheckpointStore(options, clock);
}

}  // namespace fss
