// When several sizes that rise together will have used up what is left.
#pragma once

#include <limits>
#include <optional>
#include <span>

namespace fss {

// One size's way: it rises by `rate` until it has risen by `most` (where it settles), then stays.
struct Rise {
  double rate = 0;  // bytes per second; not above 0: it takes nothing
  double most = std::numeric_limits<double>::infinity();
};

// Seconds until the rises together come to `left` bytes; 0 when nothing is left, absent when they
// settle before. Pure; O(n log n).
std::optional<double> SecondsUntil(double left, std::span<const Rise> rises);

}  // namespace fss
