// Writes one line of a recorded series: what series_reader.h reads.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// What stands in a line beside its checkpoint.
struct SeriesExtras {
  std::int64_t polled_ms = 0;            // the poll that learnt of it
  bool restored = false;                 // the job was restored since the line before
  std::optional<std::int64_t> start_ms;  // of the run; on the first line and on restored ones
  // RocksDB's figures by vertex id; nullptr: none known.
  const std::map<std::string, LiveSample>* live = nullptr;
};

// With the line break. Pure; safe from any thread.
std::string SeriesLineJson(const CompletedCheckpoint& checkpoint, const SeriesExtras& extras);

}  // namespace fss
