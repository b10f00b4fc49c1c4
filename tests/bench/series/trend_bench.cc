// Judges generated series with known truth, beside two plain rules, and prints
// the figures of docs/benchmarks.md. `trend_bench [first seed] [seeds]
// [recipe]`; exit 1 when an aim is missed. Seeds from 1 on were used for
// tuning; those from 2,000,000 on are held out.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "tests/bench/series/judge.h"
#include "tests/bench/series/plain_rules.h"
#include "tests/bench/series/series_maker.h"

namespace fss::bench {
namespace {

// The aims of the issue.
constexpr double kPrecision = 0.99;
constexpr double kRecall = 0.98;
constexpr double kExact = 0.95;
constexpr double kSlopeError = 0.10;
constexpr double kEtaShare = 0.80;
constexpr double kEtaError = 0.15;

// Capacity is taken at this multiple of the level at the end.
constexpr double kCapacity = 3.0;

// Letters of the seeds that went wrong ("!": growing on the way).
constexpr std::size_t kMissesShown = 80;

struct Tally {
  int series = 0;
  int growing_true = 0;
  int growing_said = 0;
  int growing_right = 0;
  int exact = 0;
  std::vector<double> slope_errors;
  std::vector<double> eta_errors;

  void Count(const Series& s, Verdict said, double slope, double level) {
    ++series;
    const auto right = [&](Verdict v) {
      return std::find(s.truth.begin(), s.truth.end(), v) != s.truth.end();
    };
    const bool is = s.truth.front() == Verdict::kGrowing;
    growing_true += is ? 1 : 0;
    growing_said += said == Verdict::kGrowing ? 1 : 0;
    growing_right += said == Verdict::kGrowing && right(said) ? 1 : 0;
    exact += right(said) ? 1 : 0;
    if (!is || said != Verdict::kGrowing) return;
    found += 1;
    slope_errors.push_back(std::abs(slope - s.slope) / s.slope);
    const double limit = kCapacity * s.level;
    const double eta = (limit - level) / slope;
    const double true_eta = (limit - s.level) / s.slope;
    eta_errors.push_back(std::abs(eta - true_eta) / true_eta);
  }
  double Precision() const { return growing_said > 0 ? 1.0 * growing_right / growing_said : 1; }
  double Recall() const { return growing_true > 0 ? 1.0 * found / growing_true : 1; }
  double Exact() const { return 1.0 * exact / std::max(1, series); }
  int found = 0;
};

double Quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double ShareWithin(const std::vector<double>& errors, double most) {
  if (errors.empty()) return 1;
  const auto good = std::count_if(errors.begin(), errors.end(), [&](double e) { return e < most; });
  return static_cast<double>(good) / static_cast<double>(errors.size());
}

void Print(const char* name, const Tally& t) {
  std::printf(
      "%-24s precision %.4f  recall %.4f  exact %.4f  slope error "
      "median %5.1f %%  "
      "ETA within 15 %%: %.3f\n",
      name, t.Precision(), t.Recall(), t.Exact(), 100 * Quantile(t.slope_errors, 0.5),
      ShareWithin(t.eta_errors, kEtaError));
}

struct PerRecipe {
  std::map<std::string, int> said;
  std::vector<double> delays;        // checkpoints from the onset to the first `growing`
  std::vector<double> delay_shares;  // the same, of the checkpoints from the onset on
  Tally tally;
  int alarmed = 0;  // series with a false `growing` on the way
  int flips = 0;
  std::string misses;
};

bool Right(const Series& s, Verdict v) {
  return std::find(s.truth.begin(), s.truth.end(), v) != s.truth.end();
}

struct Totals {
  Tally ours;
  Tally regression;
  Tally ends;
  std::map<std::string, PerRecipe> recipes;
  std::size_t updates = 0;
  double spent_s = 0;
};

void JudgeOne(const Series& series, std::uint64_t seed, PerRecipe& mine, Totals& totals) {
  const auto began = std::chrono::steady_clock::now();
  const Judged judged = Judge(series);
  totals.spent_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  totals.updates += series.samples.size();
  const Verdict said = judged.trend.verdict;
  const double slope = judged.trend.bytes_per_second.value_or(0);
  const double level = judged.trend.level_bytes.value_or(0);
  const double last = series.samples.back().bytes;
  const PlainVerdict line = RegressionRule(series);
  const PlainVerdict span = LastAgainstFirst(series);
  totals.ours.Count(series, said, slope, level);
  totals.regression.Count(series, line.verdict, line.slope, last);
  totals.ends.Count(series, span.verdict, span.slope, last);
  mine.tally.Count(series, said, slope, level);
  ++mine.said[VerdictName(said)];
  mine.alarmed += judged.false_growing > 0 ? 1 : 0;
  mine.flips += static_cast<int>(judged.flips);
  if (!Right(series, said) || judged.false_growing > 0) {
    mine.misses += ' ' + std::to_string(seed) + (judged.false_growing > 0 ? "!" : "");
  }
  if (series.truth.front() != Verdict::kGrowing || !judged.first_at_onset) return;
  const auto seen = static_cast<double>(series.samples.size() - series.onset);
  mine.delays.push_back(static_cast<double>(*judged.first_at_onset - series.onset));
  mine.delay_shares.push_back(mine.delays.back() / seen);
}

void PrintRecipe(const std::string& name, const PerRecipe& r) {
  std::printf("%-18s exact %.3f  alarms on the way %3d  flips %.1f ", name.c_str(), r.tally.Exact(),
              r.alarmed, 1.0 * r.flips / std::max(1, r.tally.series));
  if (!r.delays.empty()) {
    std::printf(" slope %4.1f%%  eta %.2f  delay %3.0f (%.2f)",
                100 * Quantile(r.tally.slope_errors, 0.5),
                ShareWithin(r.tally.eta_errors, kEtaError), Quantile(r.delays, 0.5),
                Quantile(r.delay_shares, 0.5));
  }
  for (const auto& [verdict, count] : r.said) std::printf(" %s=%d", verdict.c_str(), count);
  if (!r.misses.empty()) std::printf("  misses:%s", r.misses.substr(0, kMissesShown).c_str());
  std::printf("\n");
}

void PrintTotals(const Totals& totals) {
  std::vector<double> delays;
  std::vector<double> shares;
  int may_not = 0;
  int alarmed = 0;
  for (const auto& [name, r] : totals.recipes) {
    PrintRecipe(name, r);
    delays.insert(delays.end(), r.delays.begin(), r.delays.end());
    shares.insert(shares.end(), r.delay_shares.begin(), r.delay_shares.end());
    alarmed += r.alarmed;
    may_not += r.tally.growing_true == 0 ? r.tally.series : 0;
  }
  std::printf("\n");
  Print("flink-state-sidecar", totals.ours);
  Print("regression, last hour", totals.regression);
  Print("last against first", totals.ends);
  std::printf(
      "checkpoints from the onset until growing is said: median %.0f, "
      "9 of 10 within %.0f "
      "(%.0f %% and %.0f %% of the series)\n",
      Quantile(delays, 0.5), Quantile(delays, 0.9), 100 * Quantile(shares, 0.5),
      100 * Quantile(shares, 0.9));
  std::printf("series that may never grow, called growing on the way: %d of %d\n", alarmed,
              may_not);
  std::printf("%.1f us per checkpoint (add and judge)\n",
              1e6 * totals.spent_s / static_cast<double>(totals.updates));
}

int Run(std::uint64_t first, int seeds, const char* only) {
  Totals totals;
  for (const Recipe& recipe : Recipes()) {
    if (only != nullptr && std::strcmp(only, recipe.name) != 0) continue;
    PerRecipe& mine = totals.recipes[recipe.name];
    for (int k = 0; k < seeds; ++k) {
      const std::uint64_t seed = first + static_cast<std::uint64_t>(k);
      JudgeOne(MakeSeries(recipe, seed), seed, mine, totals);
    }
  }
  PrintTotals(totals);
  std::printf("%zu recipes, %d seeds from %llu, %d series\n", totals.recipes.size(), seeds,
              static_cast<unsigned long long>(first), totals.ours.series);
  const Tally& ours = totals.ours;
  const bool good = ours.Precision() >= kPrecision && ours.Recall() >= kRecall &&
                    ours.Exact() >= kExact && Quantile(ours.slope_errors, 0.5) < kSlopeError &&
                    ShareWithin(ours.eta_errors, kEtaError) >= kEtaShare;
  std::printf("aims %s\n", good ? "met" : "MISSED");
  return good ? 0 : 1;
}

}  // namespace
}  // namespace fss::bench

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 2'000'000;
  const int seeds = argc > 2 ? std::atoi(argv[2]) : 100;
  return fss::bench::Run(first, seeds, argc > 3 ? argv[3] : nullptr);
}
