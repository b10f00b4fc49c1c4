#include "sidecar/analysis/piecewise_fit.h"

#include <algorithm>
#include <cmath>

namespace fss {
namespace {

// A second slope or a step is one more number to fit, and its place is searched for: it has to
// take away this multiple of what chance would (an F statistic; 12 is beyond 99 % for 6 to 16
// blocks with the search).
constexpr double kFormGain = 12.0;
constexpr double kFormGainOfFew = 40.0;  // more, divided by the degrees of freedom
constexpr std::size_t kLeastForForm = 6;
constexpr std::size_t kLeastBesideKnot = 2;
// Below this share of what it could be the two columns are one.
constexpr double kLeastDeterminant = 1e-9;

struct Moments {
  double n = 0;
  double mean_x = 0;
  double mean_y = 0;
  double sxx = 0;
  double sxy = 0;
  double syy = 0;
};

Moments MomentsOf(const BlockSeries& s) {
  Moments m;
  m.n = static_cast<double>(s.size);
  for (std::size_t i = 0; i < s.size; ++i) {
    m.mean_x += s.x[i];
    m.mean_y += s.y[i];
  }
  m.mean_x /= m.n;
  m.mean_y /= m.n;
  for (std::size_t i = 0; i < s.size; ++i) {
    const double dx = s.x[i] - m.mean_x;
    const double dy = s.y[i] - m.mean_y;
    m.sxx += dx * dx;
    m.sxy += dx * dy;
    m.syy += dy * dy;
  }
  return m;
}

// Sums over the blocks from one on, x and y taken from their means.
struct TailSums {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
};

// What the third column of the regression is at block i, for a form with its knot.
double Column(const BlockSeries& s, Form form, std::size_t knot, std::size_t i) {
  if (i < knot) return 0;
  return form == Form::kStep ? 1.0 : s.x[i] - s.x[knot - 1];
}

// Two-column regression: y = a + b x + c z.
struct Fit3 {
  bool ok = false;
  double b = 0;
  double c = 0;
  double sse = 0;
  double mean_z = 0;
  double sxz = 0;
  double szz = 0;
  double det = 0;
};

// `tail` holds the sums from the knot on; `from` is the column's zero, as x is taken.
Fit3 FitWith(const Moments& m, const TailSums& tail, Form form, double from) {
  Fit3 fit;
  double sum = tail.n;
  double szz = tail.n;
  double szy = tail.y;
  fit.sxz = tail.x;
  if (form == Form::kBend) {
    sum = tail.x - tail.n * from;
    szz = tail.xx - 2 * from * tail.x + tail.n * from * from;
    szy = tail.xy - from * tail.y;
    fit.sxz = tail.xx - from * tail.x;
  }
  fit.mean_z = sum / m.n;
  fit.szz = szz - sum * fit.mean_z;
  fit.det = m.sxx * fit.szz - fit.sxz * fit.sxz;
  if (!(fit.det > kLeastDeterminant * m.sxx * fit.szz)) return fit;
  fit.b = (fit.szz * m.sxy - fit.sxz * szy) / fit.det;
  fit.c = (m.sxx * szy - fit.sxz * m.sxy) / fit.det;
  fit.sse = std::max(0.0, m.syy - fit.b * m.sxy - fit.c * szy);
  fit.ok = true;
  return fit;
}

PiecewiseFit LineOf(const BlockSeries& s, const Moments& m, double least_noise) {
  PiecewiseFit fit;
  const double slope = m.sxx > 0 ? m.sxy / m.sxx : 0;
  const double sse = std::max(0.0, m.syy - slope * m.sxy);
  const double freedom = std::max(1.0, m.n - 2);
  fit.slope_before = slope;
  fit.slope_after = slope;
  fit.noise = std::max(least_noise, std::sqrt(sse / freedom));
  fit.slope_after_error = m.sxx > 0 ? fit.noise / std::sqrt(m.sxx) : fit.noise;
  fit.start = m.mean_y + slope * (s.x[0] - m.mean_x);
  fit.end = m.mean_y + slope * (s.x[s.size - 1] - m.mean_x);
  return fit;
}

PiecewiseFit FormOf(const BlockSeries& s, const Moments& m, Form form, std::size_t knot,
                    const Fit3& f, double least_noise) {
  PiecewiseFit fit;
  fit.form = form;
  fit.knot = knot;
  fit.noise = std::max(least_noise, std::sqrt(f.sse / std::max(1.0, m.n - 4)));
  fit.slope_before = f.b;
  fit.slope_after = form == Form::kBend ? f.b + f.c : f.b;
  fit.step = form == Form::kStep ? f.c : 0;
  const double after = form == Form::kBend ? f.szz + m.sxx - 2 * f.sxz : f.szz;
  fit.slope_after_error = fit.noise * std::sqrt(std::max(0.0, after) / f.det);
  fit.slope_change_error = fit.noise * std::sqrt(m.sxx / f.det);
  const std::size_t last = s.size - 1;
  fit.start = m.mean_y + f.b * (s.x[0] - m.mean_x) - f.c * f.mean_z;
  fit.end =
      m.mean_y + f.b * (s.x[last] - m.mean_x) + f.c * (Column(s, form, knot, last) - f.mean_z);
  return fit;
}

}  // namespace

PiecewiseFit FitLine(const BlockSeries& series, double least_noise) {
  return LineOf(series, MomentsOf(series), least_noise);
}

PiecewiseFit FitPiecewise(const BlockSeries& series, double least_noise) {
  const Moments m = MomentsOf(series);
  const PiecewiseFit line = LineOf(series, m, least_noise);
  if (series.size < kLeastForForm) return line;

  Fit3 best;
  Form best_form = Form::kLine;
  std::size_t best_knot = 0;
  TailSums tail;
  for (std::size_t knot = series.size - 1; knot >= kLeastBesideKnot; --knot) {
    const double x = series.x[knot] - m.mean_x;
    const double y = series.y[knot] - m.mean_y;
    tail.n += 1;
    tail.x += x;
    tail.y += y;
    tail.xx += x * x;
    tail.xy += x * y;
    if (knot + kLeastBesideKnot > series.size) continue;
    const double from = series.x[knot - 1] - m.mean_x;
    for (const Form form : {Form::kBend, Form::kStep}) {
      const Fit3 fit = FitWith(m, tail, form, from);
      if (!fit.ok || (best.ok && fit.sse >= best.sse)) continue;
      best = fit;
      best_form = form;
      best_knot = knot;
    }
  }
  if (!best.ok) return line;
  const double line_sse = std::max(0.0, m.syy - line.slope_after * m.sxy);
  const double freedom = m.n - 4;
  const double left = std::max(best.sse / freedom, least_noise * least_noise);
  if (line_sse - best.sse < (kFormGain + kFormGainOfFew / freedom) * left) return line;
  return FormOf(series, m, best_form, best_knot, best, least_noise);
}

}  // namespace fss
