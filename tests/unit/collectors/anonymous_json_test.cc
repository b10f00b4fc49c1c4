#include "collectors/anonymous_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "collectors/plan_reader.h"
#include "collectors/rest/checkpoint_config_reader.h"
#include "collectors/rest/job_plan_reader.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kJob(32, 'a');
const std::string kJoinVertex = "954f225e14f8b7cc24d230ce17e39a2e";
const std::string kOtherVertex(32, 'b');

RestAnswer Answer(std::string body) {
  constexpr int kOk = 200;
  return {kOk, "application/json", std::move(body)};
}

JobGraph GraphOf(const std::string& json) {
  auto graph = ReadJobPlan(Answer(json));
  EXPECT_TRUE(graph.ok()) << json;
  return graph.ok() ? *std::move(graph) : JobGraph();
}

// One vertex with this description, as Flink escapes it.
JobGraph GraphWith(const std::string& html) {
  return GraphOf(R"({"plan":{"nodes":[{"id":")" + kJoinVertex +
                 R"(","parallelism":3,"description":")" + html + R"("}]}})");
}

std::string Content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(AnonymousJobPlanJsonTest, KeepsTheShape) {
  const JobGraph graph = GraphWith(
      "[55]:TableSourceScan(table=[[c, db, orders]], fields=[id, ts])<br/>"
      ":- [61]:Calc(select=[id], where=[(id &lt;&gt; &quot;x&quot;)])<br/>"
      ":  +- [62]:LocalWindowAggregate(select=[slice_end('w$) AS $slice_end])<br/>"
      "+- [72]:Calc(select=[ts])<br/>"
      "   +- kv_sink[73]: Writer<br/>");
  Pseudonyms names;
  const JobGraph anonymous = GraphOf(AnonymousJobPlanJson(kJob, graph, &names));
  ASSERT_EQ(anonymous.vertices.size(), 1U);
  EXPECT_EQ(anonymous.vertices[0].id, kJoinVertex);
  EXPECT_EQ(anonymous.vertices[0].parallelism, 3);
  const auto& chain = graph.vertices[0].chain;
  const auto& same = anonymous.vertices[0].chain;
  ASSERT_EQ(chain.size(), 5U);
  ASSERT_EQ(same.size(), chain.size());
  for (std::size_t i = 0; i < chain.size(); ++i) {
    EXPECT_EQ(same[i].node_id, chain[i].node_id);
    EXPECT_EQ(same[i].parent, chain[i].parent);
  }
  EXPECT_EQ(same[0].description, "TableSourceScan(table=[[x_a, x_b, x_c]], fields=[x_d, x_e])");
  EXPECT_EQ(same[1].description, "Calc(select=[x_d], where=[(x_d <> \"x_f\")])");
  EXPECT_EQ(same[4].Label(), "x_g[73]: Writer");
}

TEST(AnonymousJobPlanJsonTest, InputsKeepTheirOrder) {
  JobGraph graph;
  graph.vertices.push_back(
      {kOtherVertex, 1, {{std::nullopt, "Secret", "Secret", std::nullopt}}, {}});
  graph.vertices.push_back(
      {kJoinVertex,
       1,
       {{19, "Join", "Join(where=[(a = b)])", std::nullopt}},
       {{kOtherVertex, "HASH"}, {"secret", "HASH"}, {kOtherVertex, "SecretPartitioner"}}});
  Pseudonyms names;
  const std::string json = AnonymousJobPlanJson(kJob, graph, &names);
  EXPECT_THAT(json, Not(HasSubstr("ecret")));
  const JobGraph anonymous = GraphOf(json);
  const JobVertex* join = anonymous.FindVertex(kJoinVertex);
  ASSERT_NE(join, nullptr);
  ASSERT_EQ(join->inputs.size(), 2U);
  EXPECT_EQ(join->inputs[0].ship_strategy, "HASH");
  EXPECT_EQ(join->inputs[1].ship_strategy, "CUSTOM");
}

TEST(AnonymousJobPlanJsonTest, TheSameGraphGivesTheSameText) {
  const JobGraph graph = GraphWith("[1]:Calc(select=[b, a])<br/>+- out[2]: Writer<br/>");
  Pseudonyms first;
  Pseudonyms second;
  EXPECT_EQ(AnonymousJobPlanJson(kJob, graph, &first), AnonymousJobPlanJson(kJob, graph, &second));
}

TEST(AnonymousConfigJsonTest, KeepsWhatIsJudged) {
  CheckpointConfig config;
  config.state_backend = "EmbeddedRocksDBStateBackend";
  config.checkpoint_storage = "com.example.SecretStorage";
  config.interval_ms = 5000;
  config.unaligned = true;
  const std::string json = AnonymousConfigJson(config);
  EXPECT_THAT(json, Not(HasSubstr("Secret")));
  auto read = ReadCheckpointConfig(Answer(json));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->state_backend, "EmbeddedRocksDBStateBackend");
  EXPECT_EQ(read->checkpoint_storage, "");
  EXPECT_EQ(read->interval_ms, 5000);
  EXPECT_EQ(read->unaligned, true);
  EXPECT_EQ(read->changelog, std::nullopt);
  config.interval_ms.reset();
  read = ReadCheckpointConfig(Answer(AnonymousConfigJson(config)));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->interval_ms, std::nullopt);
}

TEST(AnonymousPlanJsonTest, OddPartsCannotHoldNames) {
  CompiledPlan plan;
  plan.flink_version = "2.3-acme";
  PlanNode node;
  node.id = 7;
  node.type = "stream-exec-acme-join_2";
  node.kind = "acme-join";
  node.description = "Join(where=[(a = b)])";
  node.uid = "acme";
  node.rowtime = "acme ts";
  node.sink_keys = std::make_shared<SinkKeys>(SinkKeys{{"acme_id"}, {"acme_id", "acme day", ""}});
  node.declares_state = true;
  node.state = {{0, "leftState", "1 d", 86'400'000}, {1, "acmeState", "acme d", std::nullopt}};
  plan.nodes = {node};
  Pseudonyms names;
  const std::string json = AnonymousPlanJson(plan, &names);
  EXPECT_THAT(json, Not(HasSubstr("acme")));
  const auto read = ReadPlan(json, "plan");
  ASSERT_TRUE(read.ok()) << read.error().ToString();
  EXPECT_EQ(read->flink_version, "2.3");
  ASSERT_EQ(read->nodes.size(), 1U);
  const PlanNode& same = read->nodes[0];
  EXPECT_EQ(same.id, 7);
  EXPECT_EQ(same.version, 2);
  EXPECT_TRUE(same.kind.ends_with("-join")) << same.kind;
  EXPECT_FALSE(same.uid.empty());
  EXPECT_FALSE(same.rowtime.empty());
  ASSERT_NE(same.sink_keys, nullptr);
  ASSERT_EQ(same.sink_keys->primary.size(), 1U);
  ASSERT_EQ(same.sink_keys->upsert.size(), 3U);
  EXPECT_EQ(same.sink_keys->upsert[0], same.sink_keys->primary[0]);
  EXPECT_EQ(same.sink_keys->upsert[2], "");
  ASSERT_EQ(same.state.size(), 2U);
  EXPECT_EQ(same.state[0].ttl, "1 d");
  EXPECT_EQ(same.state[1].ttl_ms, std::nullopt);
}

// In the recorded jobs each operator's description is that of its node: so it must stay.
TEST(AnonymousJsonTest, DescriptionsOfPlanAndJobStayEqual) {
  int operators = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(FSS_TEST_DATA) / "series")) {
    if (!entry.is_directory()) continue;
    SCOPED_TRACE(entry.path().string());
    const auto plan = ReadPlan(Content(entry.path() / "plan.json"), "plan");
    ASSERT_TRUE(plan.ok());
    const JobGraph graph = GraphOf(Content(entry.path() / "job-plan.json"));
    Pseudonyms names;
    const JobGraph job = GraphOf(AnonymousJobPlanJson(kJob, graph, &names));
    const auto anonymous = ReadPlan(AnonymousPlanJson(*plan, &names), "plan");
    ASSERT_TRUE(anonymous.ok());
    ASSERT_EQ(job.vertices.size(), graph.vertices.size());
    for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
      for (std::size_t o = 0; o < graph.vertices[v].chain.size(); ++o) {
        const ChainOperator& before = graph.vertices[v].chain[o];
        const PlanNode* node = plan->FindNode(before.node_id.value_or(-1));
        if (node == nullptr || node->description != before.description) continue;
        ++operators;
        EXPECT_EQ(job.vertices[v].chain[o].description, anonymous->FindNode(node->id)->description);
      }
    }
  }
  EXPECT_GT(operators, 15);
}

}  // namespace
}  // namespace fss
