// Clock: the only way the product learns what time it is, so that tests can say it.
#pragma once

#include <cstdint>

namespace fss {

// Thread safety: implementations may be called from several threads at once.
class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since 1970, UTC: what Flink's REST answers use. May jump.
  virtual std::int64_t WallMillis() const = 0;
  // Milliseconds that never go back, from an arbitrary start: for durations.
  virtual std::int64_t MonotonicMillis() const = 0;
};

// The machine's clocks. Lives for ever.
const Clock& SystemClock();

}  // namespace fss
