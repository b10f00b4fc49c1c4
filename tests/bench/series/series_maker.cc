#include "tests/bench/series/series_maker.h"

#include <algorithm>
#include <cmath>

namespace fss::bench {

double Maker::Uniform(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random_);
}
double Maker::LogUniform(double low, double high) {
  return std::exp(Uniform(std::log(low), std::log(high)));
}
double Maker::Normal() { return std::normal_distribution<double>(0, 1)(random_); }
double Maker::Pareto(double shape) { return std::pow(Uniform(1e-6, 1), -1 / shape); }
int Maker::Int(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
bool Maker::Chance(double share) { return Uniform(0, 1) < share; }

void Maker::Times(int n, double interval_s) {
  series.checkpoint_interval_ms = static_cast<std::int64_t>(interval_s * 1000);
  const double jitter = Uniform(0, 0.05);
  std::int64_t t = 1'796'000'000'000;
  series.line_start_ms = t;
  for (int i = 0; i < n; ++i) {
    t += static_cast<std::int64_t>(interval_s * 1000 * (1 + jitter * Uniform(-1, 1)));
    series.samples.push_back({t, 0});
  }
  base = LogUniform(3e5, 1e11);
}

void Maker::AnyTimes() {
  constexpr double kIntervals[] = {5, 10, 30, 60, 180, 600, 3600};
  Times(static_cast<int>(LogUniform(60, 1500)), kIntervals[Int(0, 6)]);
}

void Maker::Days(double days) {
  // From a dozen to hundreds of checkpoints a day.
  const double most = LogUniform(12 * days, 1500);
  const double seconds = days * 86400;
  const double least = seconds / most;
  double interval = 60;
  for (const double candidate : {60.0, 180.0, 600.0, 1800.0, 3600.0, 7200.0}) {
    interval = candidate;
    if (interval >= least) break;
  }
  Times(static_cast<int>(seconds / interval), interval);
}

double Maker::Seconds(std::size_t i) const {
  return static_cast<double>(series.samples[i].t_ms - series.samples[0].t_ms) / 1000;
}

void Maker::Put(const std::function<double(std::size_t)>& f) {
  for (std::size_t i = 0; i < n(); ++i) series.samples[i].bytes += f(i);
}

void Maker::Scale(const std::function<double(std::size_t)>& f) {
  for (std::size_t i = 0; i < n(); ++i) series.samples[i].bytes *= f(i);
}

void Maker::Noise(double sd_bytes) {
  Put([&](std::size_t) { return sd_bytes * Normal(); });
}

std::vector<double> Maker::Teeth(double period_s, double jitter) {
  std::vector<double> height(n());
  double began = -Uniform(0, period_s);
  double length = period_s;
  double top = 1;
  for (std::size_t i = 0; i < n(); ++i) {
    while (Seconds(i) - began >= length) {
      began += length;
      length = period_s * (1 + jitter * Uniform(-1, 1));
      top = 1 + jitter * Uniform(-1, 1);
    }
    height[i] = top * (Seconds(i) - began) / length;
  }
  return height;
}

void Maker::Finish() {
  for (Sample& sample : series.samples) sample.bytes = std::max(0.0, std::round(sample.bytes));
}

Series MakeSeries(const Recipe& recipe, std::uint64_t seed) {
  // Recipes of one seed must not share their draws.
  std::uint64_t mixed = seed * 0x9E3779B97F4A7C15ULL;
  for (const char* c = recipe.name; *c != 0; ++c) {
    mixed = (mixed ^ static_cast<unsigned char>(*c)) * 0x100000001B3ULL;
  }
  Maker maker(mixed);
  maker.series.truth = {recipe.truth};
  recipe.make(maker);
  maker.Finish();
  maker.series.shape = recipe.name;
  return std::move(maker.series);
}

}  // namespace fss::bench
