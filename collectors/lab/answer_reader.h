// Reads the JSON files of a lab folder that are no plans: two answers of the JobManager's that were
// saved, and report.json.
//
// kMalformed for what is no such file, with what Flink said where the answer is an error; kTooLarge
// for absurdly many values. Never throws; uses memory in proportion to `text`. Safe from any
// thread.
#pragma once

#include <cstddef>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/lab.h"

namespace fss {

// A /jobs/:jid answer: the lab's has 3 KB.
inline constexpr std::size_t kMaxLabJsonBytes = 8U << 20U;

// A /jobs/:jid answer.
Result<LabJob> ReadLabJob(std::string text);

// The state_backend of a /jobs/:jid/checkpoints/config answer.
Result<std::string> ReadLabBackend(std::string text);

// report.json; an error names the first field that is missing or of another type.
Result<LabReport> ReadLabReport(std::string text);

}  // namespace fss
