// Series whose truth is `flat`.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/bench/series/recipe_parts.h"

namespace fss::bench {
namespace {

void FlatConstant(Maker& m) {
  m.AnyTimes();
  Flat(m);
  m.Noise(m.base * m.Uniform(0, 0.005));
}

void FlatNoise(Maker& m) {
  m.AnyTimes();
  Flat(m);
  m.Noise(m.base * m.Uniform(0.01, 0.15));
}

void FlatSaw(Maker& m) {
  m.AnyTimes();
  m.series.rocksdb = true;
  Flat(m);
  AddTeeth(m, Interval(m) * m.Uniform(3, 12), m.base * m.LogUniform(0.1, 5), m.Uniform(0, 0.4));
  m.Noise(m.base * m.Uniform(0, 0.02));
}

// Deep and slow: the floor itself wanders by a few per cent of a tooth.
void FlatSawSlow(Maker& m) {
  m.AnyTimes();
  m.series.rocksdb = true;
  Flat(m);
  const double period = m.Length() / m.Uniform(3.5, 12);
  AddTeeth(m, period, m.base * m.LogUniform(0.3, 5), m.Uniform(0, 0.25));
  m.Noise(m.base * m.Uniform(0, 0.03));
}

void FlatSawTwo(Maker& m) {
  m.AnyTimes();
  m.series.rocksdb = true;
  Flat(m);
  const double slow = m.Length() / m.Uniform(5, 15);
  AddTeeth(m, Interval(m) * m.Uniform(3, 6), m.base * m.Uniform(0.1, 0.5), 0.1);
  AddTeeth(m, slow, m.base * m.Uniform(0.2, 1), 0.2);
}

// Windows open and close: nearly nothing, then full.
void FlatWindow(Maker& m) {
  m.AnyTimes();
  Flat(m);
  const double size = m.LogUniform(1.7, 25);
  const std::vector<double> fill = m.Teeth(Interval(m) * size, m.Uniform(0, 0.02));
  m.series.never_growing_from = static_cast<std::size_t>(3 * size) + 1;
  m.Put([&](std::size_t i) { return m.base * (fill[i] - 0.95); });
  m.Noise(m.base * m.Uniform(0, 0.01));
}

void DailyFrom(Maker& m, double period_s) {
  m.series.never_growing_from =
      static_cast<std::size_t>(2 * period_s / m.Length() * static_cast<double>(m.n()));
}

void FlatDaily(Maker& m) {
  m.Days(m.Uniform(3, 14));
  Flat(m);
  AddDays(m, m.base * m.Uniform(0.05, 0.8));
  m.Noise(m.base * m.Uniform(0, 0.05));
  DailyFrom(m, kDay);
}

// A cycle of any period.
void FlatWave(Maker& m) {
  m.AnyTimes();
  Flat(m);
  const double period = m.Length() / m.Uniform(2.2, 15);
  AddWave(m, period, m.base * m.Uniform(0.05, 0.8));
  m.Noise(m.base * m.Uniform(0, 0.05));
  DailyFrom(m, period);
}

// Weeks of checkpoints every three minutes: what thinning leaves of them.
void FlatLong(Maker& m) {
  m.Times(8000, 180);
  Flat(m);
  AddDays(m, m.base * m.Uniform(0.1, 0.6));
  AddTeeth(m, Interval(m) * m.Uniform(3, 9), m.base * m.Uniform(0.02, 0.5), 0.2);
  m.Noise(m.base * m.Uniform(0, 0.05));
  DailyFrom(m, kDay);
}

void FlatWeekly(Maker& m) {
  m.Days(m.Uniform(16, 45));
  Flat(m);
  AddWeeks(m, m.base * m.Uniform(0.1, 1));
  AddDays(m, m.base * m.Uniform(0, 0.3));
  m.Noise(m.base * m.Uniform(0, 0.03));
  DailyFrom(m, kWeek);
}

void FlatStep(Maker& m) {
  m.AnyTimes();
  Flat(m);
  const int steps = m.Int(1, 2);
  for (int k = 0; k < steps; ++k) {
    const double at = m.Uniform(0.05, 0.95);
    const double height = m.base * m.LogUniform(0.1, 3) * (k == 0 || m.Chance(0.5) ? 1 : -0.3);
    m.Put([&](std::size_t i) { return m.Share(i) > at ? height : 0.0; });
  }
  m.Noise(m.base * m.Uniform(0, 0.03));
}

void FlatSpikes(Maker& m) {
  m.AnyTimes();
  Flat(m);
  AddSpikes(m, m.Uniform(0.01, 0.15), m.base * m.Uniform(0.1, 2));
  m.Noise(m.base * m.Uniform(0, 0.03));
}

void FlatGaps(Maker& m) {
  m.AnyTimes();
  Flat(m);
  if (m.Chance(0.5)) AddTeeth(m, Interval(m) * m.Uniform(3, 9), m.base * m.Uniform(0.1, 1), 0.2);
  m.Noise(m.base * m.Uniform(0, 0.05));
  PunchGaps(m);
}

void FlatRestore(Maker& m) {
  m.AnyTimes();
  Flat(m);
  m.Noise(m.base * m.Uniform(0, 0.02));
  const int restores = m.Int(1, 4);
  for (int k = 0; k < restores; ++k) {
    const double at = m.Uniform(0.1, 0.9);
    const double drop = m.base * m.Uniform(0.02, 0.3);
    const double heals = m.Uniform(0.01, 0.1);  // rows below an older checkpoint come back
    bool done = false;
    for (std::size_t i = 0; i < m.n(); ++i) {
      const double since = m.Share(i) - at;
      if (since <= 0) continue;
      m.series.samples[i].restored |= !done;
      done = true;
      m.series.samples[i].bytes -= drop * std::exp(-since / heals);
    }
  }
}

void FlatSavepoints(Maker& m) {
  FlatSaw(m);
  for (Sample& s : m.series.samples) {
    if (!m.Chance(0.03)) continue;
    s.savepoint = true;
    s.bytes *= m.Uniform(0.2, 6);
  }
}

void FlatChangelog(Maker& m) {
  m.Times(m.Int(400, 1500), m.Chance(0.5) ? 10 : 15);
  Flat(m);
  AddTeeth(m, 600, m.base * m.LogUniform(0.1, 6), 0.02);
  m.Noise(m.base * m.Uniform(0, 0.01));
}

void FlatUnaligned(Maker& m) {
  m.AnyTimes();
  Flat(m);
  m.Put([&](std::size_t) { return m.Chance(0.4) ? m.base * m.Uniform(0, 2) : 0.0; });
  // Back-pressure for a while: every checkpoint carries buffers.
  const double from = m.Uniform(0.2, 0.6);
  const double until = from + m.Uniform(0.02, 0.15);
  m.Put([&](std::size_t i) {
    return m.Share(i) > from && m.Share(i) < until ? m.base * m.Uniform(0, 1) : 0.0;
  });
}

void FlatStopped(Maker& m) {
  m.AnyTimes();
  const double rise = AnyRise(m);
  const double stop = m.Uniform(0.25, 0.75);
  m.Put([&](std::size_t i) { return m.base + rise * std::min(1.0, m.Share(i) / stop); });
  m.Noise(rise * m.Uniform(0, 0.03));
  m.series.level = m.base + rise;
}

void FlatStoppedSaw(Maker& m) {
  FlatStopped(m);
  const double grown = m.series.level - m.base;
  AddTeeth(m, Interval(m) * m.Uniform(3, 9), grown * m.Uniform(0.05, 0.6), m.Uniform(0, 0.3));
}

void FlatStoppedDaily(Maker& m) {
  m.Days(m.Uniform(6, 14));
  const double rise = AnyRise(m);
  const double stop = m.Uniform(0.25, 0.65);
  m.Put([&](std::size_t i) { return m.base + rise * std::min(1.0, m.Share(i) / stop); });
  AddDays(m, std::min(m.base, rise) * m.Uniform(0.05, 0.5));
}

// Bursts that decay: a source catches up, a window is late.
void FlatBursts(Maker& m) {
  m.AnyTimes();
  Flat(m);
  const double often = m.Uniform(0.002, 0.02);
  const double decay = m.Uniform(0.5, 0.9);
  double burst = 0;
  m.Put([&](std::size_t) {
    if (m.Chance(often)) burst += m.base * m.Uniform(0.2, 1) * m.Pareto(1.5);
    burst *= decay;
    return burst;
  });
  m.Noise(m.base * m.Uniform(0, 0.03));
}

// Loads that are purged again, each for a good part of the series.
void FlatLoads(Maker& m) {
  m.AnyTimes();
  Flat(m);
  const double loads = m.Uniform(4, 10);
  const double height = m.base * m.LogUniform(0.2, 4);
  const double phase = m.Uniform(0, 1);
  m.Put([&](std::size_t i) {
    return std::fmod(m.Share(i) * loads + phase, 1.0) < 0.5 ? height : 0.0;
  });
  m.Noise(m.base * m.Uniform(0, 0.03));
}

void FlatDomainFull(Maker& m) { Domain(m, m.Uniform(6, 20)); }

void FlatTtlReached(Maker& m) {
  m.AnyTimes();
  const double ttl = m.Length() * m.Uniform(0.03, 0.4);
  m.series.ttl_ms = static_cast<std::int64_t>(ttl * 1000);
  m.series.rocksdb = m.Chance(0.5);
  const double plateau = m.base;
  // The heap cleans up a few per cent late; RocksDB keeps expired rows until a
  // compaction.
  m.series.never_growing_from = 0;
  const double creep = plateau * m.Uniform(0, 0.04);
  m.Put([&](std::size_t i) {
    return plateau * std::min(1.0, m.Seconds(i) / ttl) + creep * m.Share(i);
  });
  if (m.series.rocksdb) {
    const double period = std::max(Interval(m) * m.Uniform(4, 12), ttl * m.Uniform(0.05, 0.3));
    AddTeeth(m, period, plateau * m.Uniform(0.1, 0.6), 0.2);
  }
  m.Noise(plateau * m.Uniform(0, 0.02));
}

// TTL long over; the state follows the traffic of the day.
void FlatTtlTraffic(Maker& m) {
  FlatDaily(m);
  m.series.ttl_ms = static_cast<std::int64_t>(m.Uniform(0.5, 6) * 3.6e6);
}

// Traffic doubled once; a TTL later the size has settled anew.
void FlatTtlStep(Maker& m) {
  m.AnyTimes();
  const double ttl = m.Length() * m.Uniform(0.03, 0.15);
  m.series.ttl_ms = static_cast<std::int64_t>(ttl * 1000);
  const double at = m.Length() * m.Uniform(0.3, 0.55);
  const double more = m.Uniform(0.3, 1.5);
  m.Put([&](std::size_t i) {
    return m.base * (std::min(1.0, m.Seconds(i) / ttl) +
                     more * std::clamp((m.Seconds(i) - at) / ttl, 0.0, 1.0));
  });
  m.Noise(m.base * m.Uniform(0, 0.02));
  m.series.never_growing_from = 0;
}

void FlatManifest(Maker& m) {
  m.Times(m.Int(150, 1500), m.Chance(0.5) ? 5 : 10);
  m.base = m.LogUniform(3e4, 3e6);
  Flat(m);
  AddTeeth(m, Interval(m) * m.Uniform(3, 8), m.base * m.Uniform(0.1, 0.8), 0.05);
  AddManifest(m);
}

// Wanders with a memory, as the rate of a busy source does.
void FlatWandering(Maker& m) {
  m.AnyTimes();
  Flat(m);
  const double memory = m.Uniform(0.5, 0.97);
  const double sd = m.base * m.Uniform(0.01, 0.1);
  // Shorter than a few times its memory a walk may honestly look like a rise.
  m.series.never_growing_from = static_cast<std::size_t>(8 / (1 - memory));
  double state = m.Normal();
  m.Put([&](std::size_t) {
    state = memory * state + std::sqrt(1 - memory * memory) * m.Normal();
    return sd * state;
  });
}

}  // namespace

std::vector<Recipe> FlatRecipes() {
  return {
      {"flat-constant", Verdict::kFlat, FlatConstant},
      {"flat-noise", Verdict::kFlat, FlatNoise},
      {"flat-saw", Verdict::kFlat, FlatSaw},
      {"flat-saw-slow", Verdict::kFlat, FlatSawSlow},
      {"flat-saw-two", Verdict::kFlat, FlatSawTwo},
      {"flat-window", Verdict::kFlat, FlatWindow},
      {"flat-daily", Verdict::kFlat, FlatDaily},
      {"flat-wave", Verdict::kFlat, FlatWave},
      {"flat-long", Verdict::kFlat, FlatLong},
      {"flat-weekly", Verdict::kFlat, FlatWeekly},
      {"flat-step", Verdict::kFlat, FlatStep},
      {"flat-spikes", Verdict::kFlat, FlatSpikes},
      {"flat-gaps", Verdict::kFlat, FlatGaps},
      {"flat-restore", Verdict::kFlat, FlatRestore},
      {"flat-savepoints", Verdict::kFlat, FlatSavepoints},
      {"flat-changelog", Verdict::kFlat, FlatChangelog},
      {"flat-unaligned", Verdict::kFlat, FlatUnaligned},
      {"flat-stopped", Verdict::kFlat, FlatStopped},
      {"flat-stopped-saw", Verdict::kFlat, FlatStoppedSaw},
      {"flat-stopped-daily", Verdict::kFlat, FlatStoppedDaily},
      {"flat-bursts", Verdict::kFlat, FlatBursts},
      {"flat-loads", Verdict::kFlat, FlatLoads},
      {"flat-domain-full", Verdict::kFlat, FlatDomainFull},
      {"flat-ttl-reached", Verdict::kFlat, FlatTtlReached},
      {"flat-ttl-traffic", Verdict::kFlat, FlatTtlTraffic},
      {"flat-ttl-step", Verdict::kFlat, FlatTtlStep},
      {"flat-manifest", Verdict::kFlat, FlatManifest},
      {"flat-wandering", Verdict::kFlat, FlatWandering},
  };
}

}  // namespace fss::bench
