#include "collectors/pseudonyms.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fss {
namespace {

TEST(PseudonymsTest, TheSameNameGetsTheSame) {
  Pseudonyms names;
  EXPECT_EQ(names.Word("orders"), "x_a");
  EXPECT_EQ(names.Word("users"), "x_b");
  EXPECT_EQ(names.Word("orders"), "x_a");
  EXPECT_EQ(names.Word("Orders"), "x_c") << "case tells names apart";
  EXPECT_EQ(names.Literal("orders"), "s_a");
  EXPECT_EQ(names.Number("17"), "n_a");
  EXPECT_EQ(names.Number("18"), "n_b");
}

TEST(PseudonymsTest, KeepsTheNumberThatTellsEqualColumnsApart) {
  Pseudonyms names;
  EXPECT_EQ(names.Word("order_id0"), "x_a0");
  EXPECT_EQ(names.Word("order_id"), "x_a");
  EXPECT_EQ(names.Word("order_id10"), "x_a10");
}

TEST(PseudonymsTest, LongerNumbersBelongToTheName) {
  Pseudonyms names;
  const std::string year = names.Word("sales2024");
  EXPECT_EQ(year.find("2024"), std::string::npos);
  EXPECT_EQ(year, "x_a100");
  EXPECT_EQ(names.Word("sales2025"), "x_a101");
  EXPECT_EQ(names.Word("costs2024"), "x_b100");
  EXPECT_EQ(names.Word("4711"), "x_c") << "no name but a number: it has no stem";
}

TEST(PseudonymsTest, NoTwoNamesGetTheSame) {
  Pseudonyms names;
  std::set<std::string> given;
  constexpr int kMany = 2000;
  for (int i = 0; i < kMany; ++i) {
    const std::string name = names.Word("column" + std::string(static_cast<std::size_t>(i), 'x'));
    EXPECT_TRUE(given.insert(name).second) << name;
    EXPECT_EQ(name.find_first_of("0123456789"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace fss
