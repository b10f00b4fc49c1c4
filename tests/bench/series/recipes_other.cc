// Series whose truth is `filling`, `shrinking` or `unknown`.
#include <algorithm>
#include <cmath>

#include "tests/bench/series/recipe_parts.h"

namespace fss::bench {
namespace {

void FillDomain(Maker& m) {
  Domain(m, m.Uniform(1.5, 3));
  m.series.truth = {Verdict::kFilling};
}

// Too early to tell a slow plateau from none, or nearly there: two verdicts are
// right.
void FillDomainEdge(Maker& m) {
  const bool early = m.Chance(0.5);
  Domain(m, early ? m.Uniform(0.7, 1.5) : m.Uniform(3, 6));
  m.series.truth = {Verdict::kFilling, early ? Verdict::kGrowing : Verdict::kFlat};
}

void FillTtl(Maker& m) {
  m.AnyTimes();
  const bool rocksdb = m.Chance(0.5);
  const double rise = rocksdb ? AnyRocksDbRise(m) : AnyRise(m);
  Line(m, rise);
  m.Put([&](std::size_t) { return -m.base * 0.95; });
  m.series.ttl_ms = static_cast<std::int64_t>(m.Length() * m.LogUniform(1.05, 50) * 1000);
  if (rocksdb) {
    AddTeeth(m, Interval(m) * m.Uniform(3, 9), m.series.level * m.Uniform(0.02, 0.3), 0.2);
  }
  m.Noise(std::min(m.base, rise) * m.Uniform(0, 0.01));
  m.series.never_growing_from = 0;
}

// Traffic grew within the last TTL: the size will settle.
void FillTtlStep(Maker& m) {
  m.AnyTimes();
  const double ttl = m.Length() * m.Uniform(0.25, 0.4);
  m.series.ttl_ms = static_cast<std::int64_t>(ttl * 1000);
  const double at = m.Length() - ttl * m.Uniform(0.6, 0.95);
  const double more = m.Uniform(0.5, 2);
  m.Put([&](std::size_t i) {
    return m.base * (std::min(1.0, m.Seconds(i) / ttl) +
                     more * std::clamp((m.Seconds(i) - at) / ttl, 0.0, 1.0));
  });
  m.Noise(m.base * m.Uniform(0, 0.02));
  m.series.never_growing_from = 0;
}

void ShrinkLine(Maker& m) {
  m.AnyTimes();
  const double fall = m.base * m.Uniform(0.3, 0.95);
  m.Put([&](std::size_t i) { return m.base - fall * m.Share(i); });
  m.Noise(fall * m.Uniform(0, 0.05));
  m.series.never_growing_from = 0;
}

void ShrinkSaw(Maker& m) {
  ShrinkLine(m);
  AddTeeth(m, Interval(m) * m.Uniform(3, 9), m.base * m.Uniform(0.05, 0.2), 0.2);
}

void ShrinkLate(Maker& m) {
  m.AnyTimes();
  const double onset = m.Uniform(0.2, 0.7);
  const double fall = m.base * m.Uniform(0.3, 0.9);
  m.Put([&](std::size_t i) {
    return m.base - fall * std::max(0.0, m.Share(i) - onset) / (1 - onset);
  });
  m.Noise(m.base * m.Uniform(0, 0.03));
  m.series.never_growing_from = 0;
}

void TooFew(Maker& m) {
  m.Times(m.Int(2, 7), 60);
  Line(m, AnyRise(m));
  m.series.never_growing_from = 0;
}

}  // namespace

std::vector<Recipe> OtherRecipes() {
  return {
      {"fill-domain", Verdict::kFilling, FillDomain},
      {"fill-domain-edge", Verdict::kFilling, FillDomainEdge},
      {"fill-ttl", Verdict::kFilling, FillTtl},
      {"fill-ttl-step", Verdict::kFilling, FillTtlStep},
      {"shrink-line", Verdict::kShrinking, ShrinkLine},
      {"shrink-saw", Verdict::kShrinking, ShrinkSaw},
      {"shrink-late", Verdict::kShrinking, ShrinkLate},
      {"too-few", Verdict::kUnknown, TooFew},
  };
}

}  // namespace fss::bench
