// How long to wait after failures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace fss {

// A number in [0, 1), from wherever; injected, so that tests can say it.
using RandomFraction = std::function<double()>;

// Doubles from 1 s to 30 s, each time somewhere in the upper half: replicas that failed together
// do not come back together. Not thread safe.
class BackOff {
 public:
  explicit BackOff(RandomFraction random) : random_(std::move(random)) {}

  // The wait after one more failure, milliseconds; no less than what the server asked for.
  std::int64_t Failed(std::int64_t asked_ms = 0) {
    const std::int64_t full = std::min(kFirstMillis << std::min(failures_, 10), kMostMillis);
    ++failures_;
    const auto wait = static_cast<std::int64_t>(static_cast<double>(full) * (0.5 + random_() / 2));
    return std::max(wait, asked_ms);
  }
  void Succeeded() { failures_ = 0; }
  bool failing() const { return failures_ > 0; }

  // A moment within `most`, for what should not happen everywhere at once.
  std::int64_t Jitter(std::int64_t most_ms) const {
    return static_cast<std::int64_t>(static_cast<double>(most_ms) * random_());
  }

 private:
  static constexpr std::int64_t kFirstMillis = 1000;
  static constexpr std::int64_t kMostMillis = 30'000;
  const RandomFraction random_;
  int failures_ = 0;
};

}  // namespace fss
