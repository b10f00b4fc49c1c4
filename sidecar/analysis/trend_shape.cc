#include "sidecar/analysis/trend_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sidecar/analysis/blocks.h"
#include "sidecar/analysis/calendar_rise.h"
#include "sidecar/analysis/piecewise_fit.h"
#include "sidecar/analysis/size_line.h"

namespace fss {
namespace {

// Numbers of blocks to cut a window into, finest first. A cycle hides when a block is as long as
// the cycle or longer: the floor of each block is then the floor of a cycle.
constexpr std::array<std::size_t, 6> kBlockCounts = {16, 11, 8, 6, 5, 4};

// Shorter windows: down to a sixteenth of the line.
constexpr int kWindows = 5;
constexpr std::size_t kLeastPoints = 12;

// How many standard errors a slope must be away from zero; few blocks leave few degrees of freedom.
double LeastCertainty(std::size_t blocks) {
  if (blocks >= 14) return 6;
  if (blocks >= 8) return 7;
  if (blocks >= 6) return 9;
  return blocks == 5 ? 12 : 16;
}

// The rise must stand out of what the fit leaves over.
constexpr double kLeastRiseInNoise = 3.0;
// And of the height of the cycles or the noise above the floor.
constexpr double kLeastRiseInSpread = 0.75;
// Standard errors by which a slope must exceed the backend's bookkeeping.
constexpr double kSlopeDoubt = 3.0;
// Slower than this share of the slope before: slowing. Slower than the second: stopped.
constexpr double kSlowingShare = 0.6;
constexpr double kStoppedShare = 0.12;
// … or not surely rising at all, in standard errors.
constexpr double kStoppedCertainty = 4.0;
// A bend before this share of the window is early. What fills up has then a slope left that is
// below this multiple of that share; and what came after the bend is no line, which keeps its
// slope.
constexpr double kEarlyBend = 0.3;
constexpr double kSteadyShare = 0.8;
constexpr double kRisesOn = 0.8;
// Certain enough of a bend (in standard errors) not to ask coarser cuts.
constexpr double kBendCertainty = 8.0;
// No single block holds more of a rise than this, or it is a step. With fewer than 6 steps each
// has more of it by nature.
constexpr double kLargestJump = 0.45;
constexpr double kLargestJumpOfFew = 0.6;
constexpr double kTwoJumps = 0.7;
// A rise has begun when it has come this far.
constexpr double kStartedRising = 0.1;
// Teeth are high when their mean is above this share of the rise; their pauses in blocks.
constexpr double kHighTeeth = 0.25;
constexpr double kPauseOfTeeth = 1.25;
// Less than this share of the rise is a pause.
constexpr double kPauseRise = 0.02;

constexpr std::size_t kManySteps = 6;
// A new slope is believed after this many blocks of it.
constexpr std::size_t kLeastStepsAfterBend = 3;
constexpr std::size_t kLeastLows = 4;
// A rise beside a step: a tooth or two would pass for it with few blocks.
constexpr std::size_t kLeastBlocksWithStep = 11;
constexpr double kCertaintyWithStep = 2.0;
// No fit is surer than this share of the range (thinning alone moves floors by as much), or a byte.
constexpr double kLeastNoise = 5e-3;
constexpr double kLeastNoiseBytes = 1.0;
// Of a bend upward: with this share of the last slope before it, it has risen from the start.
constexpr double kSameRise = 0.3;

// The usual range of a size leaves out spikes; what counts as above it is half as
// much again: the next tooth may be higher than the last.
constexpr double kUsual = 0.9;
constexpr double kAboveUsual = 0.5;
// A short window's newest sixth is asked to lie above it.
constexpr std::size_t kNewest = 6;

// How much a change must be to count, for one cut.
struct Limits {
  double certainty = 0;    // standard errors
  double material = 0;     // bytes that matter
  double out = 0;          // bytes that stand out of noise and cycles
  double least_slope = 0;  // bytes per second
};

Limits LimitsOf(const Blocks& blocks, const PiecewiseFit& fit, const Significance& want) {
  Limits limits;
  limits.certainty = LeastCertainty(blocks.low.size) * want.strictness;
  limits.material = want.relative_rise * std::max(std::abs(fit.end), 1.0) * want.strictness;
  limits.out = std::max(kLeastRiseInNoise * fit.noise, kLeastRiseInSpread * blocks.Spread()) *
               want.strictness;
  limits.least_slope = want.least_slope * want.strictness;
  return limits;
}

// A rise in stairs has pauses: the present one may be as long as those before, and a block or two.
bool PausesAsUsual(const BlockSeries& s, std::size_t from, double allowed = 0) {
  const std::size_t last = s.size - 1;
  const double least = kPauseRise * (s.y[last] - s.y[from]);
  std::size_t top = from;
  double longest = (s.x[last] - s.x[0]) / static_cast<double>(last);
  const double half_block = longest / 2;
  for (std::size_t i = from + 1; i <= last; ++i) {
    if (s.y[i] <= s.y[top] + least) continue;
    longest = std::max(longest, s.x[i] - s.x[top]);
    top = i;
  }
  return s.x[last] - s.x[top] <= std::max(allowed, longest + half_block);
}

// The rise from block `from` on is spread over it: it is not a jump or two.
bool Spread(const BlockSeries& s, std::size_t from) {
  const std::size_t last = s.size - 1;
  const double rise = s.y[last] - s.y[from];
  double jump = 0;    // the largest step
  double second = 0;  // and the next
  for (std::size_t i = from + 1; i <= last; ++i) {
    const double step = s.y[i] - s.y[i - 1];
    second = std::max(second, std::min(step, jump));
    jump = std::max(jump, step);
  }
  const bool many = last - from >= kManySteps;
  if (many && jump + second > kTwoJumps * rise) return false;
  return jump <= (many ? kLargestJump : kLargestJumpOfFew) * rise;
}

// A fit over its blocks, as it is or upside down.
struct Climb {
  BlockSeries s;
  PiecewiseFit fit;
  std::size_t knot = 0;    // the block where the last part begins
  double rise_before = 0;  // over the part before the bend
  double rise_after = 0;
};

Climb ClimbOf(const BlockSeries& s, const PiecewiseFit& fit) {
  Climb climb{s, fit};
  // A step is taken out: what was before is moved to where it would be now.
  for (std::size_t i = 0; fit.form == Form::kStep && i < fit.knot; ++i) climb.s.y[i] += fit.step;
  climb.knot = fit.form == Form::kBend ? fit.knot - 1 : 0;
  climb.rise_after = fit.slope_after * (s.x[s.size - 1] - s.x[climb.knot]);
  climb.rise_before = fit.slope_before * (s.x[climb.knot] - s.x[0]);
  return climb;
}

Climb UpsideDown(Climb climb) {
  for (std::size_t i = 0; i < climb.s.size; ++i) climb.s.y[i] = -climb.s.y[i];
  climb.fit.slope_before = -climb.fit.slope_before;
  climb.fit.slope_after = -climb.fit.slope_after;
  climb.rise_before = -climb.rise_before;
  climb.rise_after = -climb.rise_after;
  return climb;
}

// It rises to the end, surely and by an amount that matters.
bool Rises(const Climb& climb, const Limits& limits) {
  const PiecewiseFit& fit = climb.fit;
  const std::size_t last = climb.s.size - 1;
  if (last - climb.knot < kLeastStepsAfterBend) return false;
  const bool step = fit.form == Form::kStep;
  if (step && last + 1 < kLeastBlocksWithStep) return false;
  const double certainty = limits.certainty * (step ? kCertaintyWithStep : 1.0);
  if (fit.slope_after <= certainty * fit.slope_after_error) return false;
  if (fit.slope_after - kSlopeDoubt * fit.slope_after_error <= limits.least_slope) return false;
  const double total = climb.rise_before + climb.rise_after;
  if (std::min(total, climb.rise_after) <= limits.out) return false;
  if (std::max(total, climb.rise_after) <= limits.material) return false;
  // The end lies above all of the first half, and above all before the bend.
  const std::size_t earlier = std::max(climb.knot + 1, climb.s.size / 2);
  const auto* begin = climb.s.y.data();
  if (climb.s.y[last] <= *std::max_element(begin, begin + earlier)) return false;
  return Spread(climb.s, climb.knot) && PausesAsUsual(climb.s, climb.knot);
}

// It rose in earnest before its bend and no longer does so.
bool Bends(const Climb& climb, const Limits& limits) {
  const PiecewiseFit& fit = climb.fit;
  return fit.form == Form::kBend && climb.rise_before > std::max(limits.material, limits.out) &&
         fit.slope_before > limits.least_slope &&
         fit.slope_after < kSlowingShare * fit.slope_before;
}

BlockSeries From(const BlockSeries& s, std::size_t first) {
  BlockSeries rest;
  for (std::size_t i = first; i < s.size; ++i) rest.Add(s.x[i], s.y[i]);
  return rest;
}

// It bent early and has risen in a line since: the slower of two inputs, not a plateau. What fills
// up slows down all the time.
bool SteadySince(const Climb& climb, const Limits& limits) {
  const BlockSeries& s = climb.s;
  const double part = (s.x[climb.knot] - s.x[0]) / (s.x[s.size - 1] - s.x[0]);
  if (part >= kEarlyBend || !Rises(climb, limits)) return false;
  if (climb.fit.slope_after <= kSteadyShare * part * climb.fit.slope_before) return false;
  const BlockSeries since = From(s, climb.knot + 1);
  const double range = s.y[s.size - 1] - s.y[0];
  const PiecewiseFit rest = FitPiecewise(since, kLeastNoise * range + kLeastNoiseBytes);
  return rest.form != Form::kStep && rest.slope_after >= kRisesOn * rest.slope_before;
}

// The slope since the bend, without the block that holds the bend: of the floors or of the means,
// whichever lie closer to a line. Spikes spoil means, broken checkpoints floors.
double SlopeOfRise(const Blocks& blocks, const Climb& climb) {
  const bool bend = climb.fit.form == Form::kBend;
  const std::size_t first = bend ? climb.knot + 1 : 0;
  if (climb.fit.form == Form::kStep || blocks.low.size < first + kLeastLows) {
    return climb.fit.slope_after;
  }
  const PiecewiseFit low = FitLine(From(blocks.low, first), kLeastNoiseBytes);
  const PiecewiseFit mid = FitLine(From(blocks.mid, first), kLeastNoiseBytes);
  return mid.slope_after_error < low.slope_after_error ? mid.slope_after : low.slope_after;
}

// What one cut says.
ShapeFound ShapeOfCut(const Blocks& blocks, const Significance& want) {
  ShapeFound found;
  const BlockSeries& s = blocks.low;
  if (s.size < kLeastLows) return found;
  const auto [least, most] = std::minmax_element(s.y.data(), s.y.data() + s.size);
  const PiecewiseFit fit = FitPiecewise(s, kLeastNoise * (*most - *least) + kLeastNoiseBytes);
  const Limits limits = LimitsOf(blocks, fit, want);
  const Climb climb = ClimbOf(s, fit);
  found.slope = fit.slope_after;
  found.slope_first = fit.slope_before;
  found.onset_s = s.x[climb.knot];
  found.from_start = fit.form != Form::kBend || fit.slope_before > kSameRise * fit.slope_after;
  found.level = fit.end + fit.slope_after * (blocks.end - s.x[s.size - 1]) + blocks.Spread();
  found.length_s = blocks.end - s.x[0];
  found.bend_s = s.x[climb.knot] - s.x[0];
  found.beside_step = fit.form == Form::kStep;
  const Climb fall = UpsideDown(climb);
  if (Rises(fall, limits)) {
    found.shape = Shape::kFalling;
  } else if (Bends(climb, limits) && !SteadySince(climb, limits)) {
    const double still = std::max({kStoppedShare * fit.slope_before, limits.least_slope,
                                   kStoppedCertainty * fit.slope_after_error});
    const bool stopped = fit.slope_after <= still;
    found.shape = stopped ? Shape::kStopped : Shape::kSlowing;
    found.certain = fit.slope_before - fit.slope_after > kBendCertainty * fit.slope_change_error;
  } else if (Rises(climb, limits)) {
    found.shape = Shape::kRising;
    found.slope = SlopeOfRise(blocks, climb);
    found.certain = true;
  }
  return found;
}

// Whether a rise that a cut found goes on at the finest cut. With teeth about as high as the rise
// the peaks are of no order: then a pause of a coarse block is none.
bool GoesOn(std::span<const LinePoint> points, const Blocks& coarse) {
  const BlockSeries s = Cut(points, std::min(kBlockCounts.front(), points.size())).low;
  if (s.size < kLeastLows) return true;
  const std::size_t last = s.size - 1;
  const double top = *std::max_element(s.y.data(), s.y.data() + s.size);
  const double begun = s.y[0] + kStartedRising * (top - s.y[0]);
  std::size_t from = 0;
  while (from + 1 < last && s.y[from + 1] <= begun) ++from;
  const double rise = coarse.low.y[coarse.low.size - 1] - coarse.low.y[0];
  const double block = (s.x[last] - s.x[0]) / static_cast<double>(coarse.low.size);
  const bool teeth = coarse.Spread() > kHighTeeth * rise;
  return PausesAsUsual(s, from, teeth ? kPauseOfTeeth * block : 0);
}

ShapeFound ShapeOfWindow(std::span<const LinePoint> points, const Significance& want) {
  ShapeFound best;
  for (const std::size_t count : kBlockCounts) {
    if (count > points.size()) continue;
    const Blocks blocks = Cut(points, count);
    ShapeFound found = ShapeOfCut(blocks, want);
    if (found.shape == Shape::kRising && !found.beside_step && !GoesOn(points, blocks)) continue;
    if (found.certain) return found;
    if (best.shape == Shape::kUnclear) best = found;
  }
  return best;
}

// Whether the newest sixth has left the range of what was before it.
bool LeftUsualRange(std::span<const LinePoint> before, std::span<const LinePoint> part) {
  double lowest = part.back().low;
  for (const LinePoint& p : part.last(part.size() / kNewest + 1)) lowest = std::min(lowest, p.low);
  // The mean first: it is cheap and says no to most.
  double mean = 0;
  for (const LinePoint& p : before) mean += p.low;
  if (lowest * static_cast<double>(before.size()) <= mean) return false;
  // So is a count: below what is usual it need not be known how far.
  const auto below =
      std::ranges::count_if(before, [&](const LinePoint& p) { return p.mid <= lowest; });
  if (static_cast<double>(below) <= kUsual * static_cast<double>(before.size() - 1)) return false;
  return lowest >= UsualCeiling(before);
}

// Cycles of days and weeks that blocks cannot see beneath.
bool RisesByCalendar(std::span<const LinePoint> points, const Significance& want,
                     ShapeFound* found) {
  const std::optional<CalendarRise> rise = FindCalendarRise(points);
  if (!rise || rise->slope <= want.least_slope * want.strictness) return false;
  const double length = points.back().at - points.front().at;
  if (rise->slope * length <= want.relative_rise * rise->level * want.strictness) return false;
  found->shape = Shape::kRising;
  found->slope = rise->slope;
  found->level = rise->level;
  found->length_s = length;
  found->from_start = true;
  return true;
}

}  // namespace

double UsualCeiling(std::span<const LinePoint> points) {
  std::array<double, kMaxSizePoints> mids{};
  const std::size_t n = std::min(points.size(), mids.size());
  for (std::size_t i = 0; i < n; ++i) mids[i] = points[i].mid;
  const auto at = [&](double share) {
    const auto nth = mids.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(n - 1));
    std::nth_element(mids.begin(), nth, mids.begin() + static_cast<std::ptrdiff_t>(n));
    return *nth;
  };
  const double high = at(kUsual);
  const double low = at(1 - kUsual);
  return high + kAboveUsual * (high - low);
}

ShapeFound FindShape(std::span<const LinePoint> points, const Significance& significance) {
  ShapeFound whole;
  if (points.size() < kLeastPoints) return whole;
  const double end = points.back().at;
  double length = end - points.front().at;
  for (int window = 0; window < kWindows; ++window, length /= 2) {
    const auto from = std::find_if(points.begin(), points.end(),
                                   [&](const LinePoint& p) { return p.at >= end - length; });
    const std::span<const LinePoint> part(from, points.end());
    if (window > 0 && part.size() < kLeastPoints) break;
    if (window > 0 && !LeftUsualRange(points.first(points.size() - part.size()), part)) continue;
    ShapeFound found = ShapeOfWindow(part, significance);
    if (window == 0) {
      whole = found;
      if (found.shape != Shape::kUnclear && found.shape != Shape::kStopped) break;
      if (found.shape == Shape::kUnclear && RisesByCalendar(points, significance, &whole)) break;
      continue;
    }
    if (found.shape != Shape::kRising) continue;
    found.from_start = false;
    return found;
  }
  return whole;
}

}  // namespace fss
