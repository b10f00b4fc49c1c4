// The JOB of product.md's JSON shapes.
#pragma once

#include <array>

#include "exporters/json/json_writer.h"
#include "sidecar/model/report.h"

namespace fss {

enum class JobDetail { kAlone, kWithOperators };

// A job's findings, by what they ask for.
struct FindingCounts {
  std::array<int, 3> by_severity = {};  // indexed by Severity; without the acknowledged
  int acknowledged = 0;
};

// One job as an object; with `findings` where they were counted.
void WriteJob(const JobReport& job, JobDetail detail, JsonWriter* writer,
              const FindingCounts* findings = nullptr);

// Members of the object that is being written: growth, level, plateau, time until full.
void WriteTrend(const Trend& trend, const std::optional<std::int64_t>& seconds_until_full,
                JsonWriter* writer);

// One state entry, an object of its own.
void WriteEntry(const EntryReport& entry, JsonWriter* writer);

}  // namespace fss
