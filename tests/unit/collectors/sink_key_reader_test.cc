// The keys of sinks, as the plan reader finds them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "collectors/plan_reader.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The keys of a plan's one node, a sink with these fields.
std::shared_ptr<const SinkKeys> KeysOf(const std::string& fields) {
  const auto plan =
      ReadPlan(R"({"flinkVersion":"2.3","nodes":[{"id":9,"type":"stream-exec-sink_2",)" + fields +
                   R"(}],"edges":[]})",
               "p.json");
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().ToString());
  return plan.ok() ? plan->nodes[0].sink_keys : nullptr;
}

std::string Table(const std::string& schema) {
  return R"("dynamicTableSink":{"table":{"identifier":"`c`.`d`.`t`","resolvedTable":{"schema":{)" +
         schema + R"(},"options":{"columns":"x"}}}})";
}

const std::string kColumns =
    R"("columns":[{"name":"id","dataType":"BIGINT"},{"name":"twice","kind":"COMPUTED",)"
    R"("expression":{"name":"x","columns":["y"]}},{"name":"region","dataType":"STRING"}])";
const std::string kKey =
    R"("primaryKey":{"name":"PK_region","type":"PRIMARY_KEY","columns":["region"]})";

TEST(SinkKeyReaderTest, ReadsBothKeysByTheNamesOfTheTable) {
  const auto keys = KeysOf(Table(kColumns + "," + kKey) + R"(,"inputUpsertKey":[0,1])");
  ASSERT_NE(keys, nullptr);
  EXPECT_THAT(keys->primary, ElementsAre("region"));
  EXPECT_THAT(keys->upsert, ElementsAre("id", "region"));  // a computed column has no place
}

TEST(SinkKeyReaderTest, TheOrderOfFieldsDoesNotMatter) {
  const auto keys = KeysOf(R"("inputUpsertKey":[1],)" + Table(kKey + "," + kColumns));
  ASSERT_NE(keys, nullptr);
  EXPECT_THAT(keys->upsert, ElementsAre("region"));
}

TEST(SinkKeyReaderTest, WithoutAPrimaryKeyThereIsNothingToTell) {
  EXPECT_EQ(KeysOf(Table(kColumns) + R"(,"inputUpsertKey":[0])"), nullptr);
  EXPECT_EQ(KeysOf(R"("dynamicTableSink":{"table":{"identifier":"`c`.`d`.`t`"}})"), nullptr);
  EXPECT_EQ(KeysOf(R"("description":"Sink")"), nullptr);
}

TEST(SinkKeyReaderTest, AnInputWithoutAKeyHasNone) {
  const auto keys = KeysOf(Table(kColumns + "," + kKey));
  ASSERT_NE(keys, nullptr);
  EXPECT_THAT(keys->upsert, IsEmpty());
}

TEST(SinkKeyReaderTest, TheLastOfARepeatedFieldCounts) {
  const auto keys = KeysOf(R"("inputUpsertKey":[1],"inputUpsertKey":[0],)" +
                           Table(kColumns + "," + kKey) + "," + Table(kColumns + "," + kKey));
  ASSERT_NE(keys, nullptr);
  EXPECT_THAT(keys->primary, ElementsAre("region"));
  EXPECT_THAT(keys->upsert, ElementsAre("id"));
}

TEST(SinkKeyReaderTest, OddPlacesAreColumnsWithoutAName) {
  const auto keys = KeysOf(Table(kColumns + "," + kKey) +
                           R"(,"inputUpsertKey":[7,-1,"0",null,{"a":[1]},[2],1e3])");
  ASSERT_NE(keys, nullptr);
  EXPECT_THAT(keys->upsert, ElementsAre("", "", "id", "", "", "", ""));
}

TEST(SinkKeyReaderTest, OddShapesAreNoKeys) {
  EXPECT_EQ(KeysOf(R"("dynamicTableSink":[{"table":{}}],"inputUpsertKey":{"a":1})"), nullptr);
  EXPECT_EQ(KeysOf(Table(R"("columns":{"name":"id"},"primaryKey":["region"])")), nullptr);
  EXPECT_EQ(KeysOf(Table(R"("columns":[["id"],3,null],"primaryKey":{"columns":{"a":"b"}})")),
            nullptr);
}

}  // namespace
}  // namespace fss
