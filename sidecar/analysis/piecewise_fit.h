// Least-squares fits of the few forms that a size can take over time: a line, a line with a bend,
// a line with a step. Inputs are block statistics (at most kMaxBlocks), so that a fit costs about a
// microsecond. Pure functions, safe from any thread.
#pragma once

#include <array>
#include <cstddef>

namespace fss {

inline constexpr std::size_t kMaxBlocks = 16;

// A short series: x ascending.
struct BlockSeries {
  std::size_t size = 0;
  std::array<double, kMaxBlocks> x{};
  std::array<double, kMaxBlocks> y{};

  void Add(double at, double value) {
    x[size] = at;
    y[size] = value;
    ++size;
  }
};

enum class Form { kLine, kBend, kStep };

struct PiecewiseFit {
  Form form = Form::kLine;
  std::size_t knot = 0;     // the bend or the first block after the step; 0 for a line
  double slope_before = 0;  // of a line and of a step: the slope everywhere
  double slope_after = 0;
  double slope_after_error = 0;   // standard error of slope_after
  double slope_change_error = 0;  // standard error of the bend
  double step = 0;                // height of the step
  double noise = 0;               // standard deviation of what the fit leaves over
  double start = 0;               // the fit at the first and at the last block
  double end = 0;
};

// The line, unless a bend or a step explains the series clearly better. Needs 3 values, and 6 for
// anything but a line. `least_noise` keeps a perfect fit from claiming infinite certainty.
PiecewiseFit FitPiecewise(const BlockSeries& series, double least_noise);

// The same, but a line whatever the form.
PiecewiseFit FitLine(const BlockSeries& series, double least_noise);

}  // namespace fss
