// A recorded job: the folder that `replay` reads and --record_dir writes.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "collectors/series_reader.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

// Not thread safe.
class Recording {
 public:
  // Reads job-plan.json, checkpoints-config.json and, when they are there, plan.json and job.json
  // of `dir`, and opens series.jsonl. Errors name the file: kNotFound, kIo, kMalformed, kTooLarge.
  static Result<Recording> Open(const std::string& dir);

  const std::optional<CompiledPlan>& plan() const { return plan_; }
  // Graph and checkpoint configuration; the name where it was recorded.
  const JobSnapshot& job() const { return job_; }
  // Where it was recorded, else empty.
  const std::string& flink_version() const { return flink_version_; }

  // The next line that is not empty; absent after the last. What a recorder that was killed left
  // of its last line is no line. An error names file and line; the line after it can still be read.
  Result<std::optional<SeriesLine>> Next();

 private:
  Recording() = default;

  std::optional<CompiledPlan> plan_;
  JobSnapshot job_;
  std::string flink_version_;
  std::string series_file_;
  std::ifstream series_;
  std::size_t line_ = 0;
};

}  // namespace fss
