// The parts of a plan node that keep state in a savepoint, each under a uid of its own.
//
// Pure functions; safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/model/compiled_plan.h"

namespace fss {

struct HeldEntry {
  std::string name;  // "leftState"
  std::string ttl;   // the plan's own text; empty when the plan has none
  // 0 is for ever. Absent when the plan does not tell: table.exec.state.ttl of the day the job
  // starts decides.
  std::optional<std::int64_t> ttl_ms;
};

struct StateHolder {
  std::string_view transformation;  // "join"; "upsert-materialize" and "sink" of one sink node
  std::string uid;                  // "19_join"
  bool connector = false;           // offsets, splits, open transactions: if it keeps any
  bool certain = true;  // false: it may keep state (a connector, a kind that the catalogue lacks)
  // By index. Empty where plans of this kind list none (windows, interval joins, sources, …).
  std::vector<HeldEntry> entries;
};

// An entry of an old and a new holder; one may be missing.
struct EntryPair {
  const HeldEntry* before = nullptr;
  const HeldEntry* now = nullptr;
};

// By name: the new holder's entries, then what is left of the old one's. Either holder may be
// missing. A name that a broken plan has twice is paired twice.
std::vector<EntryPair> PairEntries(const StateHolder* before, const StateHolder* now);

// Empty for what keeps no state, and for batch nodes. The views point into the catalogue or `node`.
std::vector<StateHolder> HoldersOf(const PlanNode& node, const std::string& uid_format);

}  // namespace fss
