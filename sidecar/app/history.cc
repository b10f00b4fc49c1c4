#include "sidecar/app/history.h"

#include <cstdint>
#include <string>
#include <utility>

#include "sidecar/app/flags.h"

namespace fss {
namespace {

// Less would not hold the lines of a few jobs.
constexpr std::int64_t kLeastHistoryBytes = std::int64_t{1} << 20U;

}  // namespace

Result<std::shared_ptr<HistoryFile>> HistoryFileFromFlags() {
  const auto retention = LongDurationFlag("history_retention", FLAGS_history_retention);
  if (!retention.ok()) return retention.error();
  if (FLAGS_history_max_bytes < kLeastHistoryBytes) {
    return Error{ErrorCode::kInvalidArgument,
                 "must be at least " + std::to_string(kLeastHistoryBytes), "--history_max_bytes"};
  }
  if (FLAGS_history_file.empty()) return std::shared_ptr<HistoryFile>();
  HistoryOptions options;
  options.path = FLAGS_history_file;
  options.retention_ms = retention->count();
  options.max_bytes = FLAGS_history_max_bytes;
  return NewHistoryFile(std::move(options));
}

}  // namespace fss
