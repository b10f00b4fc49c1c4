#include "sidecar/base/murmur3.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string_view>

namespace fss {
namespace {

// Vertex ids of running Flink jobs (1.20.5, 2.3.0).
TEST(Murmur3Test, GivesFlinksOperatorIds) {
  EXPECT_EQ(OperatorIdFromUid("19_join"), "41278ca6737f2182d66d9b3d641765b6");
  EXPECT_EQ(OperatorIdFromUid("6_group-aggregate"), "f5cdec4127cb83243f910937981306f8");
}

// Every length of the last, incomplete block of 16 bytes takes another path. The values are of
// Guava's Hashing.murmur3_128(0), which Flink uses.
TEST(Murmur3Test, CoversEveryTail) {
  constexpr std::array<std::string_view, 17> kByLength = {
      "00000000000000000000000000000000", "80a346d5bedec92a095e873ce5e98d3a",
      "8e70c17faa4e9e64d62a0f23105194e6", "db3b357c0df668ce8af16b93d54c3600",
      "5482f3e77c75950f4bab126f9e7cc6b4", "c13f7f4959e4040f13d68da22362ccec",
      "270abe8625a9c08844827237612d0681", "a6f70626b89feb134ef3de2f49efebb4",
      "4d3587739b033682204996d8879336c3", "ba38e79f51871e4cf197d599f87aa172",
      "24ebff3eac52963f070b99f27ca12780", "2986d329cdeac34b929cda97e7d9b27c",
      "a73c9eee8c2b356658fca881b3f0eda9", "1e936542dbf8b25eb70a1de653e81c80",
      "1af759dd14a0a4073122d24c8537f4aa", "5123bfc0f6d52da6f04c547c0cf5cc4f",
      "a7d14acf946de04bda08a7635c5bc387"};
  constexpr std::string_view kText = "0123456789abcdef";
  for (std::size_t length = 0; length < kByLength.size(); ++length) {
    EXPECT_EQ(OperatorIdFromUid(kText.substr(0, length)), kByLength[length]) << length;
  }
}

TEST(Murmur3Test, HashesUtf8Bytes) {
  EXPECT_EQ(OperatorIdFromUid("1_\xC3\xA4"), "44edb1a52c06b6023586a972ab263eb2");
}

}  // namespace
}  // namespace fss
