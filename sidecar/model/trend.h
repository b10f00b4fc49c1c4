// What a size does over time.
#pragma once

#include <optional>

namespace fss {

enum class Verdict { kUnknown, kGrowing, kFilling, kFlat, kShrinking };

// "unknown", "growing", "filling", "flat", "shrinking".
const char* VerdictName(Verdict verdict);

struct Trend {
  Verdict verdict = Verdict::kUnknown;
  // Growing although its TTL and the allowance for clean-up have passed.
  bool past_ttl = false;
  // The sizes alone rise steadily: what the verdict would be if no TTL were known.
  bool rises = false;
  // Set unless the verdict is unknown; 0 when flat.
  std::optional<double> bytes_per_second;
  // Where the size is now without noise and at the mean of its cycles. Time until a limit is
  // reached is (limit - level_bytes) / bytes_per_second.
  std::optional<double> level_bytes;
  // Filling: where it will settle, when that can be said.
  std::optional<double> plateau_bytes;
};

}  // namespace fss
