#include "sidecar/analysis/evaluator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sidecar/analysis/correlator.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/correlator_fixture.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::Cascade;
using sample::Library;
using sample::PlanBuilder;
using sample::RunOptions;
using sample::Start;
using sample::Totals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

ClusterSnapshot Snapshot(std::vector<JobSnapshot> jobs, std::int64_t taken_ms = 5'000) {
  ClusterSnapshot snapshot;
  snapshot.cluster = "test";
  snapshot.flink_version = "2.3.0";
  snapshot.taken_ms = taken_ms;
  snapshot.jobs = std::move(jobs);
  return snapshot;
}

Report EvaluateOnce(const std::vector<JobSnapshot>& jobs, const PlanLibrary& library) {
  return *Evaluator({DefaultUidFormats(), true}).Evaluate(Snapshot(jobs), library);
}

const OperatorReport& Operator(const JobReport& job, const std::string& label) {
  for (const OperatorReport& op : job.operators) {
    if (op.label == label) return op;
  }
  ADD_FAILURE() << "no operator " << label;
  static const OperatorReport none;
  return none;
}

std::vector<std::string> Codes(const Report& report) {
  std::vector<std::string> codes;
  for (const Finding& finding : report.findings) codes.push_back(finding.code);
  return codes;
}

// Sizes of all vertices, told apart by their places.
void Complete(JobSnapshot* job, std::int64_t id = 3) {
  job->latest.emplace();
  job->latest->id = id;
  job->latest->trigger_ms = 1'000'000;
  job->latest->completed_ms = 1'000'500;
  job->jobmanager_now_ms = 1'002'500;
  std::int64_t size = 1000;
  for (const JobVertex& vertex : job->graph.vertices) {
    job->latest->vertices[vertex.id] = {size, size / 10};
    job->latest->state_size += size;
    size += 1000;
  }
}

TEST(EvaluatorTest, TheCascadeShowsItsFourTtls) {
  auto job = Start(Cascade("cascade.json"), "cascade");
  Complete(&job);
  const auto report = EvaluateOnce({job}, Library({Cascade("cascade.json")}));
  ASSERT_THAT(report.jobs, SizeIs(1));
  const JobReport& shown = report.jobs[0];
  EXPECT_EQ(shown.cluster, "test");
  EXPECT_EQ(shown.plan, "cascade.json");
  EXPECT_EQ(shown.plan_matched_by, MatchedBy::kUid);
  EXPECT_EQ(shown.checkpoint_age_ms, 2000);
  const OperatorReport& first = Operator(shown, "Join[6]");
  ASSERT_THAT(first.state, SizeIs(2));
  EXPECT_EQ(first.state[0].ttl_ms, kMillisPerDay);
  EXPECT_EQ(first.state[1].ttl_ms, 2 * kMillisPerHour);
  EXPECT_FALSE(first.state[0].suspicious_ttl);
  const OperatorReport& second = Operator(shown, "Join[11]");
  EXPECT_EQ(second.kind, "join");
  EXPECT_EQ(second.cleanup, Cleanup::kTtl);
  EXPECT_EQ(second.matched_by, MatchedBy::kUid);
  EXPECT_EQ(second.state[0].ttl_ms, 30 * kMillisPerMinute);
  EXPECT_TRUE(second.state[0].suspicious_ttl);
  EXPECT_FALSE(second.state[1].suspicious_ttl);
  ASSERT_THAT(report.findings, SizeIs(1));
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.code, "ttl-from-job-default");
  EXPECT_EQ(finding.job, "cascade");
  EXPECT_EQ(finding.job_id, job.id);
  EXPECT_EQ(finding.vertex_id, second.vertex_id);
  EXPECT_EQ(finding.operator_label, "Join[11]");
  EXPECT_EQ(finding.first_seen_ms, 5'000);
}

TEST(EvaluatorTest, OperatorsStandSourcesFirst) {
  auto job = Start(Totals("t.json", 0), "t");
  std::reverse(job.graph.vertices.begin(), job.graph.vertices.end());
  const auto report = EvaluateOnce({job}, {});
  std::vector<std::string> labels;
  for (const OperatorReport& op : report.jobs[0].operators) labels.push_back(op.label);
  EXPECT_THAT(labels, ElementsAre("TableSourceScan[1]", "Calc[2]", "GroupAggregate[4]",
                                  "totals[5]: Writer"));
}

TEST(EvaluatorTest, SizesStandOnOneOperatorOfEachVertex) {
  auto job = Start(Cascade("cascade.json"), "cascade");
  Complete(&job);
  for (const auto& library : {Library({Cascade("cascade.json")}), PlanLibrary{}}) {
    const auto report = EvaluateOnce({job}, library);
    std::map<std::string, std::int64_t> sums;
    std::map<std::string, int> carriers;
    for (const OperatorReport& op : report.jobs[0].operators) {
      if (!op.size_bytes) continue;
      sums[op.vertex_id] += *op.size_bytes;
      ++carriers[op.vertex_id];
      EXPECT_EQ(op.checkpointed_bytes, *op.size_bytes / 10);
    }
    EXPECT_THAT(sums, SizeIs(job.graph.vertices.size()));
    for (const auto& [vertex, size] : job.latest->vertices) {
      EXPECT_EQ(sums[vertex], size.state_size);
      EXPECT_EQ(carriers[vertex], 1);
    }
    EXPECT_TRUE(Operator(report.jobs[0], "Join[11]").size_bytes.has_value());
    EXPECT_FALSE(Operator(report.jobs[0], "paid[12]: Writer").size_bytes.has_value());
  }
}

TEST(EvaluatorTest, AChainsSizeStandsOnItsFirstKeyedOperator) {
  auto job = Start(Totals("t.json", 0), "t");
  // As after a reinterpretation of the key: the GROUP BY in its input's chain.
  ChainOperator op = job.graph.vertices[1].chain[0];
  op.parent = 1;
  job.graph.vertices[0].chain.push_back(op);
  job.graph.vertices.pop_back();
  Complete(&job);
  const auto report = EvaluateOnce({job}, {});
  EXPECT_EQ(Operator(report.jobs[0], "GroupAggregate[4]").size_bytes, 1000);
  EXPECT_FALSE(Operator(report.jobs[0], "TableSourceScan[1]").size_bytes.has_value());
}

TEST(EvaluatorTest, WithoutPlanEntriesAreNamedAndTtlsAreNot) {
  const auto report = EvaluateOnce({Start(Cascade("c.json"), "c")}, {});
  const OperatorReport& join = Operator(report.jobs[0], "Join[6]");
  EXPECT_EQ(join.matched_by, MatchedBy::kName);
  EXPECT_FALSE(join.node_id.has_value());
  ASSERT_THAT(join.state, SizeIs(2));
  EXPECT_EQ(join.state[0].name, "leftState");
  EXPECT_FALSE(join.state[0].ttl_ms.has_value());
  EXPECT_THAT(Codes(report), ElementsAre("plan-missing"));
  EXPECT_EQ(report.jobs[0].plan, "");
}

TEST(EvaluatorTest, AMultiJoinWithoutPlanHasAnEntryPerInput) {
  PlanBuilder builder("m.json");
  std::vector<std::int64_t> inputs;
  for (const char* table : {"a", "b", "c"}) {
    inputs.push_back(builder.Exchange(builder.Source(table, "k"), "k"));
  }
  builder.Add("multi-join", "MultiJoin(commonJoinKey=[k])", inputs);
  const auto report = EvaluateOnce({Start(builder.Build(), "m")}, {});
  const OperatorReport& join = Operator(report.jobs[0], "MultiJoin[7]");
  ASSERT_THAT(join.state, SizeIs(3));
  EXPECT_EQ(join.state[2].name, "input-state-2");
}

TEST(EvaluatorTest, AnEntryTakenOutOfThePlanKeepsItsNameAlone) {
  auto plan = Totals("t.json", 0);
  plan.nodes[3].state.clear();
  const auto report = EvaluateOnce({Start(plan, "t")}, Library({plan}));
  const OperatorReport& group = Operator(report.jobs[0], "GroupAggregate[4]");
  EXPECT_EQ(group.matched_by, MatchedBy::kUid);
  ASSERT_THAT(group.state, SizeIs(1));
  EXPECT_FALSE(group.state[0].ttl_ms.has_value());
}

TEST(EvaluatorTest, OnlyTheMaterializerOfASinkHoldsItsState) {
  PlanBuilder builder("u.json");
  const auto sink =
      builder.Sink(builder.GroupBy(builder.Source("o", "k"), "k", kMillisPerDay), "kv");
  builder.Node(sink)->state = {{0, "sinkMaterializeState", "0 ms", 0}};
  const auto plan = builder.Build();
  auto job = Start(plan, "u");
  auto report = EvaluateOnce({job}, Library({plan}));
  const OperatorReport& materializer = Operator(report.jobs[0], "SinkMaterializer[4]");
  EXPECT_EQ(materializer.cleanup, Cleanup::kTtl);
  EXPECT_THAT(materializer.state, SizeIs(1));
  const OperatorReport& writer = Operator(report.jobs[0], "kv[4]: Writer");
  EXPECT_EQ(writer.cleanup, Cleanup::kConnector);
  EXPECT_THAT(writer.state, IsEmpty());
  EXPECT_THAT(Codes(report), ElementsAre("forever-state"));
  EXPECT_EQ(report.findings[0].operator_label, "SinkMaterializer[4]");
  // Flink 1.20 writes the entry and runs no materializer: then there is no such state.
  auto& chain = job.graph.vertices.back().chain;
  chain.erase(chain.begin());
  chain[0].parent.reset();
  report = EvaluateOnce({job}, Library({plan}));
  EXPECT_THAT(Operator(report.jobs[0], "kv[4]: Writer").state, IsEmpty());
  EXPECT_THAT(report.findings, IsEmpty());
}

TEST(EvaluatorTest, TextsOfAPlainInsertNameTheRunningOperators) {
  RunOptions options;
  options.uids = false;
  options.id_shift = 40;
  const auto plan = Cascade("cascade.json");
  const auto report = EvaluateOnce({Start(plan, "plain", options)}, Library({plan}));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].operator_label, "Join[51]");
  EXPECT_EQ(report.findings[0].node_id, 11);
  EXPECT_THAT(report.findings[0].message, HasSubstr("Join[51] leftState"));
  EXPECT_THAT(report.findings[0].message, HasSubstr("Join[46] keeps orders"));
  EXPECT_THAT(report.findings[0].advice.Text(), HasSubstr("in node 11 of the plan file"));
}

TEST(EvaluatorTest, WherePlansDisagreeNoTtlIsShown) {
  RunOptions options;
  options.uids = false;
  const auto library = Library({Totals("a.json", 0), Totals("b.json", kMillisPerDay)});
  const auto report = EvaluateOnce({Start(library.plans[0], "t", options)}, library);
  const OperatorReport& group = Operator(report.jobs[0], "GroupAggregate[4]");
  ASSERT_THAT(group.state, SizeIs(1));
  EXPECT_FALSE(group.state[0].ttl_ms.has_value());
  EXPECT_EQ(report.jobs[0].plan, "");
  EXPECT_THAT(Codes(report), ElementsAre("plan-ambiguous"));
}

TEST(EvaluatorTest, EndedJobsShowNothingButThemselves) {
  for (const char* state : {"FINISHED", "FAILED", "CANCELED"}) {
    auto job = Start(Totals("t.json", 0), "t");
    Complete(&job);
    job.state = state;
    job.failed_since_completed = 9;
    const auto report = EvaluateOnce({job}, Library({Totals("t.json", 0)}));
    ASSERT_THAT(report.jobs, SizeIs(1));
    EXPECT_TRUE(report.jobs[0].terminal);
    EXPECT_THAT(report.jobs[0].operators, IsEmpty());
    EXPECT_FALSE(report.jobs[0].checkpoint_id.has_value());
    EXPECT_THAT(report.findings, IsEmpty());
  }
}

TEST(EvaluatorTest, FindingsKeepTheirFirstSeenTimeAndGoAway) {
  Evaluator evaluator({DefaultUidFormats(), true});
  const auto library = Library({Totals("t.json", 0)});
  const auto job = Start(library.plans[0], "t");
  EXPECT_EQ(evaluator.Evaluate(Snapshot({job}, 100), library)->findings.at(0).first_seen_ms, 100);
  EXPECT_EQ(evaluator.Evaluate(Snapshot({job}, 200), library)->findings.at(0).first_seen_ms, 100);
  EXPECT_THAT(evaluator.Evaluate(Snapshot({}, 300), library)->findings, IsEmpty());
  EXPECT_EQ(evaluator.Evaluate(Snapshot({job}, 400), library)->findings.at(0).first_seen_ms, 400);
}

TEST(EvaluatorTest, FindingsAreSortedBySeverityThenJob) {
  auto failing = Start(Totals("t.json", 0), "z");
  failing.failed_since_completed = 9;
  const auto report =
      EvaluateOnce({failing, Start(Totals("x", 0), "a")}, Library({Totals("t.json", 0)}));
  EXPECT_THAT(Codes(report), ElementsAre("checkpoint-failing", "forever-state", "forever-state"));
  EXPECT_EQ(report.findings[1].job, "a");
}

TEST(EvaluatorTest, IncrementalIsSaidOnlyOnceItWasSeen) {
  auto job = Start(Totals("t.json", 0), "t");
  job.config.emplace();
  job.config->state_backend = "EmbeddedRocksDBStateBackend";
  job.config->changelog = false;
  const auto add = [&](std::int64_t id, std::int64_t size, std::int64_t written, bool savepoint) {
    job.history.emplace_back();
    job.history.back().id = id;
    job.history.back().state_size = size;
    job.history.back().checkpointed_size = written;
    job.history.back().savepoint = savepoint;
  };
  Evaluator evaluator({DefaultUidFormats(), true});
  const auto seen = [&] { return evaluator.Evaluate(Snapshot({job}), {})->jobs[0].incremental; };
  EXPECT_EQ(seen(), std::nullopt);
  add(1, 500, 500, false);
  EXPECT_EQ(seen(), std::nullopt);  // the first of an incremental backend is whole, too
  add(2, 900, 10, true);            // a savepoint says nothing
  EXPECT_EQ(seen(), std::nullopt);
  add(3, 800, 300, false);
  EXPECT_EQ(seen(), true);
  job.history.clear();
  EXPECT_EQ(seen(), true);  // restarted: the history is gone, the configuration is not
  job.start_ms += 1;        // another run
  EXPECT_EQ(seen(), std::nullopt);
  // Small files are written anew each time, incremental or not: equal sizes prove nothing.
  for (int id = 1; id <= 10; ++id) add(id, 500, 500, false);
  EXPECT_EQ(seen(), std::nullopt);
  job.history.clear();
  job.config->state_backend = "HashMapStateBackend";
  EXPECT_EQ(seen(), false);
}

TEST(EvaluatorTest, LinksAnewWhenPlansOrJobsChange) {
  const auto job = Start(Totals("t.json", 0), "t");
  Evaluator evaluator({DefaultUidFormats(), true});
  auto library = Library({Totals("t.json", 0)});
  library.generation = 1;
  const auto plan_of = [&](const JobSnapshot& running) {
    return evaluator.Evaluate(Snapshot({running}), library)->jobs[0].plan;
  };
  EXPECT_EQ(plan_of(job), "t.json");
  EXPECT_EQ(plan_of(job), "t.json");  // kept
  library.plans.clear();
  library.generation = 2;  // the file was taken away
  EXPECT_EQ(plan_of(job), "");
  library = Library({Totals("t.json", 0)});
  library.generation = 3;
  EXPECT_EQ(plan_of(job), "t.json");
  auto again = job;
  again.start_ms += 1;  // another run, whose graph is not known yet
  again.graph.vertices.clear();
  EXPECT_EQ(plan_of(again), "");
  again.graph = job.graph;
  EXPECT_EQ(plan_of(again), "t.json");
}

TEST(EvaluatorTest, CountsPlans) {
  auto library = Library({Totals("a.json", 0)});
  library.unreadable.push_back({"broken.json", "no JSON"});
  const auto report = EvaluateOnce({}, library);
  EXPECT_EQ(report.plans_loaded, 1U);
  EXPECT_EQ(report.plans_unreadable, 1U);
  EXPECT_THAT(report.jobs, IsEmpty());
}

}  // namespace
}  // namespace fss
