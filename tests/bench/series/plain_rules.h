// Two rules that people write when they have nothing better, for comparison.
#pragma once

#include <cstddef>

#include "tests/bench/series/series_maker.h"

namespace fss::bench {

struct PlainVerdict {
  Verdict verdict = Verdict::kUnknown;
  double slope = 0;
};

// Least squares over the last hour (or the last ten checkpoints where an hour holds fewer), as
// PromQL's predict_linear over [1h]: growing when that predicts more than 1 % of rise in an hour's
// (or the ten checkpoints') time.
PlainVerdict RegressionRule(const Series& series);

// Last against first: growing when the last is 5 % above.
PlainVerdict LastAgainstFirst(const Series& series);

}  // namespace fss::bench
