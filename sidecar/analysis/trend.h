// The trend of a size over time, as a careful engineer would judge it: does the level that cycles
// come back to rise, does it still, and will anything stop it?
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "sidecar/analysis/size_line.h"
#include "sidecar/model/trend.h"

namespace fss {

// Fewer points say nothing: two or three teeth of four checkpoints.
inline constexpr std::size_t kLeastTrendPoints = 12;

// What is known of the state beside its sizes.
struct TrendContext {
  // The longest TTL of the operator's entries; absent or 0: nothing expires.
  std::optional<std::int64_t> ttl_ms;
  // When the state began to fill: the job's start, of the first run whose state the present one
  // still holds. Absent: the first point, which makes an old job's TTL seem not yet over.
  std::optional<std::int64_t> line_start_ms;
  // How long after its TTL a row may stay; see DefaultCleanupAllowance.
  std::optional<std::int64_t> cleanup_allowance_ms;
  // Bytes that the backend's own bookkeeping may add with every checkpoint: that of its kinds (see
  // OperatorKind::bookkeeping_bytes) times the number of subtasks. 0 for the heap and for live
  // bytes. It is no state and no growth that matters.
  double bookkeeping_bytes_per_checkpoint = 0;
};

// How long the backend may take to drop what has expired: a share of the TTL, at least a minute.
std::int64_t DefaultCleanupAllowance(std::int64_t ttl_ms, bool heap);

// Judges the points (ascending in time, at most kMaxSizePoints are read: the newest). `current` is
// the verdict so far: to keep one takes less evidence than to make one. Pure; about 10 µs.
Trend JudgeTrend(std::span<const SizePoint> points, const TrendContext& context,
                 Verdict current = Verdict::kUnknown);

// A long line that is flat, without a doubt, is judged anew with every so many points only: nine in
// ten lines of a cluster are so, and a doubt is late by seconds of a line of hours.
inline constexpr std::size_t kPointsPerFlatJudgement = 4;

// One line and its verdict with hysteresis: the verdict changes when the new one was found several
// times in a row, over a while. Not thread safe; about 2.2 KiB.
class TrendTracker {
 public:
  // `turn`: lines that get their points at the same time share their judgements' cost over polls
  // when each has another one.
  explicit TrendTracker(std::size_t turn = 0) : rested_(turn % kPointsPerFlatJudgement) {}

  SizeLine& line() { return line_; }
  const SizeLine& line() const { return line_; }

  // For a job that began again without its state: nothing of before counts.
  void Clear() { *this = TrendTracker(rested_); }

  // Call once after each new point. After a start with a loaded line the first call decides.
  const Trend& Update(const TrendContext& context);
  const Trend& trend() const { return trend_; }

 private:
  bool Rests();

  SizeLine line_;
  Trend trend_;
  std::size_t rested_;  // points since the last judgement
  int doubts_ = 0;      // judgements in a row that were not trend_.verdict
  std::int64_t doubted_since_ms_ = 0;
};

}  // namespace fss
