#include "sidecar/base/percent.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(PercentTest, DecodesEscapesAndNothingElse) {
  EXPECT_EQ(PercentDecoded("a%20b%2fC%C3%bc"), "a b/Cü");
  for (const char* text : {"", "a+b", "100%", "%4", "%zz", "%%", "a%2"}) {
    EXPECT_EQ(PercentDecoded(text), text);
  }
  EXPECT_EQ(PercentDecoded("%2541"), "%41");  // once, not again
  EXPECT_EQ(PercentDecoded("a%00b"), std::string("a\0b", 3));
}

// The set of AWS' UriEncode: what a signature is computed over.
TEST(PercentTest, EncodesAllButTheUnreserved) {
  EXPECT_EQ(PercentEncoded("azAZ09-._~"), "azAZ09-._~");
  EXPECT_EQ(PercentEncoded("a b+c=ü&/*'()!"), "a%20b%2Bc%3D%C3%BC%26%2F%2A%27%28%29%21");
  EXPECT_EQ(PercentEncoded("a/b c%20", "/"), "a/b%20c%2520");
  EXPECT_EQ(PercentEncoded(std::string("\0\xFF", 2)), "%00%FF");
}

TEST(PercentTest, ThereAndBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(PercentDecoded(PercentEncoded(all)), all);
}

}  // namespace
}  // namespace fss
