// Which of several replicas a cluster belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

struct Shard {
  std::uint32_t index = 0;
  std::uint32_t count = 1;

  // Each name belongs to exactly one of `count` shards; where the count changes, as few names as
  // can be change theirs (jump consistent hash).
  bool Has(std::string_view name) const;

  bool operator==(const Shard&) const = default;
};

// "i/n", 0 <= i < n, or "auto/n": i is the number that `hostname` ends with behind a hyphen, as the
// pods of a StatefulSet have it. "" is the whole. kInvalidArgument says what is wrong.
Result<Shard> ParseShard(std::string_view text, std::string_view hostname);

}  // namespace fss
