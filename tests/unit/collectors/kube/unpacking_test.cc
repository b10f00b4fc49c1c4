#include "collectors/kube/unpacking.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "collectors/kube/line_splitter.h"

namespace fss {
namespace {

std::string Gzip(const std::string& plain) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST(Base64Test, Rfc4648) {
  EXPECT_EQ(*FromBase64(""), "");
  EXPECT_EQ(*FromBase64("Zg=="), "f");
  EXPECT_EQ(*FromBase64("Zm8="), "fo");
  EXPECT_EQ(*FromBase64("Zm9v"), "foo");
  EXPECT_EQ(*FromBase64("Zm9vYg=="), "foob");
  EXPECT_EQ(*FromBase64("/+8="), "\xff\xef");
}

TEST(Base64Test, RefusesWhatIsNone) {
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "Z===", "====", "Zm9v!", "Zg==Zg==", "Zm9\n"}) {
    EXPECT_FALSE(FromBase64(text).ok()) << text;
  }
}

TEST(GunzipTest, Unpacks) {
  const std::string plain(100'000, 'x');
  EXPECT_TRUE(LooksGzipped(Gzip(plain)));
  EXPECT_EQ(*Gunzipped(Gzip(plain), plain.size()), plain);
  EXPECT_EQ(*Gunzipped(Gzip("a") + Gzip("b"), 10), "ab") << "members one after the other";
}

TEST(GunzipTest, ABombIsRefused) {
  const std::string bomb = Gzip(std::string(50UL << 20U, '\0'));
  ASSERT_LT(bomb.size(), 100'000U);
  const auto plain = Gunzipped(bomb, 1UL << 20U);
  ASSERT_FALSE(plain.ok());
  EXPECT_EQ(plain.error().code, ErrorCode::kTooLarge);
}

TEST(GunzipTest, WhatIsBrokenOrCutIsRefused) {
  const std::string packed = Gzip("some text that is long enough to be cut somewhere");
  for (std::size_t length = 0; length < packed.size(); ++length) {
    EXPECT_FALSE(Gunzipped(packed.substr(0, length), 1000).ok()) << length;
  }
  EXPECT_FALSE(Gunzipped("\x1f\x8bgarbage that is no gzip", 1000).ok());
  EXPECT_FALSE(Gunzipped(packed + "rest", 1000).ok());
}

TEST(LineSplitterTest, LinesOutOfPieces) {
  LineSplitter splitter(8);
  std::vector<std::string> lines;
  const auto take = [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  };
  EXPECT_TRUE(splitter.Add("one\ntw", take));
  EXPECT_TRUE(splitter.Add("o\n\n", take));
  EXPECT_TRUE(splitter.Add("12345678\n", take));
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "12345678"}));
  EXPECT_TRUE(splitter.Add("12345", take));
  EXPECT_FALSE(splitter.Add("6789", take)) << "longer than a line may be";
}

TEST(LineSplitterTest, AReaderThatHasEnough) {
  LineSplitter splitter(100);
  int lines = 0;
  EXPECT_TRUE(splitter.Add("a\nb\nc\n", [&](std::string_view) { return ++lines < 2; }));
  EXPECT_EQ(lines, 2);
}

}  // namespace
}  // namespace fss
