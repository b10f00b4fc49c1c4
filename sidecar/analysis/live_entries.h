// Which state of a running operator is which entry of the plan: "left-records" is leftState.
//
// State names as Flink 1.20 and 2.3 register them. Pure; safe from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "sidecar/model/checkpoint_metadata.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/report.h"

namespace fss {

struct LiveFigures {
  std::optional<std::int64_t> live_bytes;
  std::optional<std::int64_t> keys;
};

// What `sample`, of the operator's vertex, says of each of its entries, in their order: the sum
// over the states that make up an entry. `alone`: no other operator of the vertex has entries, so
// an operator name that Flink cut or cleaned for its metrics does not matter.
std::vector<LiveFigures> LiveFiguresOf(const LiveSample& sample, const OperatorReport& op,
                                       bool alone);

// Whether the checkpoint shows a TTL for the entry, one of `entries` of the operator: true when a
// state of it has one, false when all of them are known to have none, else absent.
std::optional<bool> TtlOfEntry(const CheckpointOperator& op, std::string_view entry,
                               std::size_t entries);

}  // namespace fss
