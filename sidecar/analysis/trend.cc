#include "sidecar/analysis/trend.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sidecar/analysis/trend_shape.h"
#include "sidecar/base/millis.h"

namespace fss {
namespace {

// A rise below this share of the level, over all that was seen, is not growth that matters.
constexpr double kRelativeRise = 0.05;
// With a TTL that has passed clean-up lags by several per cent: more is asked for.
constexpr double kRelativeRisePastTtl = 0.10;
// What keeps a verdict, as a share of what makes one.
constexpr double kKeepStrictness = 0.6;
// A verdict changes when the other was found this often in a row …
constexpr int kConfirmations = 5;
// … over this share of the line's length.
constexpr double kConfirmationShare = 0.02;

// A rise that began late is given the TTL and its allowance to settle, twice over: where it began
// and ended is only known to a block.
constexpr double kSettleShare = 2.0;

// A rise after the TTL is the line's first one when it is at least this share as fast, and when the
// line was seen from its first tenth on.
constexpr double kSameSlope = 0.7;
constexpr double kStartKnown = 0.1;
// … and did not pause: its onset lies within this share of what is seen after the TTL.
constexpr double kAtOnce = 0.25;
// A rise has begun when it has come this far.
constexpr double kOnsetRise = 0.1;
// Growing past the TTL: above the usual sizes of this share of TTL and allowance before.
constexpr double kBesideTtl = 0.5;

constexpr std::size_t kPointsOfLevel = 16;

// Long enough to rest: a doubt then comes late by a few per cent of the line at most.
constexpr std::size_t kLongLine = 64;

// A glitch is below this share of both neighbours, and at most one in so many points.
constexpr double kGlitchShare = 0.5;
constexpr std::size_t kLeastPointsPerGlitch = 30;
constexpr std::size_t kMostGlitches = 4;

std::size_t Load(std::span<const SizePoint> points, std::array<LinePoint, kMaxSizePoints>& out) {
  const std::int64_t start = points.front().t_ms();
  std::size_t n = 0;
  for (const SizePoint& p : points) {
    out[n++] = {static_cast<double>(p.t_ms() - start) / 1000, static_cast<double>(p.low),
                static_cast<double>(p.mid)};
  }
  return n;
}

// Median of the lows of up to five points.
double LevelAt(std::span<const LinePoint> points) {
  std::array<double, 5> lows{};
  const std::size_t n = std::min<std::size_t>(points.size(), lows.size());
  for (std::size_t i = 0; i < n; ++i) lows[i] = points[i].low;
  std::sort(lows.begin(), lows.begin() + static_cast<std::ptrdiff_t>(n));
  return lows[n / 2];
}

// The median of the newest means: of a line that neither rises nor falls.
double UsualLevel(std::span<const LinePoint> line) {
  std::array<double, kPointsOfLevel> mids{};
  const std::size_t n = std::min(line.size(), mids.size());
  for (std::size_t i = 0; i < n; ++i) mids[i] = line[line.size() - n + i].mid;
  const auto middle = mids.begin() + static_cast<std::ptrdiff_t>(n / 2);
  std::nth_element(mids.begin(), middle, mids.begin() + static_cast<std::ptrdiff_t>(n));
  return *middle;
}

// Where a rise that slows down settles, if it goes on slowing down as it did (exponentially): the
// slopes are those of the middles of the parts before and after the bend.
void SetPlateau(const ShapeFound& found, Trend& trend) {
  if (found.slope <= 0 || found.slope_first <= found.slope) return;
  const double apart = found.length_s / 2;
  const double halves = std::log(found.slope_first / found.slope) / apart;
  const double since = found.length_s - found.bend_s;
  const double now = found.slope * std::exp(-halves * since / 2);
  trend.bytes_per_second = now;
  trend.level_bytes = found.level;
  trend.plateau_bytes = found.level + now / halves;
}

void SetVerdict(const ShapeFound& found, Trend& trend) {
  trend.bytes_per_second = found.slope;
  trend.plateau_bytes.reset();
  switch (found.shape) {
    case Shape::kRising:
      trend.verdict = Verdict::kGrowing;
      trend.level_bytes = found.level;
      return;
    case Shape::kSlowing:
      trend.verdict = Verdict::kFilling;
      SetPlateau(found, trend);
      return;
    case Shape::kFalling:
      trend.verdict = Verdict::kShrinking;
      return;
    case Shape::kUnclear:
    case Shape::kStopped:
      trend.verdict = Verdict::kFlat;
      trend.bytes_per_second = 0;
      return;
  }
}

// Raises a single low between two high ones, where that is rare: a checkpoint taken while the
// operator was starting. Where it is common it is a cycle, and stays.
void MendGlitches(std::span<LinePoint> line) {
  std::array<std::size_t, kMostGlitches> at{};
  std::size_t found = 0;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i].low >= kGlitchShare * std::min(line[i - 1].low, line[i + 1].low)) continue;
    if (found == at.size() || (found + 1) * kLeastPointsPerGlitch > line.size()) return;
    at[found++] = i;
  }
  for (std::size_t k = 0; k < found; ++k) {
    const std::size_t i = at[k];
    line[i].low = std::min(line[i - 1].low, line[i + 1].low);
    line[i].mid = std::max(line[i].mid, line[i].low);
  }
}

// Whether a rise after the TTL is the one that began with the line: as fast as until then.
bool RoseSinceStart(std::span<const LinePoint> before, double start, double slope) {
  if (before.size() < 2) return false;
  const double rise = LevelAt(before.last(std::min<std::size_t>(5, before.size()))) - before[0].low;
  const double seconds = before.back().at - before[0].at;
  return before[0].at - start < kStartKnown * seconds && slope > kSameSlope * rise / seconds;
}

// Where a rise over `points` began: the last time that it had not risen by a tenth.
double OnsetOf(std::span<const LinePoint> points) {
  const std::size_t few = std::min<std::size_t>(5, points.size());
  const double low = LevelAt(points.first(few));
  const double limit = low + kOnsetRise * (LevelAt(points.last(few)) - low);
  double onset = points.front().at;
  for (const LinePoint& p : points) {
    if (p.low <= limit) onset = p.at;
  }
  return onset;
}

// A TTL on the clock of the line's points, in seconds.
struct TtlClock {
  double start = 0;  // when the state began to fill; 0 or before
  double ttl = 0;
  double lasts = 0;  // TTL and the allowance for clean-up
};

// A rise that the TTL will stop: rate x TTL for the first filling, later what is still to come.
void FillUntilTtl(const TtlClock& clock, double onset, double end, Trend& trend) {
  trend.verdict = Verdict::kFilling;
  const double level = trend.level_bytes.value_or(0);
  const double rate = trend.bytes_per_second.value_or(0);
  const double plateau =
      onset <= 0 ? rate * clock.ttl : level + rate * std::max(0.0, onset + clock.ttl - end);
  trend.plateau_bytes = std::max(level, plateau);
}

// What a TTL makes of the verdict that the sizes alone have. Nothing is older than TTL and
// allowance, so a rise that has lasted longer than both will not end by itself.
void ApplyTtl(std::span<const LinePoint> line, const TtlClock& clock, Significance want,
              Trend& trend) {
  const double start = clock.start;
  const double lasts = clock.lasts;
  const double end = line.back().at;
  const auto from = std::find_if(line.begin(), line.end(),
                                 [&](const LinePoint& p) { return p.at >= start + lasts; });
  const std::span<const LinePoint> before(line.begin(), from);
  const std::span<const LinePoint> after(from, line.end());
  if (after.size() < kLeastTrendPoints) {
    if (trend.verdict == Verdict::kGrowing) FillUntilTtl(clock, 0, end, trend);
    return;
  }
  want.relative_rise = kRelativeRisePastTtl;
  const ShapeFound found = FindShape(after, want);
  trend.rises = found.shape == Shape::kRising;
  SetVerdict(found, trend);
  if (found.shape != Shape::kRising) return;
  const auto recent = std::find_if(before.begin(), before.end(), [&](const LinePoint& p) {
    return p.at >= after.front().at - kBesideTtl * lasts;
  });
  const std::span<const LinePoint> beside(recent, before.end());
  const std::size_t few = std::min<std::size_t>(5, after.size());
  const bool above = beside.empty() || LevelAt(after.last(few)) > UsualCeiling(beside);
  const double onset = OnsetOf(after);
  const bool at_once = onset - after.front().at < kAtOnce * (end - after.front().at);
  const bool lasted =
      (at_once && RoseSinceStart(before, start, found.slope)) || end > onset + kSettleShare * lasts;
  if (above && lasted) {
    trend.past_ttl = true;
  } else {
    FillUntilTtl(clock, onset, end, trend);
  }
}

}  // namespace

std::int64_t DefaultCleanupAllowance(std::int64_t ttl_ms, bool heap) {
  return std::max(kMillisPerMinute, heap ? ttl_ms / 10 : ttl_ms / 4);
}

Trend JudgeTrend(std::span<const SizePoint> points, const TrendContext& context, Verdict current) {
  Trend trend;
  if (points.size() < kLeastTrendPoints) return trend;
  if (points.size() > kMaxSizePoints) points = points.last(kMaxSizePoints);
  std::array<LinePoint, kMaxSizePoints> held;
  const std::span<LinePoint> line(held.data(), Load(points, held));
  MendGlitches(line);
  const double length = line.back().at;
  double checkpoints = 0;
  for (const SizePoint& p : points) checkpoints += p.weight();

  Significance want;
  want.relative_rise = kRelativeRise;
  want.least_slope = context.bookkeeping_bytes_per_checkpoint * (checkpoints - 1) / length;
  want.strictness = current == Verdict::kGrowing ? kKeepStrictness : 1.0;
  ShapeFound found = FindShape(line, want);
  trend.level_bytes = UsualLevel(line);
  trend.rises = found.shape == Shape::kRising;
  SetVerdict(found, trend);
  const std::int64_t ttl = context.ttl_ms.value_or(0);
  if (ttl <= 0) return trend;
  const std::int64_t first = points.front().t_ms();
  const std::int64_t began = std::min(first, context.line_start_ms.value_or(first));
  const std::int64_t allowance =
      context.cleanup_allowance_ms.value_or(DefaultCleanupAllowance(ttl, false));
  TtlClock clock;
  clock.start = static_cast<double>(began - first) / 1000;
  clock.ttl = static_cast<double>(ttl) / 1000;
  clock.lasts = clock.ttl + static_cast<double>(allowance) / 1000;
  ApplyTtl(line, clock, want, trend);
  return trend;
}

bool TrendTracker::Rests() {
  const bool settled = trend_.verdict == Verdict::kFlat && doubts_ == 0;
  if (settled && line_.points().size() >= kLongLine && ++rested_ < kPointsPerFlatJudgement) {
    return true;
  }
  rested_ = 0;
  return false;
}

const Trend& TrendTracker::Update(const TrendContext& context) {
  if (line_.empty() || Rests()) return trend_;
  const Trend now = JudgeTrend(line_.points(), context, trend_.verdict);
  const std::int64_t at = line_.points().back().t_ms();
  if (now.verdict == trend_.verdict || trend_.verdict == Verdict::kUnknown) {
    trend_ = now;
    doubts_ = 0;
    return trend_;
  }
  // Any other verdict is a doubt; which of them follows, the latest says.
  if (doubts_ == 0) doubted_since_ms_ = at;
  ++doubts_;
  const auto length = static_cast<double>(at - line_.points().front().t_ms());
  const auto doubted = static_cast<double>(at - doubted_since_ms_);
  if (doubts_ < kConfirmations || doubted < kConfirmationShare * length) return trend_;
  trend_ = now;
  doubts_ = 0;
  return trend_;
}

}  // namespace fss
