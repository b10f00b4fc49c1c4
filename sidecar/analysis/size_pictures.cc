#include "sidecar/analysis/size_pictures.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace fss {
namespace {

bool Moves(const OperatorReport& op) {
  return op.trend.verdict != Verdict::kFlat && op.trend.verdict != Verdict::kUnknown;
}

struct Sum {
  double millis = 0;  // since the beginning
  double bytes = 0;
  int points = 0;
};

// The mean of each of kPicturePoints equal stretches of time; stretches without points are left
// out.
std::vector<SizeOverTime> Thinned(std::span<const SizePoint> line, std::int64_t begin_ms) {
  constexpr double kMillis = 1000;
  constexpr double kMostSeconds = std::numeric_limits<std::uint32_t>::max();
  const std::int64_t first = line.front().t_ms();
  const std::int64_t length = std::max<std::int64_t>(0, line.back().t_ms() - first) + 1;
  std::array<Sum, kPicturePoints> sums;
  for (const SizePoint& point : line) {
    const std::int64_t since = std::clamp<std::int64_t>(point.t_ms() - first, 0, length - 1);
    constexpr auto kStretches = static_cast<std::int64_t>(kPicturePoints);
    Sum& sum = sums[static_cast<std::size_t>(since * kStretches / length)];
    sum.millis += static_cast<double>(point.t_ms() - begin_ms);
    sum.bytes += static_cast<double>(point.mid);
    ++sum.points;
  }
  std::vector<SizeOverTime> thinned;
  thinned.reserve(kPicturePoints);
  for (const Sum& sum : sums) {
    if (sum.points == 0) continue;
    const double seconds = std::clamp(sum.millis / sum.points / kMillis, 0.0, kMostSeconds);
    thinned.push_back(
        {static_cast<std::uint32_t>(seconds), static_cast<float>(sum.bytes / sum.points)});
  }
  return thinned;
}

}  // namespace

std::shared_ptr<const SizeHistory> PicturesOf(const JobSizes& sizes,
                                              const std::vector<OperatorReport>& operators,
                                              Pictures which) {
  const auto line_of = [&](const OperatorReport& op) {
    const bool wanted = op.size_bytes && (which == Pictures::kAll || Moves(op));
    return wanted ? sizes.PointsOf(op.vertex_id) : std::span<const SizePoint>();
  };
  std::int64_t begin_ms = std::numeric_limits<std::int64_t>::max();
  for (const OperatorReport& op : operators) {
    const auto line = line_of(op);
    if (!line.empty()) begin_ms = std::min(begin_ms, line.front().t_ms());
  }
  if (begin_ms == std::numeric_limits<std::int64_t>::max()) return nullptr;
  auto history = std::make_shared<SizeHistory>(begin_ms);
  for (std::size_t o = 0; o < operators.size(); ++o) {
    const auto line = line_of(operators[o]);
    if (line.empty()) continue;
    history->Add(static_cast<std::uint32_t>(o), Thinned(line, begin_ms));
  }
  history->ShrinkToFit();
  return history;
}

}  // namespace fss
