#include "collectors/store/root_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

// Where an address leads: "file:/mnt/ckpts + /job/x"; "-" where no root holds it.
std::string Resolved(const std::string& roots, const std::string& address) {
  const auto list = RootList::Parse(roots);
  EXPECT_TRUE(list.ok()) << roots << ": " << list.error().ToString();
  if (!list.ok()) return "";
  const auto file = list->Resolve(address);
  if (!file.ok()) return file.error().message;
  return *file ? Shown((*file)->root->place) + " + " + (*file)->relative : "-";
}

TEST(RootListTest, APlaceIsReadAsItIs) {
  EXPECT_EQ(Resolved("/shared", "file:///shared/job/x"), "file:/shared + /job/x");
  EXPECT_EQ(Resolved("file:///shared/", "/shared/job/x"), "file:/shared + /job/x");
  EXPECT_EQ(Resolved("s3a://bkt/ckpts", "s3p://bkt/ckpts/x"), "s3://bkt/ckpts + /x");
  EXPECT_EQ(Resolved("/", "/etc/passwd"), "file:/ + /etc/passwd");
}

TEST(RootListTest, APrefixIsMapped) {
  const std::string roots =
      " s3://flink/ckpts=/mnt/ckpts , file:/opt/flink = /shared,hdfs://nn/f=s3://bkt/f,";
  EXPECT_EQ(Resolved(roots, "s3://flink/ckpts/x"), "file:/mnt/ckpts + /x");
  EXPECT_EQ(Resolved(roots, "/opt/flink/a/b"), "file:/shared + /a/b");
  EXPECT_EQ(Resolved(roots, "hdfs://nn/f/x"), "s3://bkt/f + /x");
  for (const char* address : {"/shared/a", "/mnt/ckpts/x", "s3://bkt/f/x", "s3://flink/ckpts2/x",
                              "hdfs://other/f/x", "s3://flink/ckpts"}) {
    EXPECT_EQ(Resolved(roots, address), "-") << address;
  }
}

TEST(RootListTest, TheLongestPrefixDecides) {
  const std::string roots = "/a=/one,/a/b/c=/two,/a/b=/three,/a/b=/four";
  EXPECT_EQ(Resolved(roots, "/a/x"), "file:/one + /x");
  EXPECT_EQ(Resolved(roots, "/a/b/x"), "file:/three + /x");
  EXPECT_EQ(Resolved(roots, "/a/b/c/x"), "file:/two + /x");
}

TEST(RootListTest, NothingIsReadWithoutARoot) {
  EXPECT_EQ(Resolved("", "/x"), "-");
  EXPECT_EQ(Resolved(" , ", "/x"), "-");
}

TEST(RootListTest, TraversalNeverResolves) {
  for (const char* address : {"/shared/../etc/passwd", "/shared/a/../../etc", "/shared/.."}) {
    EXPECT_THAT(Resolved("/shared", address), HasSubstr("'..'")) << address;
  }
}

TEST(RootListTest, SeparatorsOfNamesAreEscaped) {
  EXPECT_EQ(Resolved("s3://b/env%3Dprod%2Ca=/mnt/a%20b", "s3://b/env=prod,a/x"),
            "file:/mnt/a b + /x");
}

TEST(RootListTest, BadEntriesAreNamed) {
  for (const auto& [roots, needle] : std::vector<std::pair<const char*, const char*>>{
           {"ckpts", "'ckpts': is no absolute path and no URL"},
           {"/good,hdfs://nn/x",
            "'hdfs://nn/x': hdfs: cannot be read; give the folder where it is "
            "mounted: hdfs://nn/x=/FOLDER"},
           {"/a=b", "(a '=' of a name is written %3D)"},
           {"=/a", "what comes before '='"},
           {"/a=", "what comes after '='"},
           {"s3://", "'s3://'"},
           {"s3://a/b", "'a' is no name of a bucket"},
           {"s3://user:secret@b/x", "is no name of a bucket"},
           {"/a=gs://bucket", "gs: cannot be read"},
           {"file://host/x", "a file: URL has no host"},
           {"/a/../b", "has the name '..' in its path"},
           {"/a%2F..%2Fb", "has the name '..' in its path"},
           {"/a%00", "has control characters"},
           {"/a\nb", "has control characters"}}) {
    const auto list = RootList::Parse(roots);
    ASSERT_FALSE(list.ok()) << roots;
    EXPECT_EQ(list.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(list.error().ToString(), HasSubstr(needle));
    EXPECT_THAT(list.error().ToString(), Not(HasSubstr("\n")));
  }
}

}  // namespace
}  // namespace fss
