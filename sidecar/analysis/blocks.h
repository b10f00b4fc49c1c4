// A window of a size's line, cut into blocks of equal time: of each its floor and its mean.
#pragma once

#include <cstddef>
#include <span>

#include "sidecar/analysis/piecewise_fit.h"

namespace fss {

// A point on a clock in seconds.
struct LinePoint {
  double at = 0;
  double low = 0;
  double mid = 0;
};

struct Blocks {
  double end = 0;  // of the window
  BlockSeries low;
  BlockSeries mid;

  // The mean height above the floor.
  double Spread() const {
    double spread = 0;
    for (std::size_t i = 0; i < low.size; ++i) spread += mid.y[i] - low.y[i];
    return spread / static_cast<double>(low.size);
  }
};

// Blocks of equal time, at most kMaxBlocks; those without a point (gaps) are left out.
Blocks Cut(std::span<const LinePoint> points, std::size_t count);

}  // namespace fss
