#include "exporters/prometheus/label_value.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(LabelValueTest, PlainTextStays) {
  EXPECT_EQ(LabelValue(""), "");
  EXPECT_EQ(LabelValue("Join[19]"), "Join[19]");
  EXPECT_EQ(LabelValue("sagt \"ja\" \\ 注文\n\tweiter"), "sagt \"ja\" \\ 注文\n\tweiter");
}

TEST(LabelValueTest, IsCutAtACharacterAndNotWithinOne) {
  EXPECT_EQ(LabelValue(std::string(5000, 'x')), std::string(128, 'x'));
  // 127 bytes, then a character of two, three, four bytes that would cross the limit.
  for (const std::string last : {"ü", "注", "😀"}) {
    EXPECT_EQ(LabelValue(std::string(127, 'x') + last + "tail"), std::string(127, 'x'));
  }
  EXPECT_EQ(LabelValue(std::string(125, 'x') + "注tail"), std::string(125, 'x') + "注");
}

TEST(LabelValueTest, BrokenUtf8IsReplaced) {
  EXPECT_EQ(LabelValue("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(LabelValue("cut \xE6\xB3"), "cut \uFFFD");
  EXPECT_LE(LabelValue(std::string(5000, '\xFF')).size(), kMaxLabelBytes);
  EXPECT_EQ(LabelValue(std::string(5000, '\xFF')).size() % 3, 0U);
}

TEST(LabelValueTest, ControlCharactersBecomeBlanks) {
  EXPECT_EQ(LabelValue(std::string_view("a\0b\rc\x1B[31m\x7F", 10)), "a b c [31m");
  EXPECT_EQ(LabelValue("next\u0085line\u2028or\u2029end"), "next line or end");
  EXPECT_EQ(LabelValue("\u00A0\u2027"), "\u00A0\u2027");
}

}  // namespace
}  // namespace fss
