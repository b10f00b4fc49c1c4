#include "sidecar/model/finding.h"

#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

TEST(AdviceTextTest, WhatIsAddedToACopyIsTheCopysAlone) {
  AdviceText advice;
  EXPECT_TRUE(advice.empty());
  advice = "Set a TTL.";
  AdviceText copy = advice;
  copy += " At this rate";
  copy += " it settles near 2 GiB.";
  EXPECT_EQ(advice.Text(), "Set a TTL.");
  EXPECT_EQ(copy.Text(), "Set a TTL. At this rate it settles near 2 GiB.");
}

TEST(AdviceTextTest, LinesOfDifferentTextsAreKeptOnce) {
  TextPool pool;
  AdviceText first;
  first = "Set a TTL.\n    SET 'x' = '1 d';\n\nCompile the plan.";
  AdviceText second;
  second = "Set a TTL.\n    SET 'x' = '7 d';\n\nCompile the plan.";
  second += " And so on.";
  first.ShareLines(&pool);
  second.ShareLines(&pool);
  EXPECT_EQ(pool.size(), 5U);
  EXPECT_EQ(first.Text(), "Set a TTL.\n    SET 'x' = '1 d';\n\nCompile the plan.");
  EXPECT_EQ(second.Text(), "Set a TTL.\n    SET 'x' = '7 d';\n\nCompile the plan. And so on.");
  AdviceText none;
  none.ShareLines(&pool);
  EXPECT_TRUE(none.empty());
}

TEST(AdviceTextTest, ANewTextReplacesAll) {
  AdviceText advice;
  advice += "first";
  EXPECT_FALSE(advice.empty());
  advice = "second";
  EXPECT_EQ(advice.Text(), "second");
  advice = std::string();
  EXPECT_TRUE(advice.empty());
  EXPECT_EQ(advice.Text(), "");
}

}  // namespace
}  // namespace fss
