#include "sidecar/analysis/calendar_rise.h"

#include <algorithm>
#include <array>

#include "sidecar/analysis/size_line.h"

namespace fss {
namespace {

constexpr double kDay = 86400;
constexpr std::array<double, 2> kPeriods = {kDay, 7 * kDay};

// With less than this many cycles a single step could lift all of one cycle above the other.
constexpr double kLeastCycles = 2.25;
// Points of the newest cycle that are compared.
constexpr std::size_t kLeastCompared = 16;
// The least tenth of the differences, and the newest ones, are at least this share of the median.
constexpr double kEvenness = 0.4;
constexpr std::size_t kNewestCompared = 8;

// Least, typical and newest difference to one period before.
struct Differences {
  std::size_t count = 0;
  double low = 0;
  double median = 0;
  double newest = 0;
};

double MedianOf(std::span<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Differences Compare(std::span<const LinePoint> points, double period) {
  std::array<double, kMaxSizePoints> held{};
  Differences found;
  std::size_t past = 0;
  std::size_t falls = 0;
  for (const LinePoint& p : points) {
    const double at = p.at - period;
    if (at < points.front().at || found.count == held.size()) continue;
    while (past + 2 < points.size() && points[past + 1].at < at) ++past;
    const LinePoint& a = points[past];
    const LinePoint& b = points[past + 1];
    const double share = std::clamp((at - a.at) / (b.at - a.at), 0.0, 1.0);
    const double difference = p.mid - (a.mid + share * (b.mid - a.mid));
    // Most lines rise in half of their points: say no early.
    if (difference <= 0 && ++falls > points.size() / 10) return {};
    held[found.count++] = difference;
  }
  if (found.count < kLeastCompared) return found;
  const std::span<double> all(held.data(), found.count);
  std::array<double, kNewestCompared> newest{};
  std::copy(all.end() - kNewestCompared, all.end(), newest.begin());
  found.newest = MedianOf(newest);
  found.median = MedianOf(all);
  const auto tenth = all.begin() + static_cast<std::ptrdiff_t>(found.count / 10);
  std::nth_element(all.begin(), tenth, all.end());
  found.low = *tenth;
  return found;
}

}  // namespace

std::optional<CalendarRise> FindCalendarRise(std::span<const LinePoint> points) {
  if (points.size() < 2) return std::nullopt;
  const double end = points.back().at;
  const double length = end - points.front().at;
  for (const double period : kPeriods) {
    if (length < kLeastCycles * period) break;
    const Differences d = Compare(points, period);
    if (d.count < kLeastCompared || d.median <= 0) continue;
    if (std::min(d.low, d.newest) < kEvenness * d.median) continue;
    CalendarRise rise;
    rise.slope = d.median / period;
    double sum = 0;
    double count = 0;
    for (const LinePoint& p : points) {
      if (p.at < end - period) continue;
      sum += p.mid;
      count += 1;
    }
    rise.level = sum / count + d.median / 2;
    return rise;
  }
  return std::nullopt;
}

}  // namespace fss
