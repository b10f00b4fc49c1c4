// Series whose truth is `growing`. Every recipe varies interval, length, size,
// noise, strength and phase by the seed.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/bench/series/recipe_parts.h"

namespace fss::bench {
namespace {

void GrowLine(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  m.Noise(rise * m.Uniform(0, 0.03));
}

void GrowNoisy(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  m.Noise(rise * m.Uniform(0.05, 0.2));
}

void GrowSaw(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRocksDbRise(m));
  AddTeeth(m, Interval(m) * m.Uniform(3, 9), rise * m.Uniform(0.02, 1.2), m.Uniform(0, 0.3));
  m.Noise(rise * m.Uniform(0, 0.01));
}

void GrowSawSlow(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRocksDbRise(m));
  AddTeeth(m, m.Length() / m.Uniform(4.5, 12), rise * m.Uniform(0.2, 1.2), m.Uniform(0, 0.2));
  m.Noise(rise * m.Uniform(0, 0.01));
}

void GrowSawTwo(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRocksDbRise(m));
  AddTeeth(m, Interval(m) * m.Uniform(3, 6), rise * m.Uniform(0.05, 0.2), 0.1);
  AddTeeth(m, m.Length() / m.Uniform(6, 15), rise * m.Uniform(0.1, 0.4), 0.2);
}

void GrowDaily(Maker& m) {
  m.Days(m.Uniform(3.5, 14));
  const double rise = Line(m, AnyRise(m));
  AddDays(m, std::min(m.base, rise) * m.Uniform(0.1, 0.8));
  m.Noise(rise * m.Uniform(0, 0.02));
}

void GrowDailyRate(Maker& m) {
  m.Days(m.Uniform(3.5, 14));
  const double rise = AnyRise(m);
  Line(m, rise);
  // The rate follows the traffic: it swings by up to nine tenths between night
  // and day.
  AddDays(m, rise / m.Length() * kDay / (2 * std::numbers::pi) * m.Uniform(0.3, 0.9));
  m.Noise(rise * m.Uniform(0, 0.005));
}

void GrowWeekly(Maker& m) {
  m.Days(m.Uniform(16, 45));
  const double rise = Line(m, AnyRise(m));
  AddWeeks(m, rise * m.Uniform(0.05, 0.5));
  m.Noise(rise * m.Uniform(0, 0.01));
}

void GrowStep(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  const double at = m.Uniform(0.2, 0.7);
  const double step = rise * m.Uniform(0.2, 0.8) * (m.Chance(0.5) ? 1 : -0.4);
  m.Put([&](std::size_t i) { return m.Share(i) > at ? step : 0.0; });
  m.series.level += step;
  m.Noise(rise * m.Uniform(0, 0.02));
}

void GrowSpikes(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  AddSpikes(m, m.Uniform(0.01, 0.1), rise * m.Uniform(0.1, 0.5));
  m.Noise(rise * m.Uniform(0, 0.02));
}

void GrowGaps(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  m.Noise(rise * m.Uniform(0, 0.03));
  PunchGaps(m);
}

void GrowLate(Maker& m) {
  m.AnyTimes();
  const double rise = AnyRise(m);
  const double onset = m.Uniform(0.2, 0.8);
  m.Put([&](std::size_t i) {
    return m.base + rise * std::max(0.0, m.Share(i) - onset) / (1 - onset);
  });
  m.series.slope = rise / m.Length() / (1 - onset);
  m.series.level = m.base + rise;
  m.series.onset = static_cast<std::size_t>(onset * static_cast<double>(m.n()));
  m.Noise(std::min(m.base, rise) * m.Uniform(0, 0.04));
}

// A cycle of any period.
void GrowWave(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  AddWave(m, m.Length() / m.Uniform(4, 15), rise * m.Uniform(0.05, 0.4));
  m.Noise(rise * m.Uniform(0, 0.02));
}

// Weeks of checkpoints every three minutes: what thinning leaves of them.
void GrowLong(Maker& m) {
  m.Times(8000, 180);
  const double rise = Line(m, m.base * m.LogUniform(0.3, 10));
  AddDays(m, std::min(m.base, rise) * m.Uniform(0.1, 0.6));
  AddTeeth(m, Interval(m) * m.Uniform(3, 9), rise * m.Uniform(0.02, 0.3), 0.2);
  m.Noise(rise * m.Uniform(0, 0.03));
}

// Days as ever, then growth on top of them, for at least two days.
void GrowLateDaily(Maker& m) {
  m.Days(m.Uniform(6, 14));
  m.Put([&](std::size_t) { return m.base; });
  const double days = m.Length() / kDay;
  const double onset = m.Uniform(0.3, std::min(0.65, 1 - 2 / days));
  const double rise = m.base * m.LogUniform(1, 10);
  m.Put([&](std::size_t i) { return rise * std::max(0.0, m.Share(i) - onset) / (1 - onset); });
  m.series.slope = rise / m.Length() / (1 - onset);
  m.series.level = m.base + rise;
  m.series.onset = static_cast<std::size_t>(onset * static_cast<double>(m.n()));
  AddDays(m, m.base * m.Uniform(0.1, 0.5));
  m.Noise(m.base * m.Uniform(0, 0.03));
}

void GrowLateSaw(Maker& m) {
  GrowLate(m);
  const double late = m.series.level - m.base;
  AddTeeth(m, Interval(m) * m.Uniform(3, 9), std::min(m.base, late) * m.Uniform(0.05, 0.5), 0.2);
}

// A tenth to a third more over all that was seen, with little noise.
void GrowSlow(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, m.base * m.Uniform(0.1, 0.3));
  m.Noise(rise * m.Uniform(0, 0.05));
}

// Two inputs: one settles after its TTL, the other is kept for ever.
void GrowOneInput(Maker& m) {
  m.AnyTimes();
  const double rise = m.base * m.LogUniform(0.5, 10);
  const double settled = m.Uniform(0.02, 0.15);
  const double other = rise * m.Uniform(0.02, 0.5);
  m.Put([&](std::size_t i) {
    return rise * m.Share(i) + other * std::min(1.0, m.Share(i) / settled);
  });
  m.series.slope = rise / m.Length();
  m.series.level = rise + other;
  m.Noise(rise * m.Uniform(0, 0.02));
}

void GrowRestore(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  m.Noise(rise * m.Uniform(0, 0.01));
  // After a restore RocksDB has fewer bytes for the same rows, from then on or
  // for a while.
  const double at = m.Uniform(0.2, 0.75);
  const double drop = m.Uniform(0.05, 0.5);
  bool done = false;
  double below = 0;
  for (std::size_t i = 0; i < m.n(); ++i) {
    if (m.Share(i) <= at) continue;
    Sample& s = m.series.samples[i];
    if (!done) below = s.bytes * drop;
    s.restored = !done;
    done = true;
    s.bytes -= below;
  }
  m.series.level -= below;
}

void GrowSavepoints(Maker& m) {
  GrowSaw(m);
  for (Sample& s : m.series.samples) {
    if (!m.Chance(0.03)) continue;
    s.savepoint = true;
    s.bytes *= m.Uniform(0.2, 6);
  }
}

void GrowChangelog(Maker& m) {
  m.Times(m.Int(500, 1500), m.Chance(0.5) ? 10 : 15);
  const double rise = Line(m, AnyRise(m));
  AddTeeth(m, 600, rise * m.Uniform(0.05, 0.6), 0.02);
  m.Noise(rise * m.Uniform(0, 0.01));
}

void GrowUnaligned(Maker& m) {
  m.AnyTimes();
  const double rise = Line(m, AnyRise(m));
  const double in_flight = rise * m.Uniform(0.02, 0.4);
  m.Put([&](std::size_t) { return m.Chance(0.4) ? in_flight * m.Uniform(0, 1) : 0.0; });
  m.series.level += in_flight * 0.2;
}

void GrowPastTtl(Maker& m) {
  m.AnyTimes();
  m.series.ttl_ms = static_cast<std::int64_t>(m.Length() * m.Uniform(0.02, 0.25) * 1000);
  m.series.onset = static_cast<std::size_t>(static_cast<double>(*m.series.ttl_ms) / 1000 /
                                            m.Length() * static_cast<double>(m.n()));
  m.series.rocksdb = m.Chance(0.5);
  const double rise = Line(m, m.base * m.LogUniform(1, 30));
  m.Noise(rise * m.Uniform(0, 0.02));
}

void GrowManifest(Maker& m) {
  GrowSaw(m);
  AddManifest(m);
}

void GrowGlitches(Maker& m) {
  GrowLine(m);
  // A checkpoint while the operator was restarting reports next to nothing.
  const int glitches = m.Int(1, 3);
  for (int i = 0; i < glitches; ++i) {
    m.series.samples[static_cast<std::size_t>(m.Int(1, static_cast<int>(m.n()) - 2))].bytes *= 0.05;
  }
}

void GrowBatches(Maker& m) {
  m.AnyTimes();
  const double batches = m.Uniform(12, 40);
  const double rise = AnyRise(m);
  const double phase = m.Uniform(0, 1);
  m.Put([&](std::size_t i) {
    return m.base + rise * std::floor(m.Share(i) * batches + phase) / batches;
  });
  m.series.slope = rise / m.Length();
  m.series.level = m.base + rise;
  m.Noise(rise * m.Uniform(0, 0.01));
}

void GrowFresh(Maker& m) {
  m.AnyTimes();
  const double at = m.Uniform(0.2, 0.6);
  const double rise = AnyRise(m);
  bool done = false;
  for (std::size_t i = 0; i < m.n(); ++i) {
    const bool after = m.Share(i) > at;
    m.series.samples[i].fresh = after && !done;
    if (after && !done) m.series.onset = i;
    done = after;
    m.series.samples[i].bytes = rise * (after ? m.Share(i) - at : m.Share(i) + 0.3);
  }
  m.series.slope = rise / m.Length();
  m.series.level = rise * (1 - at);
  m.Noise(rise * m.Uniform(0, 0.01));
}

}  // namespace

std::vector<Recipe> GrowingRecipes() {
  return {
      {"grow-line", Verdict::kGrowing, GrowLine},
      {"grow-noisy", Verdict::kGrowing, GrowNoisy},
      {"grow-saw", Verdict::kGrowing, GrowSaw},
      {"grow-saw-slow", Verdict::kGrowing, GrowSawSlow},
      {"grow-saw-two", Verdict::kGrowing, GrowSawTwo},
      {"grow-daily", Verdict::kGrowing, GrowDaily},
      {"grow-daily-rate", Verdict::kGrowing, GrowDailyRate},
      {"grow-weekly", Verdict::kGrowing, GrowWeekly},
      {"grow-step", Verdict::kGrowing, GrowStep},
      {"grow-spikes", Verdict::kGrowing, GrowSpikes},
      {"grow-gaps", Verdict::kGrowing, GrowGaps},
      {"grow-late", Verdict::kGrowing, GrowLate},
      {"grow-wave", Verdict::kGrowing, GrowWave},
      {"grow-long", Verdict::kGrowing, GrowLong},
      {"grow-late-daily", Verdict::kGrowing, GrowLateDaily},
      {"grow-late-saw", Verdict::kGrowing, GrowLateSaw},
      {"grow-slow", Verdict::kGrowing, GrowSlow},
      {"grow-one-input", Verdict::kGrowing, GrowOneInput},
      {"grow-restore", Verdict::kGrowing, GrowRestore},
      {"grow-savepoints", Verdict::kGrowing, GrowSavepoints},
      {"grow-changelog", Verdict::kGrowing, GrowChangelog},
      {"grow-unaligned", Verdict::kGrowing, GrowUnaligned},
      {"grow-past-ttl", Verdict::kGrowing, GrowPastTtl},
      {"grow-manifest", Verdict::kGrowing, GrowManifest},
      {"grow-glitches", Verdict::kGrowing, GrowGlitches},
      {"grow-batches", Verdict::kGrowing, GrowBatches},
      {"grow-fresh", Verdict::kGrowing, GrowFresh},
  };
}

}  // namespace fss::bench
