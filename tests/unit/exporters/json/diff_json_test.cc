#include "exporters/json/diff_json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/unit/exporters/golden.h"
#include "tests/unit/exporters/sample_diff.h"

namespace fss {
namespace {

TEST(DiffJson, HasTheShapeOfTheProduct) {
  const std::string json = DiffJson(SampleDiff());
  ExpectGolden("diff.json", json + "\n");
  rapidjson::Document document;
  document.Parse(json);
  ASSERT_FALSE(document.HasParseError());
  EXPECT_EQ(document.MemberCount(), 4U);
  const rapidjson::Value& changes = document["changes"];
  ASSERT_EQ(changes.Size(), 8U);
  // What is not known, or not there, is left out.
  EXPECT_FALSE(changes[0].HasMember("state"));
  EXPECT_FALSE(changes[0].HasMember("old_ttl_ms"));
  EXPECT_EQ(changes[2]["old_ttl_ms"].GetInt64(), 0);
  EXPECT_FALSE(changes[5].HasMember("node_id_old"));
  EXPECT_FALSE(changes[6].HasMember("node_id_new"));
  EXPECT_FALSE(changes[7].HasMember("new_ttl_ms"));
}

TEST(DiffJson, WithoutChanges) {
  EXPECT_EQ(DiffJson({"a", "b", "", {}}),
            R"({"old":"a","new":"b","flink_version":"","changes":[]})");
}

}  // namespace
}  // namespace fss
