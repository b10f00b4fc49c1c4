// Series of checkpoint sizes with a known truth, for the benchmark of the trend analysis.
//
// Truth is what a careful engineer would say at the end of the series with the data seen so far:
// - `growing`: the size that cycles come back to has risen through the part since the growth began,
//   still rises, and nothing known (a TTL that has not passed) will stop it;
// - `filling`: it rises, but ever slower, or a TTL that has not passed yet will stop it;
// - `flat`: it comes back to where it was: noise, cycles, one-off steps, growth that has stopped;
//   also a creep of the backend's own bookkeeping;
// - `shrinking`: the mirror of growing.
// A cycle is judged only when at least four of it were seen (days: three, weeks: three), a start or
// stop only when a fifth of the series came after it. Where two verdicts are both right (a key
// domain half full, from which nobody could tell a slow start of a plateau) the recipe accepts
// both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sidecar/model/report.h"

namespace fss::bench {

struct Sample {
  std::int64_t t_ms = 0;
  double bytes = 0;
  bool savepoint = false;
  bool restored = false;  // the first after a restore
  bool fresh = false;     // the first after a start without the old state
};

struct Series {
  std::string shape;
  std::vector<Sample> samples;
  std::int64_t line_start_ms = 0;
  std::optional<std::int64_t> ttl_ms;
  bool rocksdb = false;
  std::optional<std::int64_t> checkpoint_interval_ms;

  std::vector<Verdict> truth;  // the first is the one meant, others are right too
  double slope = 0;            // bytes per second at the end, where growing
  double level = 0;            // the size without noise and cycles at the end
  std::size_t onset = 0;       // the sample with which growth began
  // No `growing` is right from this sample on, whatever was seen until then; absent where a
  // verdict of `growing` on the way is honest.
  std::optional<std::size_t> never_growing_from;
};

// Draws what recipes vary, and builds the series. One seed, one series.
class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  double Uniform(double low, double high);
  double LogUniform(double low, double high);
  double Normal();
  double Pareto(double shape);  // at least 1
  int Int(int low, int high);
  bool Chance(double share);

  // Times of `n` checkpoints with interval and some jitter; sets interval and line start.
  void Times(int n, double interval_s);
  // An interval and a length as they come: 5 s to 1 h, 60 to 1,500 checkpoints.
  void AnyTimes();
  // `days` of checkpoints, a dozen a day to 1,500 in all.
  void Days(double days);

  std::size_t n() const { return series.samples.size(); }
  double Seconds(std::size_t i) const;  // since the first
  double Length() const { return Seconds(n() - 1); }
  double Share(std::size_t i) const { return Seconds(i) / Length(); }

  // Adds f(i) to every sample.
  void Put(const std::function<double(std::size_t)>& f);
  // Multiplies every sample by f(i).
  void Scale(const std::function<double(std::size_t)>& f);
  void Noise(double sd_bytes);
  // A tooth's height over its floor at time i, 0 to 1: linear up, `jitter` in length and height.
  std::vector<double> Teeth(double period_s, double jitter);
  void Finish();

  double base = 0;  // the order of size
  Series series;

 private:
  std::mt19937_64 random_;
};

struct Recipe {
  const char* name;
  Verdict truth;
  void (*make)(Maker&);
};

const std::vector<Recipe>& Recipes();

// Each recipe once per seed.
Series MakeSeries(const Recipe& recipe, std::uint64_t seed);

}  // namespace fss::bench
