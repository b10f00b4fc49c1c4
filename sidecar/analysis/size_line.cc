#include "sidecar/analysis/size_line.h"

#include <algorithm>
#include <limits>

namespace fss {
namespace {

// Resolution at age a of a line of length T is proportional to a + T * kRecentShare: the newest
// points lie 9 times as close as the oldest.
constexpr double kRecentShare = 0.125;

}  // namespace

SizePoint::SizePoint(std::int64_t t_ms, float low_bytes, float mid_bytes, std::uint32_t weight)
    : low(low_bytes),
      mid(mid_bytes),
      time_and_weight_((static_cast<std::uint64_t>(std::clamp<std::int64_t>(t_ms, 0, kMostMillis))
                        << kWeightBits) |
                       std::min(weight, kMostWeight)) {}

SizePoint SizePoint::Merge(const SizePoint& a, const SizePoint& b) {
  const double wa = std::max<double>(a.weight(), 1);
  const double wb = std::max<double>(b.weight(), 1);
  const double share = wb / (wa + wb);
  const auto step = static_cast<double>(b.t_ms() - a.t_ms()) * share;
  const double mid = static_cast<double>(a.mid) * (1 - share) + static_cast<double>(b.mid) * share;
  return {a.t_ms() + static_cast<std::int64_t>(step), std::min(a.low, b.low),
          static_cast<float>(mid), a.weight() + b.weight()};
}

bool SizeLine::Add(std::int64_t t_ms, std::int64_t bytes) {
  const auto size = static_cast<float>(std::max<std::int64_t>(bytes, 0));
  return Add(SizePoint(t_ms, size, size));
}

bool SizeLine::Add(const SizePoint& point) {
  const auto place = [this, &point] {
    return std::ranges::lower_bound(points_, point.t_ms(), {}, &SizePoint::t_ms);
  };
  auto at = place();
  if (at != points_.end() && at->t_ms() == point.t_ms()) return false;
  checkpoints_ += point.weight();
  if (points_.size() >= kMaxSizePoints) {
    MergeCheapestPair();
    at = place();
  }
  points_.insert(at, point);
  return true;
}

void SizeLine::Clear() {
  points_.clear();
  checkpoints_ = 0;
}

void SizeLine::MergeCheapestPair() {
  const std::int64_t end = points_.back().t_ms();
  const auto length = static_cast<double>(end - points_.front().t_ms());
  std::size_t best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  // The first point stays alone: it says when the line began. So does the newest.
  for (std::size_t i = 1; i + 2 < points_.size(); ++i) {
    const auto width = static_cast<double>(points_[i + 1].t_ms() - points_[i - 1].t_ms());
    const auto age = static_cast<double>(end - points_[i].t_ms());
    const double cost = width / (age + length * kRecentShare);
    if (cost < best_cost) {
      best_cost = cost;
      best = i;
    }
  }
  points_[best] = SizePoint::Merge(points_[best], points_[best + 1]);
  points_.erase(points_.begin() + static_cast<std::ptrdiff_t>(best) + 1);
}

}  // namespace fss
