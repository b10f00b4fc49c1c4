#include "exporters/http/gzip.h"

#include <gtest/gtest.h>

#include "tests/unit/exporters/http/unzipped.h"

namespace fss {
namespace {

std::string Zipped(std::string_view plain) {
  Gzip gzip;
  gzip.Add(plain);
  return gzip.Finish();
}

TEST(GzipTest, ComesBackAsItWas) {
  std::string page;
  for (int i = 0; i < 100'000; ++i) {
    page += "flink_state_size_bytes{job_id=\"" + std::to_string(i * 7919) + "\"} 1\n";
  }
  const std::string compressed = Zipped(page);
  EXPECT_LT(compressed.size(), page.size() / 4);
  EXPECT_EQ(Unzipped(compressed), page);
  EXPECT_EQ(Unzipped(Zipped("")), "");
  EXPECT_EQ(Unzipped(Zipped("x")), "x");
}

TEST(GzipTest, PiecesAreOneText) {
  Gzip gzip;
  for (const char* piece : {"a", "", "bc", "d"}) {
    gzip.Add(piece);
  }
  EXPECT_EQ(Unzipped(gzip.Finish()), "abcd");
}

TEST(GzipTest, BrokenBytesAreToldAndAStoppedReaderToo) {
  const auto take_all = [](std::string_view) { return true; };
  EXPECT_FALSE(Gunzip("not gzip", take_all));
  const std::string compressed = Zipped(std::string(100'000, 'x'));
  EXPECT_FALSE(Gunzip(std::string_view(compressed).substr(0, compressed.size() / 2), take_all));
  EXPECT_FALSE(Gunzip(compressed, [](std::string_view) { return false; }));
}

TEST(GzipTest, AcceptEncodingIsReadAsTheStandardHasIt) {
  for (const char* yes :
       {"gzip", "GZip", "deflate, gzip", "gzip;q=0.5", " br ; q=1 , gzip ; q=1", "gzip;q=0.001"}) {
    EXPECT_TRUE(AcceptsGzip(yes)) << yes;
  }
  for (const char* no :
       {"", "identity", "deflate", "gzip;q=0", "gzip; q=0.000", "gzipped", ",,;,", "x-gzip2"}) {
    EXPECT_FALSE(AcceptsGzip(no)) << no;
  }
}

}  // namespace
}  // namespace fss
