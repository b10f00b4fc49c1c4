#include "tests/bench/series/plain_rules.h"

namespace fss::bench {
namespace {

constexpr double kHour = 3600;
constexpr std::size_t kLeast = 10;
constexpr double kRegressionRise = 0.01;
constexpr double kDifference = 0.05;

}  // namespace

PlainVerdict RegressionRule(const Series& series) {
  const std::vector<Sample>& s = series.samples;
  if (s.size() < 2) return {};
  const std::int64_t end = s.back().t_ms;
  std::size_t from = s.size() - 1;
  while (from > 0 && (static_cast<double>(end - s[from - 1].t_ms) / 1000 <= kHour ||
                      s.size() - from < kLeast)) {
    --from;
  }
  const auto n = static_cast<double>(s.size() - from);
  const auto x = [&](std::size_t i) { return static_cast<double>(s[i].t_ms - end) / 1000; };
  double mx = 0;
  double my = 0;
  for (std::size_t i = from; i < s.size(); ++i) {
    mx += x(i) / n;
    my += s[i].bytes / n;
  }
  double sxx = 0;
  double sxy = 0;
  for (std::size_t i = from; i < s.size(); ++i) {
    sxx += (x(i) - mx) * (x(i) - mx);
    sxy += (x(i) - mx) * (s[i].bytes - my);
  }
  const double slope = sxx > 0 ? sxy / sxx : 0;
  const double rise = slope * -x(from);
  if (rise > kRegressionRise * my) return {Verdict::kGrowing, slope};
  if (rise < -kRegressionRise * my) return {Verdict::kShrinking, slope};
  return {Verdict::kFlat, slope};
}

PlainVerdict LastAgainstFirst(const Series& series) {
  const std::vector<Sample>& s = series.samples;
  if (s.size() < 2) return {};
  const double seconds = static_cast<double>(s.back().t_ms - s.front().t_ms) / 1000;
  const double rise = s.back().bytes - s.front().bytes;
  const double slope = rise / seconds;
  if (rise > kDifference * s.front().bytes) return {Verdict::kGrowing, slope};
  if (rise < -kDifference * s.front().bytes) return {Verdict::kShrinking, slope};
  return {Verdict::kFlat, slope};
}

}  // namespace fss::bench
