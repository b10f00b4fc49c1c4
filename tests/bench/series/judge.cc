#include "tests/bench/series/judge.h"

#include <cmath>

namespace fss::bench {
namespace {

// As the operator catalogue has it for a GROUP BY on RocksDB.
constexpr double kGroupByBookkeepingBytes = 512;

}  // namespace

Judged Judge(const Series& series) {
  Judged judged;
  TrendTracker tracker;
  TrendContext context;
  context.ttl_ms = series.ttl_ms;
  context.line_start_ms = series.line_start_ms;
  context.bookkeeping_bytes_per_checkpoint = series.rocksdb ? kGroupByBookkeepingBytes : 0;
  for (std::size_t i = 0; i < series.samples.size(); ++i) {
    const Sample& sample = series.samples[i];
    if (sample.savepoint) continue;
    if (sample.fresh) {
      tracker.Clear();
      context.line_start_ms = sample.t_ms;
    }
    tracker.line().Add(sample.t_ms, std::llround(sample.bytes));
    const Verdict before = tracker.trend().verdict;
    const Verdict now = tracker.Update(context).verdict;
    judged.flips += before != Verdict::kUnknown && now != before ? 1 : 0;
    if (now != Verdict::kGrowing) continue;
    if (!judged.first_growing) judged.first_growing = i;
    if (!judged.first_at_onset && i >= series.onset) judged.first_at_onset = i;
    const bool wrong = series.never_growing_from && i >= *series.never_growing_from;
    judged.false_growing += wrong ? 1 : 0;
  }
  judged.trend = tracker.trend();
  return judged;
}

}  // namespace fss::bench
