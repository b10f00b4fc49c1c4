#include "exporters/text/layout.h"

#include <gtest/gtest.h>

#include "sidecar/base/text.h"

namespace fss {
namespace {

std::string Wrapped(std::string_view text, std::size_t column, std::size_t indent,
                    std::size_t width) {
  std::string out;
  AppendWrapped(text, column, indent, width, &out);
  return out;
}

TEST(LayoutTest, FitColumnsCutsByWhatIsSeen) {
  EXPECT_EQ(FitColumns("short", 10), "short");
  EXPECT_EQ(FitColumns("0123456789", 10), "0123456789");
  EXPECT_EQ(FitColumns("0123456789a", 10), "012345678…");
  EXPECT_EQ(FitColumns("注文注文", 8), "注文注文");
  EXPECT_EQ(FitColumns("注文注文注文", 8), "注文注…");
  EXPECT_EQ(DisplayWidth(FitColumns(std::string(5000, 'x'), 60)), 60U);
  EXPECT_EQ(FitColumns("two\nlines\x1B[31m", 40), "two lines [31m");
}

TEST(LayoutTest, WrapsAtBlanks) {
  EXPECT_EQ(Wrapped("aa bb cc dd", 0, 2, 8), "aa bb cc\n  dd");
  EXPECT_EQ(Wrapped("aa bb cc dd", 5, 2, 8), "aa\n  bb cc\n  dd");
  EXPECT_EQ(Wrapped("  aa   bb ", 0, 2, 8), "aa bb");
  EXPECT_EQ(Wrapped("", 0, 2, 8), "");
}

TEST(LayoutTest, ALongWordStandsAlone) {
  EXPECT_EQ(Wrapped("a 0123456789abcdef b", 0, 1, 8), "a\n 0123456789abcdef\n b");
}

TEST(LayoutTest, WideCharactersCountTwoWhenWrapping) {
  EXPECT_EQ(Wrapped("注文 注文", 0, 0, 8), "注文\n注文");
  EXPECT_EQ(Wrapped("注文 注文", 0, 0, 9), "注文 注文");
}

TEST(LayoutTest, PartsBreakBetweenAndNotWithin) {
  std::string out;
  AppendParts({"name", "RUNNING", "no plan"}, 4, 15, &out);
  EXPECT_EQ(out, "name  RUNNING\n    no plan\n");
}

TEST(LayoutTest, TableColumnsAlign) {
  TextTable table({"A", "B", "C"});
  table.AddRow({"注文", "x", "1"});
  table.AddRow({"", "yyy", "2"});
  table.AddNote("N", "a text that runs over all columns");
  EXPECT_EQ(table.Render(1),
            " A     B    C\n"
            " 注文  x    1\n"
            "       yyy  2\n"
            " N     a text that runs over all columns\n");
}

TEST(LayoutTest, ColumnsOfWhichNothingIsKnownAreLeftOut) {
  TextTable table({"A", "B", "C"});
  table.AddRow({"a", "", "c"});
  EXPECT_EQ(table.Render(0), "A  C\na  c\n");
}

TEST(LayoutTest, NotesAloneNeedNoHeader) {
  TextTable table({"OPERATOR", "B"});
  table.AddNote("N", "note");
  EXPECT_EQ(table.Render(0), "N         note\n");
}

}  // namespace
}  // namespace fss
