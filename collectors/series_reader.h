// One line of a recorded series (series.jsonl): a completed checkpoint of a job.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

struct SeriesLine {
  CompletedCheckpoint checkpoint;        // with sizes per vertex
  bool restored = false;                 // the job was restored before it: a new run began
  std::optional<std::int64_t> start_ms;  // of the run, where it was recorded
  // The poll that learnt of it, where it was recorded: the lines of one poll were judged at once.
  std::optional<std::int64_t> polled_ms;
  std::map<std::string, LiveSample> live;  // by vertex id
};

// {"t":trigger ms,"id","state_size","checkpointed_size","is_savepoint"?,"restored"?,"start_ms"?,
// "polled"?,"tasks":{vertex id:{"state_size","checkpointed_size","persisted_data"?}},
// "rocks":{vertex id:{metric name:value}},"rocks_t"?:{vertex id:ms}}: when these figures were
// taken, else with the checkpoint. kMalformed for what is no such line: no JSON object, no "t",
// "id" or "state_size"; kTooLarge for an absurd one. What else is missing or of another type is
// absent. Safe from any thread.
Result<SeriesLine> ReadSeriesLine(std::string line);

}  // namespace fss
