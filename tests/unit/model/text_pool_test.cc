#include "sidecar/model/text_pool.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(TextPoolTest, EqualTextsAreOne) {
  TextPool pool;
  const SharedText first = pool.Share("Compile the plan.");
  EXPECT_EQ(pool.Share("Compile the plan."), first);
  EXPECT_NE(pool.Share("Compile it."), first);
  EXPECT_EQ(*first, "Compile the plan.");
}

TEST(TextPoolTest, TrimForgetsWhatNobodyHolds) {
  TextPool pool;
  const SharedText held = pool.Share("held");
  (void)pool.Share("");
  EXPECT_EQ(pool.size(), 2U);
  pool.Trim();
  EXPECT_EQ(pool.size(), 1U);
  EXPECT_EQ(pool.Share("held"), held);
}

}  // namespace
}  // namespace fss
