#include "exporters/sarif/file_uri.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(FileUri, RelativeNamesStayRelative) {
  EXPECT_EQ(FileUri("plans/a.json"), "plans/a.json");
  EXPECT_EQ(FileUri("./plans/a.json"), "plans/a.json");
  EXPECT_EQ(FileUri("../a.json"), "../a.json");
  EXPECT_EQ(FileUri("-"), "-");
}

TEST(FileUri, AbsoluteNamesAreFileUris) {
  EXPECT_EQ(FileUri("/plans/a.json"), "file:///plans/a.json");
  EXPECT_EQ(FileUri("//plans/a.json"), "file:///plans/a.json");
}

TEST(FileUri, EscapesWhatIsNoPath) {
  EXPECT_EQ(FileUri("c:/a b#1?%.json"), "c%3A/a%20b%231%3F%25.json");
  EXPECT_EQ(FileUri("\xC3\xA4\xFF\n"), "%C3%A4%FF%0A");
}

TEST(StaysBelow, TellsWhatLeavesTheFolder) {
  for (const char* below : {"a.json", "plans/..a.json", "-", "a../b"}) {
    EXPECT_TRUE(StaysBelow(below)) << below;
  }
  for (const char* outside : {"../a.json", "..", "plans/../../a.json", "a/..", "file:///a.json"}) {
    EXPECT_FALSE(StaysBelow(outside)) << outside;
  }
}

}  // namespace
}  // namespace fss
