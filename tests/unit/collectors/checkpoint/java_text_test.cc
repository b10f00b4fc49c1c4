#include "collectors/checkpoint/java_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace fss {
namespace {

std::string Read(std::string_view bytes) {
  std::string text;
  return AppendJavaText(bytes, &text) ? text : "refused";
}

TEST(JavaText, BecomesUtf8) {
  EXPECT_EQ(Read(""), "");
  EXPECT_EQ(Read("left-records"), "left-records");
  EXPECT_EQ(Read("größe 日本"), "größe 日本");
  EXPECT_EQ(Read(std::string_view("a\xC0\x80z")), std::string("a\0z", 3));  // NUL
  EXPECT_EQ(Read("\xED\xA0\xBD\xED\xB8\x80!"), "😀!");                       // a surrogate pair
}

TEST(JavaText, HalfPairsAreReplaced) {
  EXPECT_EQ(Read("\xED\xA0\xBDz"), "\uFFFDz");
  EXPECT_EQ(Read("\xED\xA0\xBD"), "\uFFFD");
  EXPECT_EQ(Read("\xED\xB8\x80z"), "\uFFFDz");
  EXPECT_EQ(Read("\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80"), "\uFFFD😀");
}

TEST(JavaText, RefusesWhatJavaRefuses) {
  for (const std::string_view bytes :
       {"\x80", "a\xFF", "\xC3", "\xC3z", "\xE6\x97", "\xE6\x97z", "\xF0\x9F\x98\x80"}) {
    EXPECT_EQ(Read(bytes), "refused") << bytes;
  }
}

}  // namespace
}  // namespace fss
