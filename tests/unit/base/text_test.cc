#include "sidecar/base/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace fss {
namespace {

constexpr char kBad[] = "\xEF\xBF\xBD";  // U+FFFD

std::string Bad(int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += kBad;
  return text;
}

TEST(ValidUtf8Test, KeepsWhatIsValid) {
  const std::string text = "a\xC3\xA4\xE8\xA1\xA8\xF0\x9F\x90\xBF\xEF\xBF\xBF\xF4\x8F\xBF\xBF";
  EXPECT_EQ(ValidUtf8(text), text);
  EXPECT_EQ(ValidUtf8(std::string("a\0b", 3)), std::string("a\0b", 3));
  EXPECT_EQ(ValidUtf8(""), "");
}

TEST(ValidUtf8Test, ReplacesBrokenSequences) {
  EXPECT_EQ(ValidUtf8("\x80"), Bad(1));
  EXPECT_EQ(ValidUtf8("\xC0\xAF"), Bad(2));          // overlong "/"
  EXPECT_EQ(ValidUtf8("\xE0\x80\xAF"), Bad(3));      // overlong
  EXPECT_EQ(ValidUtf8("\xED\xA0\x80"), Bad(3));      // a surrogate
  EXPECT_EQ(ValidUtf8("\xF4\x90\x80\x80"), Bad(4));  // above U+10FFFF
  EXPECT_EQ(ValidUtf8("\xFF"
                      "a"),
            Bad(1) + "a");
  EXPECT_EQ(ValidUtf8("\xE8\xA1"), Bad(1));  // cut at the end
  EXPECT_EQ(ValidUtf8("\xF0\x9F\x90"
                      "a"),
            Bad(1) + "a");  // cut by another character
}

TEST(TruncateUtf8Test, NeverCutsACharacter) {
  const std::string text = "a\xC3\xA4\xE8\xA1\xA8";
  EXPECT_EQ(TruncateUtf8(text, 6), text);
  EXPECT_EQ(TruncateUtf8(text, 100), text);
  EXPECT_EQ(TruncateUtf8(text, 5), "a\xC3\xA4");
  EXPECT_EQ(TruncateUtf8(text, 3), "a\xC3\xA4");
  EXPECT_EQ(TruncateUtf8(text, 2), "a");
  EXPECT_EQ(TruncateUtf8(text, 0), "");
  EXPECT_LE(TruncateUtf8(std::string(10, '\x80'), 7).size(), 7U);
}

TEST(OneLineTest, IsOneLineForATerminal) {
  EXPECT_EQ(OneLine("a\r\nb\tc", 100), "a  b c");
  EXPECT_EQ(OneLine("x\x1B[31mred\x7F", 100), "x [31mred ");
  EXPECT_EQ(OneLine("a\xC2\x85"
                    "b\xE2\x80\xA8"
                    "c",
                    100),
            "a b c");  // NEL, LINE SEPARATOR
  EXPECT_EQ(OneLine("a\xE2\x80\xAE"
                    "b",
                    100),
            "a" + Bad(1) + "b");  // RIGHT-TO-LEFT OVERRIDE
  EXPECT_EQ(OneLine("a\xFF", 100), "a" + Bad(1));
  EXPECT_EQ(OneLine(std::string("a\0b", 3), 100), "a b");
}

TEST(OneLineTest, CountsTheEllipsis) {
  EXPECT_EQ(OneLine("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(OneLine("abcdefghi", 8), "abcde\xE2\x80\xA6");
  EXPECT_EQ(OneLine("\xE8\xA1\xA8\xE8\xA1\xA8\xE8\xA1\xA8", 8), "\xE8\xA1\xA8\xE2\x80\xA6");
  EXPECT_EQ(OneLine("abc", 2), "ab");
  EXPECT_EQ(OneLine(std::string(1 << 20, '\xFF'), 9).size(), 9U);
}

TEST(UnescapeHtmlTest, UndoesWhatFlinkEscapes) {
  EXPECT_EQ(UnescapeHtml("a &lt;= b AND c = &quot;x&amp;y&quot; &gt; &apos;&#39;&#92;&#x5C;"),
            "a <= b AND c = \"x&y\" > ''\\\\");
  EXPECT_EQ(UnescapeHtml("gr&ouml;&szlig;e &hellip; &euro;"),
            "gr\xC3\xB6\xC3\x9F"
            "e \xE2\x80\xA6 \xE2\x82\xAC");
  EXPECT_EQ(UnescapeHtml("a&nbsp;b"),
            "a\xC2\xA0"
            "b");
  EXPECT_EQ(UnescapeHtml("&#128063;"), "\xF0\x9F\x90\xBF");
  EXPECT_EQ(UnescapeHtml("&amp;lt;"), "&lt;");  // once only
}

TEST(UnescapeHtmlTest, LeavesTheRest) {
  for (const std::string text :
       {"&", "a & b", "&;", "&unknown;", "&#;", "&#x;", "&#0;", "&#xD800;", "&#x110000;", "&#12a;",
        "&#99999999999999;", "&lt", "&#-1;", "&&lt", "&thisreferenceistoolong;"}) {
    EXPECT_EQ(UnescapeHtml(text), text);
  }
  EXPECT_EQ(UnescapeHtml("&&lt;"), "&<");
}

TEST(FormatBytesTest, RoundsForPeople) {
  constexpr std::int64_t kMiB = 1 << 20;
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(512), "512 B");
  EXPECT_EQ(FormatBytes(1023), "1023 B");
  EXPECT_EQ(FormatBytes(1024), "1 KiB");
  EXPECT_EQ(FormatBytes(12 * 1024), "12 KiB");
  EXPECT_EQ(FormatBytes(kMiB * 14 / 10), "1.4 MiB");
  EXPECT_EQ(FormatBytes(kMiB * 177 + kMiB / 3), "177 MiB");
  EXPECT_EQ(FormatBytes(kMiB - 1), "1 MiB");  // not 1024 KiB
  EXPECT_EQ(FormatBytes(-2150), "-2.1 KiB");
  EXPECT_EQ(FormatBytes(std::numeric_limits<std::int64_t>::max()), "8 EiB");
  EXPECT_EQ(FormatBytes(std::numeric_limits<std::int64_t>::min()), "-8 EiB");
}

TEST(FormatAgeTest, RoundsForPeople) {
  EXPECT_EQ(FormatAge(0), "0 ms");
  EXPECT_EQ(FormatAge(250), "250 ms");
  EXPECT_EQ(FormatAge(3000), "3 s");
  EXPECT_EQ(FormatAge(3240), "3.2 s");
  EXPECT_EQ(FormatAge(42700), "43 s");
  EXPECT_EQ(FormatAge(59999), "1 min");
  EXPECT_EQ(FormatAge(300000), "5 min");
  EXPECT_EQ(FormatAge(9000000), "2.5 h");
  EXPECT_EQ(FormatAge(3 * 86400000LL), "3 d");
  EXPECT_EQ(FormatAge(400 * 86400000LL), "400 d");
  EXPECT_EQ(FormatAge(-3000), "-3 s");
}

TEST(DisplayWidthTest, CountsTerminalColumns) {
  EXPECT_EQ(DisplayWidth(""), 0U);
  EXPECT_EQ(DisplayWidth("Join[19]"), 8U);
  EXPECT_EQ(DisplayWidth("snk \xE8\xA1\xA8"), 6U);
  EXPECT_EQ(DisplayWidth("a\xCC\x88"), 1U);                 // a, COMBINING DIAERESIS
  EXPECT_EQ(DisplayWidth("\xE2\x80\x8B"), 0U);              // ZERO WIDTH SPACE
  EXPECT_EQ(DisplayWidth("\xED\x95\x9C\xEA\xB8\x80"), 4U);  // Hangul
  EXPECT_EQ(DisplayWidth("\xF0\x9F\x90\xBF"), 1U);          // CHIPMUNK is narrow by default
  EXPECT_EQ(DisplayWidth("\xF0\x9F\x98\x80"), 2U);          // GRINNING FACE
  EXPECT_EQ(DisplayWidth("gr\xC3\xB6\xC3\x9F"
                         "e"),
            5U);
  EXPECT_EQ(DisplayWidth("\xFF"), 1U);
  EXPECT_EQ(DisplayWidth("\xE2\x80\xA6"), 1U);
}

}  // namespace
}  // namespace fss
