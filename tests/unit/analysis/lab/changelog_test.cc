#include "sidecar/analysis/lab/changelog.h"

#include <gtest/gtest.h>

#include <array>

namespace fss {
namespace {

TableauRow Row(RowOp op, int line, std::vector<std::string> cells) {
  return {op, line, std::move(cells)};
}

std::string ErrorOf(const TableauResult& result) {
  const auto left = RowsLeft(result);
  return left.ok() ? "" : left.error().ToString();
}

TEST(Changelog, RowsLeftAtItsEnd) {
  TableauResult result{{"user_id", "orders"}, {}, std::nullopt};
  EXPECT_EQ(RowsLeft(result)->size(), 0U);
  result.rows = {Row(RowOp::kInsert, 1, {"7", "1"}), Row(RowOp::kInsert, 2, {"8", "1"}),
                 Row(RowOp::kUpdateBefore, 3, {"7", "1"}), Row(RowOp::kUpdateAfter, 4, {"7", "2"}),
                 Row(RowOp::kDelete, 5, {"8", "1"})};
  result.announced = 5;
  const auto left = RowsLeft(result);
  ASSERT_TRUE(left.ok());
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ((*left)[0]->line, 4);
}

TEST(Changelog, EqualRowsCount) {
  const TableauResult result{
      {"a"},
      {Row(RowOp::kInsert, 1, {"x"}), Row(RowOp::kInsert, 2, {"x"}), Row(RowOp::kDelete, 3, {"x"})},
      std::nullopt};
  EXPECT_EQ(RowsLeft(result)->size(), 1U);
}

TEST(Changelog, ALostRowShows) {
  const TableauResult gone{
      {"user_id", "orders"}, {Row(RowOp::kUpdateBefore, 9, {"7", "1"})}, std::nullopt};
  EXPECT_EQ(ErrorOf(gone),
            "line 9 takes away a row that is not there (7, 1): the changelog lacks a row");
  const TableauResult fewer{{"a"}, {Row(RowOp::kInsert, 1, {"x"})}, 2};
  EXPECT_EQ(ErrorOf(fewer), "it holds 1 rows, but the client counted 2");
}

TEST(Changelog, CellsDoNotRunTogether) {
  const TableauResult result{
      {"a", "b"},
      {Row(RowOp::kInsert, 1, {"1", "23"}), Row(RowOp::kDelete, 2, {"12", "3"})},
      std::nullopt};
  EXPECT_FALSE(RowsLeft(result).ok());
}

TEST(Changelog, ColumnsByNameElseByPlace) {
  constexpr auto kNames = std::to_array<std::string_view>({"user_id", "orders"});
  TableauResult result{{"total", "ORDERS", "user_id"}, {}, std::nullopt};
  EXPECT_EQ(*FindColumns(result, kNames), (std::vector<std::size_t>{2, 1}));
  result.columns = {"u", "EXPR$1"};
  EXPECT_EQ(*FindColumns(result, kNames), (std::vector<std::size_t>{0, 1}));
  result.columns = {"user_id", "EXPR$1", "x"};
  EXPECT_EQ(FindColumns(result, kNames).error().message, "no column orders in its result");
}

TEST(Changelog, NumbersNameTheirLine) {
  EXPECT_EQ(*NumberIn(Row(RowOp::kInsert, 3, {"4.50"}), 0), *Decimal::Parse("4.5"));
  EXPECT_EQ(NumberIn(Row(RowOp::kInsert, 3, {"<NULL>"}), 0).error().message,
            "line 3: '<NULL>' is not a number");
}

}  // namespace
}  // namespace fss
