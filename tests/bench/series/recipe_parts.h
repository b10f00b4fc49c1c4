// What several recipes put together.
#pragma once

#include <vector>

#include "tests/bench/series/series_maker.h"

namespace fss::bench {

inline constexpr double kDay = 86400;
inline constexpr double kWeek = 7 * kDay;

// The whole rise of a growing series, in sizes at its start: from a third more to thirty times.
double AnyRise(Maker& m);
// The same for RocksDB: more than its bookkeeping grows by.
double AnyRocksDbRise(Maker& m);
// A line from the base up by `rise`, which it returns; sets the truth of growing recipes.
double Line(Maker& m, double rise);
// A constant that nothing may call growing.
void Flat(Maker& m);
double Interval(const Maker& m);

void AddTeeth(Maker& m, double period_s, double depth, double jitter);
void AddSpikes(Maker& m, double share, double size);
// A sine of any phase.
void AddWave(Maker& m, double period_s, double amplitude);
void AddDays(Maker& m, double amplitude);
// Work days carry `amplitude` more than weekends, with a day's ramp between.
void AddWeeks(Maker& m, double amplitude);
// A key domain of which nearly all was seen: `spans` time constants old.
void Domain(Maker& m, double spans);
// Irregular intervals and a hole.
void PunchGaps(Maker& m);
// RocksDB's MANIFEST: a few hundred bytes more with every checkpoint.
void AddManifest(Maker& m);

std::vector<Recipe> GrowingRecipes();
std::vector<Recipe> FlatRecipes();
std::vector<Recipe> OtherRecipes();

}  // namespace fss::bench
