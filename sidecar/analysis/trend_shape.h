// The shape of a size's floor over a window of time, found by fitting blocks of it.
#pragma once

#include <cstddef>
#include <span>

#include "sidecar/analysis/blocks.h"

namespace fss {

enum class Shape {
  kUnclear,  // nothing that lasts: noise, cycles, steps
  kRising,   // and it still does
  kSlowing,  // rising ever slower
  kStopped,  // rose, and no longer does
  kFalling,
};

// What a rise has to be to matter.
struct Significance {
  double relative_rise = 0;  // of the level, over the window
  double least_slope = 0;    // bytes per second: the backend's bookkeeping
  double strictness = 1;     // below 1: to keep a verdict that was made before
};

struct ShapeFound {
  Shape shape = Shape::kUnclear;
  double slope = 0;          // bytes per second at the end
  double slope_first = 0;    // before it slowed or stopped
  double level = 0;          // the mean level at the end
  double length_s = 0;       // of the window
  double bend_s = 0;         // from its start to the bend
  double onset_s = 0;        // where it began to rise (or fall) as it does, on the points' clock
  bool from_start = false;   // it did so from the first point on
  bool beside_step = false;  // a step was taken out
  bool certain = false;      // no other cut need be asked
};

// The level above which a size leaves its usual range. Needs a point, reads kMaxSizePoints.
double UsualCeiling(std::span<const LinePoint> points);

// Looks at the whole and, where that tells nothing, at ever shorter windows that end now.
ShapeFound FindShape(std::span<const LinePoint> points, const Significance& significance);

}  // namespace fss
