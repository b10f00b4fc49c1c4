// What a backend wrote about its states before their data: names, kinds, serializer snapshots
// (Flink 1.8 to 2.3). It lies inlined in `_metadata` or at the head of a state file.
//
// Pure; safe from any thread.
#pragma once

#include <string_view>
#include <vector>

#include "sidecar/model/checkpoint_metadata.h"

namespace fss {

struct StatesDescribed {
  std::vector<CheckpointState> states;  // in the order of the bytes
  bool complete = false;                // all states are there, whether or not with their TTL
  bool cut = false;                     // a longer piece of the same bytes may tell more
};

// A keyed backend's description (hashmap, RocksDB, ForSt; full, incremental, canonical), which
// `bytes` begin with; what follows is not looked at. Where a serializer is not understood its
// state has no `ttl_enabled`, unless it is plain that it is on, and reading goes on with the next
// state that is recognised.
StatesDescribed DescribedKeyedStates(std::string_view bytes);

// An operator backend's: list states, then broadcast states.
StatesDescribed DescribedOperatorStates(std::string_view bytes);

}  // namespace fss
