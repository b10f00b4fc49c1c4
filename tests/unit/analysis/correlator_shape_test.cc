// The correlator where texts do not help: shapes, no plans, odd graphs, many copies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sidecar/analysis/correlator.h"
#include "tests/unit/analysis/correlator_fixture.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::Library;
using sample::LinkOf;
using sample::LinkOne;
using sample::Plain;
using sample::PlanBuilder;
using sample::Start;
using sample::Totals;
using testing::ElementsAre;
using testing::SizeIs;
using Outcome = JobLink::Outcome;

// Another version prints another text for the same query.
JobSnapshot Reworded(JobSnapshot job) {
  for (JobVertex& vertex : job.graph.vertices) {
    for (ChainOperator& op : vertex.chain) {
      if (op.name == "GroupAggregate" || op.name == "Calc" || op.name == "Join") {
        op.description.insert(op.description.size() - 1, ", new=[true]");
      }
    }
  }
  return job;
}

TEST(CorrelatorShapeTest, TextsOfAnotherVersionLeaveTheShape) {
  const auto plan = Cascade("cascade.json");
  const auto job = Reworded(Start(plan, "job", Plain(20)));
  const auto link = LinkOne(job, Library({Totals("totals.json", 0), plan}), "1.20.1");
  EXPECT_EQ(link.outcome, Outcome::kMatched);
  EXPECT_EQ(link.how, MatchedBy::kTopology);
  EXPECT_EQ(LinkOf(job, link, 31).node_id, 11);
  // Within one version the texts have spoken.
  EXPECT_NE(LinkOne(job, Library({plan}), "2.3.1").outcome, Outcome::kMatched);
}

TEST(CorrelatorShapeTest, TheShapeDoesNotOutweighAnotherMeaning) {
  auto job = Reworded(Start(Totals("totals.json", 0), "job", Plain(20)));
  PlanBuilder builder("other.json");
  const auto orders = builder.Source("orders", "order_id, user_id, amount");
  builder.Sink(builder.GroupBy(builder.Calc(orders, "order_id"), "order_id", 0), "totals");
  EXPECT_EQ(LinkOne(job, Library({builder.Build()}), "1.20.1").outcome, Outcome::kNoPlan);
}

TEST(CorrelatorShapeTest, ShortenedTextsLeaveTheShape) {
  const auto plan = Cascade("cascade.json");
  auto job = Start(plan, "job", Plain(20));
  for (JobVertex& vertex : job.graph.vertices) {
    for (ChainOperator& op : vertex.chain) {
      op.description = op.name;
    }
  }
  job.graph.vertices[0].chain[0].name = "Source: orders";
  job.graph.vertices[1].chain[0].name = "Source: payments";
  for (JobVertex& vertex : job.graph.vertices) {
    if (vertex.chain[0].node_id == 28) vertex.chain[0].name = "Source: users";
  }
  const auto link = LinkOne(job, Library({plan}));
  EXPECT_EQ(link.how, MatchedBy::kTopology);
  EXPECT_EQ(LinkOf(job, link, 31).node_id, 11);
  EXPECT_EQ(LinkOf(job, link, 26).node_id, 6);
}

TEST(CorrelatorShapeTest, WithoutPlansKindsAreKnownByName) {
  auto job = Start(Totals("totals.json", 0), "job");
  ChainOperator odd;
  odd.name = "Map";
  odd.description = "Map";
  odd.parent = 0;
  job.graph.vertices[0].chain.push_back(odd);
  const auto link = LinkOne(job, {});
  EXPECT_EQ(link.outcome, Outcome::kNoPlan);
  EXPECT_EQ(LinkOf(job, link, 4).how, MatchedBy::kName);
  std::set<MatchedBy> ways;
  for (const OperatorLink& op : link.links) ways.insert(op.how);
  EXPECT_THAT(ways, ElementsAre(MatchedBy::kName, MatchedBy::kNone));
}

TEST(CorrelatorShapeTest, JobsWithoutOperatorsHaveNone) {
  JobSnapshot empty;
  empty.state = "RUNNING";
  JobSnapshot bare = empty;
  bare.graph.vertices.resize(2);  // no chains: not what the collector makes, but no harm
  bare.graph.vertices[0].inputs.push_back({"", "HASH"});
  auto finished = Start(Totals("totals.json", 0), "done");
  finished.state = "FINISHED";
  const auto links =
      Correlate({empty, bare, finished}, Library({Totals("totals.json", 0)}), DefaultUidFormats());
  for (const JobLink& link : links) {
    EXPECT_EQ(link.outcome, Outcome::kNoPlan);
    EXPECT_TRUE(link.links.empty());
  }
}

TEST(CorrelatorShapeTest, LoopsAndWildEdgesDoNoHarm) {
  auto plan = Cascade("loop.json");
  plan.edges.push_back({11, 6});
  plan.edges.push_back({4, 4});
  plan.edges.push_back({4, 999});
  auto job = Start(Cascade("cascade.json"), "job", Plain(3));
  job.graph.vertices[0].inputs.push_back({job.graph.vertices.back().id, "HASH"});
  job.graph.vertices[1].chain[0].parent = 17;
  for (const auto* version : {"2.3.0", "1.20.1"}) {
    const auto link = LinkOne(Reworded(job), Library({plan}), version);
    EXPECT_THAT(link.links, SizeIs(8));
  }
}

TEST(CorrelatorShapeTest, ManyJobsAndCopiesOfPlansStayCheap) {
  std::vector<CompiledPlan> plans;
  std::vector<JobSnapshot> jobs;
  for (int i = 0; i < 300; ++i) {
    plans.push_back(Cascade("copy" + std::to_string(i) + ".json", {}, 1));
  }
  for (int i = 0; i < 1000; ++i)
    jobs.push_back(Start(plans[0], "job" + std::to_string(i), Plain(5)));
  jobs[500].name = "copy222";
  const auto links = Correlate(jobs, Library(plans), DefaultUidFormats());
  // Among 300 equals the one with the job's name is not lost.
  EXPECT_EQ(links[500].plan_file, "copy222.json");
  EXPECT_EQ(links[0].outcome, Outcome::kAmbiguous);
  EXPECT_TRUE(links[0].candidates_agree);
  EXPECT_LE(links[0].candidates.size(), 16U);
}

}  // namespace
}  // namespace fss
