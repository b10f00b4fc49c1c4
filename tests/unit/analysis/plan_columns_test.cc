#include "sidecar/analysis/plan_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::pair<std::string, std::string>> Items(std::string_view list) {
  std::vector<std::pair<std::string, std::string>> items;
  for (const SelectItem& item : SelectItems(list)) items.emplace_back(item.expression, item.name);
  return items;
}

std::vector<std::pair<std::string, std::string>> Equal(std::string_view condition) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const ColumnPair& pair : EqualColumns(condition)) pairs.emplace_back(pair.left, pair.right);
  return pairs;
}

// Texts of plans that Flink 1.20.5 and 2.3.0 compiled.
TEST(SelectItemsTest, SplitsOutsideOfBrackets) {
  EXPECT_THAT(
      Items("user_id, MAX_RETRACT(amount) FILTER $f2 AS $f1"),
      ElementsAre(Pair("user_id", "user_id"), Pair("MAX_RETRACT(amount) FILTER $f2", "$f1")));
  EXPECT_THAT(Items("CAST(user_id AS VARCHAR(2147483647)) AS EXPR$0, amount"),
              ElementsAre(Pair("CAST(user_id AS VARCHAR(2147483647))", "EXPR$0"),
                          Pair("amount", "amount")));
  EXPECT_THAT(Items("SUM_RETRACT(amount) AS (sum$0, count$1), LISTAGG((a$0, b$1)) AS $f1"),
              ElementsAre(Pair("SUM_RETRACT(amount)", "(sum$0, count$1)"),
                          Pair("LISTAGG((a$0, b$1))", "$f1")));
  EXPECT_THAT(Items("CAST(a AS BIGINT)"),
              ElementsAre(Pair("CAST(a AS BIGINT)", "CAST(a AS BIGINT)")));
}

TEST(SelectItemsTest, BracketsThatDoNotPairGiveNothing) {
  EXPECT_THAT(Items(""), IsEmpty());
  EXPECT_THAT(Items("a, MAX(b"), IsEmpty());
  EXPECT_THAT(Items("a), b("), IsEmpty());
  EXPECT_THAT(Items(std::string(100'000, '(')), IsEmpty());
}

TEST(EqualColumnsTest, FindsThePairsThatMustHold) {
  EXPECT_THAT(Equal("(order_id = order_id0)"), ElementsAre(Pair("order_id", "order_id0")));
  EXPECT_THAT(Equal("((order_id = order_id1) AND (user_id = user_id0) AND (amount > pay_id))"),
              ElementsAre(Pair("order_id", "order_id1"), Pair("user_id", "user_id0")));
  EXPECT_THAT(Equal("((a = a0) AND ((amount > pay_id) OR (b = b0)))"),
              ElementsAre(Pair("a", "a0")));
}

TEST(EqualColumnsTest, OtherConditionsHaveNone) {
  for (const char* condition :
       {"", "true", "(a > b)", "((a = b) OR (c = d))", "IS NOT DISTINCT FROM(a, b)",
        "(a, b = order_id)", "((a + 1) = b)", "(a = 'x = y')", "(a = b", "a = b)", "((((", ")"}) {
    EXPECT_THAT(Equal(condition), IsEmpty()) << condition;
  }
}

TEST(WithoutNumberTest, CutsTheNumberAlone) {
  EXPECT_EQ(WithoutNumber("order_id0"), "order_id");
  EXPECT_EQ(WithoutNumber("order_id"), "order_id");
  EXPECT_EQ(WithoutNumber("12"), "12");
  EXPECT_EQ(WithoutNumber(""), "");
}

}  // namespace
}  // namespace fss
