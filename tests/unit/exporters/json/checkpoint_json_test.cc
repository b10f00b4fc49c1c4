#include "exporters/json/checkpoint_json.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tests/unit/exporters/golden.h"
#include "tests/unit/exporters/sample_checkpoint.h"

namespace fss {
namespace {

TEST(CheckpointJson, HasTheShapeOfTheProduct) {
  const std::string json = CheckpointJson("chk-41", SampleCheckpoint());
  ExpectGolden("checkpoint.json", json + "\n");
  rapidjson::Document document;
  document.Parse(json);
  ASSERT_FALSE(document.HasParseError());
  ASSERT_EQ(document["operators"].Size(), 5U);
  const rapidjson::Value& join = document["operators"][0];
  EXPECT_TRUE(join["states"][0]["ttl_enabled"].GetBool());
  EXPECT_FALSE(join["states"][2].HasMember("ttl_enabled"));
  EXPECT_FALSE(document["operators"][2].HasMember("name"));
  EXPECT_FALSE(document["operators"][0].HasMember("coordinator_bytes"));
}

}  // namespace
}  // namespace fss
