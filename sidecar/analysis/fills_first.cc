#include "sidecar/analysis/fills_first.h"

#include <cstdint>
#include <limits>
#include <tuple>

namespace fss {

std::optional<std::size_t> FillsFirst(const std::vector<OperatorReport>& operators) {
  using Rank = std::tuple<std::int64_t, int, double>;  // less is more urgent
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::optional<std::size_t> first;
  Rank least;
  for (std::size_t o = 0; o < operators.size(); ++o) {
    const OperatorReport& op = operators[o];
    const bool growing = op.trend.verdict == Verdict::kGrowing;
    if (!growing && op.trend.verdict != Verdict::kFilling && !op.seconds_until_full) continue;
    const Rank rank{op.seconds_until_full.value_or(kNever), growing ? 0 : 1,
                    -op.trend.bytes_per_second.value_or(0)};
    if (first && rank >= least) continue;
    first = o;
    least = rank;
  }
  return first;
}

}  // namespace fss
