#include "sidecar/app/fleet/shard.h"

#include <gtest/gtest.h>

#include "sidecar/base/stable_hash.h"

namespace fss {
namespace {

std::string JobName(int i) { return "team-" + std::to_string(i % 7) + "/job-" + std::to_string(i); }

TEST(ShardTest, EveryNameIsInExactlyOneShard) {
  for (const std::uint32_t count : {1U, 2U, 3U, 7U}) {
    std::vector<int> sizes(count);
    for (int i = 0; i < 3000; ++i) {
      int owners = 0;
      for (std::uint32_t index = 0; index < count; ++index) {
        if (!Shard{index, count}.Has(JobName(i))) continue;
        ++owners;
        ++sizes[index];
      }
      EXPECT_EQ(owners, 1) << JobName(i) << " of " << count;
    }
    for (const int size : sizes) EXPECT_NEAR(size, 3000.0 / count, 300.0);
  }
}

TEST(ShardTest, FewNamesMoveWhenAShardIsAdded) {
  int moved = 0;
  for (int i = 0; i < 3000; ++i) {
    for (std::uint32_t index = 0; index < 3; ++index) {
      if (Shard{index, 3}.Has(JobName(i)) && !Shard{index, 4}.Has(JobName(i))) ++moved;
    }
  }
  EXPECT_LE(moved, 900) << "a quarter is what must move";
}

// The split is a contract between versions that run beside each other during an upgrade.
TEST(ShardTest, TheHashNeverChanges) {
  EXPECT_EQ(StableHash(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(StableHash("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(StableHash("foobar"), 0x85944171f73967e8ULL);
}

TEST(ShardTest, Parses) {
  EXPECT_EQ(*ParseShard("", "x"), (Shard{0, 1}));
  EXPECT_EQ(*ParseShard("2/3", "x"), (Shard{2, 3}));
  EXPECT_EQ(*ParseShard("auto/3", "sidecar-1"), (Shard{1, 3}));
  EXPECT_EQ(*ParseShard("auto/12", "my-flink-state-sidecar-11"), (Shard{11, 12}));
}

TEST(ShardTest, RefusesWhatIsNone) {
  for (const char* text :
       {"3/3", "1", "a/3", "1/a", "1/0", "-1/3", "1/", "/3", "1/3/5", "auto/0", "1/99999999999"}) {
    const auto shard = ParseShard(text, "sidecar-5");
    ASSERT_FALSE(shard.ok()) << text;
    EXPECT_EQ(shard.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_FALSE(ParseShard("auto/3", "sidecar-5").ok()) << "there is no sixth of three";
  EXPECT_FALSE(ParseShard("auto/3", "sidecar").ok());
  EXPECT_FALSE(ParseShard("auto/3", "sidecar-7d9f").ok()) << "a Deployment's pod";
}

}  // namespace
}  // namespace fss
