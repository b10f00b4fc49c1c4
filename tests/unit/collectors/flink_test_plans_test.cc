// Every compiled plan among Flink's own test resources, against a plain reading of its JSON.
// FSS_FLINK_TEST_PLANS names a folder with the unpacked `tests` jars of flink-table-planner
// (tests/run fetches them); without it these tests are skipped.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "collectors/plan_reader.h"
#include "sidecar/base/flink_duration.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

// The jars hold several hundred plans; fewer means that the folder is not what it should be.
constexpr std::size_t kAtLeast = 200;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string Text(const rapidjson::Value& object, const char* field) {
  const auto member = object.FindMember(field);
  return member != object.MemberEnd() && member->value.IsString() ? member->value.GetString() : "";
}

// The kinds of all of Flink's exec nodes, seen in no table of ours: type = mode-exec-kind_version.
std::string KindOf(const std::string& type) {
  std::string rest = type;
  for (const std::string mode : {"stream-exec-", "batch-exec-"}) {
    if (type.rfind(mode, 0) == 0) rest = type.substr(mode.size());
  }
  return rest.substr(0, rest.rfind('_'));
}

void ExpectEqualState(const rapidjson::Value& json, const PlanNode& node) {
  const auto state = json.FindMember("state");
  ASSERT_EQ(state != json.MemberEnd(), node.declares_state);
  if (!node.declares_state) return;
  ASSERT_EQ(state->value.Size(), node.state.size());
  for (rapidjson::SizeType i = 0; i < state->value.Size(); ++i) {
    const rapidjson::Value& entry = state->value[i];
    EXPECT_EQ(entry["index"].GetInt(), node.state[i].index);
    EXPECT_EQ(Text(entry, "name"), node.state[i].name);
    EXPECT_EQ(Text(entry, "ttl"), node.state[i].ttl);
    ASSERT_TRUE(node.state[i].ttl_ms.has_value()) << Text(entry, "ttl");
    // Flink wrote the text itself, so printing the milliseconds gives it back.
    EXPECT_EQ(FormatFlinkDuration(*node.state[i].ttl_ms), Text(entry, "ttl"));
  }
}

void ExpectEqualPlan(const rapidjson::Document& json, const CompiledPlan& plan) {
  EXPECT_EQ(Text(json, "flinkVersion"), plan.flink_version);
  ASSERT_EQ(json["nodes"].Size(), plan.nodes.size());
  for (rapidjson::SizeType i = 0; i < json["nodes"].Size(); ++i) {
    const rapidjson::Value& node = json["nodes"][i];
    EXPECT_EQ(node["id"].GetInt64(), plan.nodes[i].id);
    EXPECT_EQ(Text(node, "type"), plan.nodes[i].type);
    EXPECT_EQ(KindOf(Text(node, "type")), plan.nodes[i].kind);
    EXPECT_EQ(Text(node, "description"), plan.nodes[i].description);
    EXPECT_EQ(Text(node, "uid"), plan.nodes[i].uid);
    EXPECT_EQ(Text(node, "type").rfind("batch-", 0) == 0, plan.nodes[i].batch);
    ExpectEqualState(node, plan.nodes[i]);
  }
  if (!plan.problems.empty()) return;
  ASSERT_EQ(json["edges"].Size(), plan.edges.size());
  for (rapidjson::SizeType i = 0; i < json["edges"].Size(); ++i) {
    EXPECT_EQ(json["edges"][i]["source"].GetInt64(), plan.edges[i].source);
    EXPECT_EQ(json["edges"][i]["target"].GetInt64(), plan.edges[i].target);
  }
}

TEST(FlinkTestPlansTest, EveryPlanEqualsAPlainReading) {
  const char* folder = std::getenv("FSS_FLINK_TEST_PLANS");
  if (folder == nullptr) GTEST_SKIP() << "FSS_FLINK_TEST_PLANS names no folder";
  std::size_t plans = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".json" && extension != ".out")) continue;
    const std::string bytes = ReadAll(entry.path());
    rapidjson::Document json;
    json.Parse<rapidjson::kParseIterativeFlag>(bytes.c_str(), bytes.size());
    const bool is_plan = !json.HasParseError() && json.IsObject() && json.HasMember("nodes") &&
                         json.HasMember("flinkVersion");
    SCOPED_TRACE(entry.path().string());
    const Result<CompiledPlan> plan = ReadPlanFile(entry.path().string(), name);
    if (!is_plan) {
      EXPECT_FALSE(plan.ok());
      continue;
    }
    ++plans;
    ASSERT_TRUE(plan.ok()) << plan.error().ToString();
    ExpectEqualPlan(json, *plan);
    // Two expected outputs of 2.3's tests have had their ids replaced by 0.
    const bool zeroed =
        name == "testSinkTableWithHints.out" || name == "testSourceTableWithHints.out";
    EXPECT_EQ(plan->problems.size(), zeroed ? 1U : 0U);
    EXPECT_EQ(plan->file, name);
  }
  EXPECT_GE(plans, kAtLeast);
  RecordProperty("plans", static_cast<int>(plans));
}

}  // namespace
}  // namespace fss
