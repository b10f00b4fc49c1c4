#include "sidecar/analysis/operator_edges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sample_plans.h"
#include "sidecar/analysis/correlator.h"
#include "sidecar/analysis/evaluator.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Edge = std::pair<std::string, std::string>;  // from, to: the labels without ids

std::string Name(const OperatorReport& op) { return op.label.substr(0, op.label.find('[')); }

std::vector<Edge> EdgesOf(const JobReport& job) {
  std::vector<Edge> edges;
  for (const OperatorEdge& edge : *job.edges) {
    edges.emplace_back(Name(job.operators.at(edge.from)), Name(job.operators.at(edge.to)));
  }
  return edges;
}

std::shared_ptr<const Report> Evaluated(const CompiledPlan& plan, bool with_plan) {
  ClusterSnapshot snapshot;
  snapshot.flink_version = "2.3.0";
  snapshot.taken_ms = 1'700'000'000'000;
  snapshot.jobs.push_back(sample::Start(plan, "job"));
  snapshot.jobs.back().id = std::string(32, 'a');
  snapshot.jobs.back().state = "RUNNING";
  PlanLibrary library;
  library.generation = 1;
  if (with_plan) library.plans.push_back(plan);
  return Evaluator({DefaultUidFormats(), with_plan}).Evaluate(snapshot, library);
}

TEST(OperatorEdgesTest, ACascadeWithAndWithoutItsPlan) {
  for (const bool with_plan : {true, false}) {
    const auto report = Evaluated(sample::Cascade("cascade.json"), with_plan);
    const JobReport& job = report->jobs.at(0);
    std::vector<std::string> feed_joins;
    std::size_t sinks = 0;
    for (const auto& [from, to] : EdgesOf(job)) {
      if (to == "Join") feed_joins.push_back(from);
      sinks += to.find("Source") == std::string::npos ? 0 : 1;
    }
    EXPECT_EQ(feed_joins.size(), 4U) << "two joins, two inputs each";
    EXPECT_EQ(sinks, 0U) << "nothing feeds a source";
    EXPECT_EQ(job.edges->size() + 1, job.operators.size()) << "a tree: one edge less than nodes";
  }
}

// The rows of a sharing operator go to both; inside the chain the graph's parents tell.
TEST(OperatorEdgesTest, ABranchInAChainFeedsFromWhereThePlanSays) {
  CompiledPlan plan;
  plan.nodes.resize(4);
  for (std::size_t i = 0; i < 4; ++i) plan.nodes[i].id = static_cast<std::int64_t>(i + 1);
  plan.edges = {{1, 2}, {1, 3}, {2, 4}};
  JobGraph graph;
  JobVertex upper;
  upper.id = "u";
  upper.chain.resize(3);
  upper.chain[1].parent = 0;
  upper.chain[2].parent = 0;
  JobVertex lower;
  lower.id = "l";
  lower.chain.resize(1);
  lower.inputs = {{"u", "HASH"}};
  graph.vertices = {upper, lower};
  std::vector<OperatorReport> operators(4);
  for (std::size_t i = 0; i < 4; ++i) {
    operators[i].vertex_id = i < 3 ? "u" : "l";
    operators[i].node_id = static_cast<std::int64_t>(i + 1);
  }
  const auto pairs = [&](const CompiledPlan* with) {
    const auto made = fss::EdgesOf(graph, operators, with);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const OperatorEdge& edge : *made) {
      edges.emplace_back(edge.from, edge.to);
    }
    return edges;
  };
  EXPECT_THAT(pairs(&plan), ElementsAre(std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 3U)));
  EXPECT_THAT(pairs(nullptr), ElementsAre(std::pair(0U, 1U), std::pair(0U, 2U), std::pair(2U, 3U)))
      << "without a plan the chain's last";
}

TEST(OperatorEdgesTest, InputsThatAreNotThereAreNoEdges) {
  JobGraph graph;
  JobVertex vertex;
  vertex.id = "v";
  vertex.chain.resize(1);
  vertex.inputs = {{"gone", "HASH"}};
  graph.vertices = {vertex};
  std::vector<OperatorReport> operators(1);
  operators[0].vertex_id = "v";
  EXPECT_THAT(*fss::EdgesOf(graph, operators, nullptr), IsEmpty());
  EXPECT_THAT(*fss::EdgesOf(graph, {}, nullptr), IsEmpty());
}

}  // namespace
}  // namespace fss
