// The policy file (lint --policy): what a team allows in its plans. A value, safe from any thread.
//
// Patterns are globs over the whole text (GlobFits); an empty one fits anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fss {

// No entry that fits may keep its rows longer.
struct LongestTtl {
  std::string kind;   // "join"
  std::string table;  // one of the tables that feed the entry
  std::int64_t ttl_ms = 0;
  std::string reason;
};

// What fits may keep its rows for ever.
struct AllowedForever {
  std::string kind;
  std::string table;
  std::string reason;
};

// An entry that fits must have a TTL. Of operators that hints reach alone.
struct RequiredHint {
  std::string kind;
  std::string table;
  std::optional<std::int64_t> ttl_ms;  // this very TTL; absent: any but for ever
  std::string reason;
};

struct Policy {
  std::vector<LongestTtl> longest;
  std::vector<AllowedForever> forever;
  std::vector<RequiredHint> hints;
};

}  // namespace fss
