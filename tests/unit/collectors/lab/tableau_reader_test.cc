#include "collectors/lab/tableau_reader.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace fss {
namespace {

std::string Fixture(const std::string& name) {
  std::ifstream file(std::string(FSS_TEST_DATA) + "/lab/" + name, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  EXPECT_FALSE(bytes.str().empty()) << name;
  return bytes.str();
}

std::string TableauError(std::string_view text) {
  const auto result = ReadTableau(text);
  return result.ok() ? "" : result.error().ToString();
}

constexpr std::string_view kBegin =
    "Flink SQL> SELECT a FROM t+----+---+\n"
    "| op | a |\n"
    "+----+---+\n";
constexpr std::string_view kEnd = "+----+---+\n";

TEST(TableauReader, ReadsARealChangelog) {
  const auto result = ReadTableau(Fixture("rocks.out"));
  ASSERT_TRUE(result.ok()) << result.error().ToString();
  EXPECT_EQ(result->columns, (std::vector<std::string>{"user_id", "orders", "total"}));
  ASSERT_EQ(result->rows.size(), 360U);
  EXPECT_EQ(result->announced, 360);
  EXPECT_EQ(result->rows[0].op, RowOp::kInsert);
  EXPECT_EQ(result->rows[0].cells, (std::vector<std::string>{"10", "1", "3334"}));
  EXPECT_EQ(result->rows[0].line, 14);
  EXPECT_EQ(result->rows[10].op, RowOp::kUpdateBefore);
  EXPECT_EQ(result->rows[11].op, RowOp::kUpdateAfter);
}

TEST(TableauReader, ReadsARealWindowResult) {
  const auto result = ReadTableau(Fixture("window.out"));
  ASSERT_TRUE(result.ok()) << result.error().ToString();
  ASSERT_EQ(result->rows.size(), 11U);
  EXPECT_EQ(result->rows[10].cells[0], "2026-01-01 01:40:00.000");
  EXPECT_EQ(result->announced, 11);
}

TEST(TableauReader, MessagesAmongTheRowsAndLineEndsOfWindows) {
  std::string text = std::string(kBegin) + "| +I | 1 |\r\nWARNING: late\n\x1b[34;1m| -D | 1 |\n" +
                     std::string(kEnd) + "Received a total of 2 rows (1 second)\n";
  const auto result = ReadTableau(text);
  ASSERT_TRUE(result.ok()) << result.error().ToString();
  EXPECT_EQ(result->rows.size(), 2U);
  EXPECT_EQ(result->rows[1].op, RowOp::kDelete);
  EXPECT_EQ(result->announced, 2);
}

TEST(TableauReader, EndedByCtrlC) {
  const auto result = ReadTableau(std::string(kBegin) +
                                  "| +I | 1 |\nQuery terminated, received a total of 1 row\n");
  ASSERT_TRUE(result.ok()) << result.error().ToString();
  EXPECT_EQ(result->announced, 1);
}

TEST(TableauReader, OtherTablesAreNoResult) {
  const std::string tables =
      "+------------+\n| table name |\n+------------+\n|     orders |\n"
      "+------------+\n1 row in set\n";
  const auto result =
      ReadTableau(tables + std::string(kBegin) + "| +I | 1 |\n" + std::string(kEnd));
  ASSERT_TRUE(result.ok()) << result.error().ToString();
  EXPECT_EQ(result->rows.size(), 1U);
  EXPECT_EQ(result->announced, std::nullopt);
  EXPECT_EQ(TableauError(tables),
            "its result has no op column: a batch run prints none, run it in streaming");
}

TEST(TableauReader, SaysWhatIsWrong) {
  const std::string begin(kBegin);
  const std::string whole = begin + std::string(kEnd);
  EXPECT_EQ(TableauError(""), "no result of the SQL client in it");
  EXPECT_EQ(TableauError("[INFO] nothing\n"), "no result of the SQL client in it");
  EXPECT_EQ(TableauError("Flink SQL> \n[ERROR] Could not execute SQL statement. Reason:\n"
                         "org.x.ValidationException: Object 'o' not found\n"),
            "no result in it, but an error: Could not execute SQL statement. Reason: "
            "org.x.ValidationException: Object 'o' not found");
  EXPECT_EQ(TableauError(whole + whole), "it holds 2 results: save those of one run");
  EXPECT_EQ(TableauError(begin + "| +I | 1 |\n"),
            "its result has no end: the query still ran when it was saved, or it is cut");
  EXPECT_EQ(TableauError(begin + "| +I | 1 | 2 |\n"),
            "line 4: a row that does not fit the columns");
  EXPECT_EQ(TableauError(begin + "| +I | 1"), "line 4: a row that does not fit the columns");
  EXPECT_EQ(TableauError(begin + "| +X | 1 |\n"), "line 4: '+X' is not an op of a row");
  EXPECT_EQ(TableauError("+---+\n| op | a |\nx\n"), "line 3: a result whose header has no end");
}

TEST(TableauReader, LimitsAreKept) {
  EXPECT_EQ(ReadTableau(std::string(kMaxTableauBytes + 1, '|')).error().code, ErrorCode::kTooLarge);
  std::string rows(kBegin);
  for (std::size_t i = 0; i <= kMaxTableauRows; ++i) rows += "|+I|1|\n";
  EXPECT_EQ(ReadTableau(rows).error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(TableauError("+---+\n" + std::string(1000, '|') + "\n"), "line 2: too many columns");
}

// Every cut, and every byte replaced, is a value or an error.
TEST(TableauReader, AlteredFilesDoNoHarm) {
  const std::string text = Fixture("window.out");
  std::size_t refused = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!ReadTableau(text.substr(0, i)).ok()) ++refused;
    for (const char byte : {'|', '+', '\n', '\0', '\x1b'}) {
      std::string altered = text;
      altered[i] = byte;
      if (!ReadTableau(altered).ok()) ++refused;
    }
  }
  EXPECT_GT(refused, text.size() / 2);
}

}  // namespace
}  // namespace fss
