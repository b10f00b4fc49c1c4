#include "sidecar/analysis/piecewise_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace fss {
namespace {

BlockSeries Make(std::size_t n, const std::function<double(double)>& f) {
  BlockSeries s;
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = static_cast<double>(i);
    s.Add(x, f(x) + (i % 2 == 0 ? 0.01 : -0.01));
  }
  return s;
}

TEST(PiecewiseFitTest, ALineIsALine) {
  const PiecewiseFit fit = FitPiecewise(Make(16, [](double x) { return 3 + 2 * x; }), 1e-9);
  EXPECT_EQ(fit.form, Form::kLine);
  EXPECT_NEAR(fit.slope_after, 2, 0.01);
  EXPECT_NEAR(fit.start, 3, 0.05);
  EXPECT_NEAR(fit.end, 33, 0.05);
  EXPECT_LT(fit.slope_after_error, 0.01);
}

TEST(PiecewiseFitTest, FindsABend) {
  const PiecewiseFit fit =
      FitPiecewise(Make(16, [](double x) { return x < 9 ? 5 * x : 45 + (x - 9); }), 1e-9);
  ASSERT_EQ(fit.form, Form::kBend);
  EXPECT_EQ(fit.knot, 10U);
  EXPECT_NEAR(fit.slope_before, 5, 0.05);
  EXPECT_NEAR(fit.slope_after, 1, 0.05);
  EXPECT_NEAR(fit.end, 51, 0.1);
}

TEST(PiecewiseFitTest, FindsAStepAndTheSlopeBesideIt) {
  const PiecewiseFit fit =
      FitPiecewise(Make(16, [](double x) { return x + (x >= 6 ? 50 : 0); }), 1e-9);
  ASSERT_EQ(fit.form, Form::kStep);
  EXPECT_EQ(fit.knot, 6U);
  EXPECT_NEAR(fit.step, 50, 0.1);
  EXPECT_NEAR(fit.slope_after, 1, 0.05);
  EXPECT_NEAR(fit.start, 0, 0.1);
  EXPECT_NEAR(fit.end, 65, 0.1);
}

TEST(PiecewiseFitTest, AFewBlocksAreALine) {
  const PiecewiseFit fit = FitPiecewise(Make(4, [](double x) { return x < 2 ? 0 : 9; }), 1e-9);
  EXPECT_EQ(fit.form, Form::kLine);
}

TEST(PiecewiseFitTest, NoFitIsSurerThanAllowed) {
  BlockSeries s;
  for (int i = 0; i < 8; ++i) s.Add(i, 7);
  const PiecewiseFit fit = FitPiecewise(s, 0.5);
  EXPECT_EQ(fit.form, Form::kLine);
  EXPECT_EQ(fit.noise, 0.5);
  EXPECT_GT(fit.slope_after_error, 0);
}

}  // namespace
}  // namespace fss
