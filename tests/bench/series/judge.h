// Runs the product's analysis over a series, checkpoint by checkpoint, as the sidecar does.
#pragma once

#include <cstddef>
#include <optional>

#include "sidecar/analysis/trend.h"
#include "tests/bench/series/series_maker.h"

namespace fss::bench {

struct Judged {
  Trend trend;                                // at the end
  std::optional<std::size_t> first_growing;   // the sample at which `growing` was first said
  std::optional<std::size_t> first_at_onset;  // the same, from the truth's onset on
  std::size_t false_growing = 0;              // samples judged growing where nothing may be
  std::size_t flips = 0;                      // changes of the verdict
};

Judged Judge(const Series& series);

}  // namespace fss::bench
