#include "sidecar/base/curl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CurlTest, IsLoadedOnceForAllThreads) {
  std::vector<std::thread> threads;
  threads.reserve(8);
  std::atomic<int> good{0};
  std::atomic<int> same{0};
  const CurlFunctions* const first = &Curl();
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      if (LoadCurl().ok()) ++good;
      if (&Curl() == first && Curl().easy_init != nullptr) ++same;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8);
  EXPECT_EQ(same, 8);
}

TEST(CurlTest, HandlesWorkAndAreFreed) {
  ASSERT_TRUE(LoadCurl().ok());
  const CurlUrl url(Curl().url());
  const CurlSlist list(Curl().slist_append(nullptr, "A: b"));
  const CurlMulti multi(Curl().multi_init());
  const CurlEasy easy(Curl().easy_init());
  ASSERT_TRUE(easy != nullptr && multi != nullptr && list != nullptr && url != nullptr);
  EXPECT_EQ(Curl().url_set(url.get(), CURLUPART_URL, "http://a/b", 0), CURLUE_OK);
  EXPECT_EQ(Curl().easy_setopt(easy.get(), CURLOPT_CURLU, url.get()), CURLE_OK);
  EXPECT_EQ(Curl().easy_setopt(easy.get(), CURLOPT_HTTPHEADER, list.get()), CURLE_OK);
}

TEST(CurlTest, AMissingLibraryIsNamedInOneLine) {
  const auto found = FindCurlFunctions("libcurl-of-nowhere.so.4");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code, ErrorCode::kIo);
  EXPECT_THAT(found.error().ToString(), HasSubstr("libcurl4 is not installed: "));
  EXPECT_THAT(found.error().ToString(), HasSubstr("libcurl-of-nowhere.so.4"));
  EXPECT_THAT(found.error().ToString(), Not(HasSubstr("\n")));
}

TEST(CurlTest, AnotherLibraryIsRefused) {
  const auto found = FindCurlFunctions("libz.so.1");
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message,
            "libz.so.1 is no libcurl that can be used: it has no curl_global_init");
}

}  // namespace
}  // namespace fss
