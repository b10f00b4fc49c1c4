#include "sidecar/analysis/time_until.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fss {

std::optional<double> SecondsUntil(double left, std::span<const Rise> rises) {
  if (left <= 0) return 0;
  double rate = 0;
  std::vector<std::pair<double, double>> ends;  // when a rise settles, and its rate
  for (const Rise& rise : rises) {
    if (!(rise.rate > 0) || !(rise.most > 0)) continue;
    rate += rise.rate;
    ends.emplace_back(rise.most / rise.rate, rise.rate);
  }
  std::ranges::sort(ends);
  double now = 0;
  for (const auto& [end, ended_rate] : ends) {
    if (rate <= 0) break;
    const double until = now + left / rate;
    if (until <= end) return until;
    left -= (end - now) * rate;
    now = end;
    rate -= ended_rate;
  }
  return std::nullopt;
}

}  // namespace fss
