// One checkpoint as Flink writes it in /checkpoints and in /checkpoints/details/:cid.
#pragma once

#include <rapidjson/document.h>

#include <cstddef>
#include <optional>

#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Of an address of checkpoints (PATH_MAX), and of the text of a failure.
inline constexpr std::size_t kMaxPathBytes = 4096;

// A checkpoint or savepoint that completed, vertices left empty. Absent when `row` is another
// kind of value, has another status, or lacks its id, trigger time or size: half of a row would
// have to be invented.
std::optional<CompletedCheckpoint> ReadCompletedRow(const rapidjson::Value& row);

// The "tasks" beside such a row, {vertex id:{"state_size",…}}, into its vertices. Ids in lower
// case; tasks without a size are left out. `row` may be any value.
void ReadVertexSizes(const rapidjson::Value& row, CompletedCheckpoint* checkpoint);

// A checkpoint that failed. Absent as above (it has no size).
std::optional<FailedCheckpoint> ReadFailedRow(const rapidjson::Value& row);

}  // namespace fss
