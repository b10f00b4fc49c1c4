// What a poll costs: every operator of 1,000 jobs has a new checkpoint and a
// week behind it. `trend_cost [operators]` prints the time to add and judge one
// checkpoint each, and the memory of all lines. Exit 1 above 200 ms or 100 MiB
// for 20,000 operators.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sidecar/analysis/trend.h"
#include "tests/bench/series/series_maker.h"

namespace fss::bench {
namespace {

constexpr std::size_t kOperators = 20'000;
constexpr double kMostMillis = 200;
constexpr double kMostMebibytes = 100;
constexpr int kRounds = 5;

int Run(std::size_t operators) {
  // One line per recipe and a few seeds, copied: the mix of a cluster.
  std::vector<TrendTracker> kinds;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const Recipe& recipe : Recipes()) {
      if (recipe.truth == Verdict::kUnknown) continue;
      const Series series = MakeSeries(recipe, seed);
      TrendTracker& tracker = kinds.emplace_back();
      for (const Sample& s : series.samples) {
        tracker.line().Add(s.t_ms, static_cast<std::int64_t>(s.bytes));
      }
      tracker.Update({});
    }
  }
  std::vector<TrendTracker> all;
  all.reserve(operators);
  for (std::size_t i = 0; i < operators; ++i) all.push_back(kinds[i % kinds.size()]);
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto began = std::chrono::steady_clock::now();
    for (TrendTracker& tracker : all) {
      const SizePoint& last = tracker.line().points().back();
      const SizePoint& before = *(tracker.line().points().end() - 2);
      tracker.line().Add(2 * last.t_ms() - before.t_ms(), static_cast<std::int64_t>(last.mid));
      tracker.Update({});
    }
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - began;
    best = std::min(best, spent.count());
  }
  double bytes = 0;
  for (const TrendTracker& tracker : all) {
    bytes += sizeof(TrendTracker) +
             static_cast<double>(tracker.line().points().size() * sizeof(SizePoint));
  }
  const double mebibytes = bytes / 1024 / 1024;
  std::printf(
      "%zu operators: %.1f ms to add and judge a checkpoint each (%.2f "
      "us), %.1f MiB\n",
      operators, best, 1000 * best / static_cast<double>(operators), mebibytes);
  const double share = static_cast<double>(operators) / static_cast<double>(kOperators);
  return best <= kMostMillis * share && mebibytes <= kMostMebibytes * share ? 0 : 1;
}

}  // namespace
}  // namespace fss::bench

int main(int argc, char** argv) {
  return fss::bench::Run(argc > 1 ? std::strtoull(argv[1], nullptr, 10) : fss::bench::kOperators);
}
