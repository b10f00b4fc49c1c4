#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/bench/series/recipe_parts.h"

namespace fss::bench {

namespace {
constexpr double kTeethToKnow = 3.0;
// Bytes per checkpoint. Below, growth is lost in RocksDB's own files
// (docs/benchmarks.md).
constexpr double kRiseThatMatters = 2048;
}  // namespace

double AnyRise(Maker& m) { return m.base * m.LogUniform(0.3, 30); }

double AnyRocksDbRise(Maker& m) {
  m.series.rocksdb = true;
  return std::max(AnyRise(m), kRiseThatMatters * static_cast<double>(m.n()));
}

double Line(Maker& m, double rise) {
  m.Put([&](std::size_t i) { return m.base + rise * m.Share(i); });
  m.series.slope = rise / m.Length();
  m.series.level = m.base + rise;
  return rise;
}

void Flat(Maker& m) {
  m.Put([&](std::size_t) { return m.base; });
  m.series.never_growing_from = 0;
  m.series.level = m.base;
}

void AddTeeth(Maker& m, double period_s, double depth, double jitter) {
  const std::vector<double> teeth = m.Teeth(period_s, jitter);
  m.Put([&](std::size_t i) { return depth * teeth[i]; });
  m.series.level += depth / 2;
  // Until the third tooth has broken off, a tooth is a line that rises.
  if (m.series.never_growing_from) {
    const auto seen = static_cast<std::size_t>(kTeethToKnow * period_s / Interval(m)) + 1;
    m.series.never_growing_from = std::max(*m.series.never_growing_from, seen);
  }
}

double Interval(const Maker& m) { return m.Length() / static_cast<double>(m.n() - 1); }

void AddSpikes(Maker& m, double share, double size) {
  m.Put([&](std::size_t) { return m.Chance(share) ? size * m.Pareto(1.2) : 0.0; });
}

void AddWave(Maker& m, double period_s, double amplitude) {
  const double phase = m.Uniform(0, 2 * std::numbers::pi);
  m.Put([&](std::size_t i) {
    return amplitude * std::sin(2 * std::numbers::pi * m.Seconds(i) / period_s + phase);
  });
}

void AddDays(Maker& m, double amplitude) { AddWave(m, kDay, amplitude); }

void AddWeeks(Maker& m, double amplitude) {
  const double phase = m.Uniform(0, kWeek);
  m.Put([&](std::size_t i) {
    const double day = std::fmod(m.Seconds(i) + phase, kWeek) / kDay;
    const double rise = std::clamp(day, 0.0, 1.0);
    const double fall = std::clamp(6.0 - day, 0.0, 1.0);
    return amplitude * std::min(rise, fall);
  });
}

void PunchGaps(Maker& m) {
  std::vector<Sample> kept;
  const double drop = m.Uniform(0, 0.5);
  const double hole = m.Uniform(0.2, 0.7);
  const double width = m.Uniform(0.05, 0.2);
  for (std::size_t i = 0; i < m.n(); ++i) {
    const double share = m.Share(i);
    const bool in_hole = share > hole && share < hole + width;
    if (i != 0 && i + 1 != m.n() && (in_hole || m.Chance(drop))) continue;
    kept.push_back(m.series.samples[i]);
  }
  m.series.samples = std::move(kept);
}

void AddManifest(Maker& m) {
  m.series.rocksdb = true;
  const double each = m.Uniform(100, 300);
  m.Put([&](std::size_t i) { return each * static_cast<double>(i); });
}

void Domain(Maker& m, double spans) {
  m.AnyTimes();
  const double plateau = m.base * m.LogUniform(1, 30);
  m.Put([&](std::size_t i) { return plateau * (1 - std::exp(-m.Share(i) * spans)); });
  m.Noise(plateau * m.Uniform(0, 0.02));
  if (m.Chance(0.3)) {
    AddTeeth(m, Interval(m) * m.Uniform(3, 7), plateau * m.Uniform(0.02, 0.2), 0.2);
  }
}

const std::vector<Recipe>& Recipes() {
  static const std::vector<Recipe> recipes = [] {
    std::vector<Recipe> all = GrowingRecipes();
    for (const Recipe& recipe : FlatRecipes()) all.push_back(recipe);
    for (const Recipe& recipe : OtherRecipes()) all.push_back(recipe);
    return all;
  }();
  return recipes;
}

}  // namespace fss::bench
