#include "sidecar/analysis/time_bound.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/flink_duration.h"

namespace fss {
namespace {

// No window is longer: what says more is no window but a broken text.
constexpr std::int64_t kLongest = 100LL * 366 * 24 * 60 * 60 * 1000;

std::optional<std::int64_t> Bounded(std::int64_t millis) {
  if (millis <= 0 || millis > kLongest) return std::nullopt;
  return millis;
}

// The whole number at the start of `text`.
std::optional<std::int64_t> NumberAt(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> NumberAfter(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  return NumberAt(text.substr(at + word.size()));
}

// "TUMBLE(time_col=[ts], size=[10 min])", "HOP(…, size=[10 s], slide=[5 s])",
// "CUMULATE(…, max_size=[15 s], step=[5 s])".
std::optional<std::int64_t> WindowSize(std::string_view window) {
  for (std::string_view name : {"max_size", "size"}) {
    const auto text = Attribute(window, name);
    if (!text) continue;
    const Result<std::int64_t> size = ParseFlinkDuration(*text, /*allow_iso8601=*/true);
    return size.ok() ? Bounded(*size) : std::nullopt;
  }
  return std::nullopt;
}

// "TumblingGroupWindow('w$, rowtime, 5000)", "SlidingGroupWindow('w$, rowtime, 10000, 5000)": the
// third part is the size.
std::optional<std::int64_t> GroupWindowSize(std::string_view window) {
  if (!window.starts_with("TumblingGroupWindow(") && !window.starts_with("SlidingGroupWindow(")) {
    return std::nullopt;
  }
  std::size_t at = 0;
  for (int comma = 0; comma < 2; ++comma) {
    at = window.find(',', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  const auto size = NumberAt(window.substr(at));
  return size ? Bounded(*size) : std::nullopt;
}

// "[isRowTime=true, leftLowerBound=-60000, leftUpperBound=0, …]": a row of either side waits until
// the other side's time has passed it by the larger bound.
std::optional<std::int64_t> IntervalReach(std::string_view bounds) {
  const auto lower = NumberAfter(bounds, "leftLowerBound=");
  const auto upper = NumberAfter(bounds, "leftUpperBound=");
  if (!lower || !upper) return std::nullopt;
  if (std::max(std::abs(*lower / 2), std::abs(*upper / 2)) > kLongest) return std::nullopt;
  // An interval join of one instant still keeps rows for a moment.
  return std::max({std::abs(*lower), std::abs(*upper), std::int64_t{1}});
}

// "[ RANGE BETWEEN 10000 PRECEDING AND CURRENT ROW]"; 1.x writes RANG.
std::optional<std::int64_t> OverRange(std::string_view window) {
  const std::size_t at = window.find(" RANG");
  if (at == std::string_view::npos) return std::nullopt;
  const auto range = NumberAfter(window.substr(at), " BETWEEN ");
  return range ? Bounded(*range) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> TimeBoundOf(std::string_view description) {
  if (const auto bounds = Attribute(description, "windowBounds")) return IntervalReach(*bounds);
  for (std::string_view name : {"window", "leftWindow"}) {
    const auto window = Attribute(description, name);
    if (!window) continue;
    if (const auto size = WindowSize(*window)) return size;
    if (const auto size = GroupWindowSize(*window)) return size;
    if (const auto range = OverRange(*window)) return range;
  }
  return std::nullopt;
}

}  // namespace fss
