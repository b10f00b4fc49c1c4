// job.json of a recording: what stands beside Flink's own answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"

namespace fss {

struct RecordedJob {
  std::string job_id;
  std::string name;  // empty where names were taken out
  std::int64_t start_ms = 0;
  std::string flink_version;             // empty: not known
  std::string state;                     // as last written
  std::optional<std::int64_t> ended_ms;  // when it was seen to have ended: nothing follows
};

// With a line break. Pure; safe from any thread.
std::string RecordedJobJson(const RecordedJob& job);

// Without the name, and of version and state what is surely Flink's.
std::string AnonymousRecordedJobJson(RecordedJob job);

// The same, read. What is missing or of another type is empty or 0. Errors as JsonAnswer::Parse.
Result<RecordedJob> ReadRecordedJob(RestAnswer file);

}  // namespace fss
