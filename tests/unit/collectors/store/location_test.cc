#include "collectors/store/location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

Location Good(const std::string& text) {
  const auto location = ParseLocation(text);
  EXPECT_TRUE(location.ok()) << text << ": " << location.error().message;
  return location.ok() ? *location : Location();
}

TEST(LocationTest, FlinksSpellingsOfAFileAreOne) {
  const Location expected{"file", "", "/shared/job 1/chk-7"};
  for (const char* text : {"/shared/job 1/chk-7", "file:/shared/job 1/chk-7",
                           "file:///shared/job 1/chk-7", "FILE:///shared//job 1/chk-7/"}) {
    EXPECT_EQ(Good(text), expected) << text;
  }
}

TEST(LocationTest, ObjectStoresHaveBuckets) {
  for (const char* text : {"s3://b/x/y", "s3a://b/x/y", "s3p://b//x/y/", "S3N://b/x/y"}) {
    EXPECT_EQ(Good(text), (Location{"s3", "b", "/x/y"})) << text;
  }
  EXPECT_EQ(Good("s3://b"), (Location{"s3", "b", ""}));
  EXPECT_EQ(Good("hdfs://nn:8020/x"), (Location{"hdfs", "nn:8020", "/x"}));
  EXPECT_EQ(Good("abfss://box@account.dfs/x"), (Location{"abfss", "box@account.dfs", "/x"}));
}

// Flink's Path keeps a '%' as it is: escapes are part of the name.
TEST(LocationTest, NothingIsDecoded) {
  EXPECT_EQ(Good("file:/a%20b/%2e%2e").path, "/a%20b/%2e%2e");
  EXPECT_EQ(Good("s3://b/x?y#z:w").path, "/x?y#z:w");
  EXPECT_EQ(Good("/a:b/c").path, "/a:b/c");  // no scheme begins with a slash
}

TEST(LocationTest, WhatMayLieAnywhereIsRefused) {
  for (const std::string text :
       {"", "x", "x/y", "file:", "file:x", "s3:b/x", "..", "/a/../b", "/a/..", "s3://b/./x", "/.",
        "s3://b/../c", "/a\nb", "/a\x7F", "1:/x", "://x/y", "jar:file:/x"}) {
    const auto location = ParseLocation(text);
    ASSERT_FALSE(location.ok()) << text;
    EXPECT_EQ(location.error().code, ErrorCode::kInvalidArgument);
  }
  EXPECT_FALSE(ParseLocation(std::string("/a\0b", 4)).ok());
  EXPECT_FALSE(ParseLocation("/" + std::string(4096, 'a')).ok());
  EXPECT_EQ(Good("/..a/b../...").path, "/..a/b../...");
}

TEST(LocationTest, BelowIsByWholeNames) {
  const Location root = Good("s3://b/x");
  EXPECT_TRUE(IsBelow(root, Good("s3a://b/x/y")));
  EXPECT_TRUE(IsBelow(root, Good("s3://b/x")));
  for (const char* text : {"s3://b/xy", "s3://b/", "s3://c/x/y", "/x/y", "s3://b/X/y"}) {
    EXPECT_FALSE(IsBelow(root, Good(text))) << text;
  }
  EXPECT_TRUE(IsBelow(Good("/"), Good("/x")));
}

}  // namespace
}  // namespace fss
