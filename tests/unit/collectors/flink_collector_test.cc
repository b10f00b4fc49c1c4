#include "collectors/flink_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/counting_client.h"
#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class FlinkCollectorTest : public CollectorFixture {};

TEST_F(FlinkCollectorTest, APollOfARunningJob) {
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 7, 4200);
  const ClusterSnapshot snapshot = Poll();
  EXPECT_EQ(snapshot.cluster, "prod");
  EXPECT_EQ(snapshot.flink_version, "2.3.0");
  EXPECT_EQ(snapshot.taken_ms, 1'700'000'000'000);
  ASSERT_EQ(snapshot.jobs.size(), 1U);
  const JobSnapshot& job = snapshot.jobs[0];
  EXPECT_EQ(job.jobmanager_now_ms, 1500);
  EXPECT_EQ(job.graph.vertices.size(), 1U);
  EXPECT_EQ(job.config->state_backend, "OtherStateBackend");
  EXPECT_EQ(job.counts->completed, 1);
  ASSERT_TRUE(job.latest);
  EXPECT_EQ(job.latest->id, 7);
  EXPECT_EQ(job.latest->vertices.at(kVertex).state_size, 4200);
  EXPECT_EQ(job.history.size(), 1U);
  EXPECT_THAT(job.problems, IsEmpty());
}

TEST_F(FlinkCollectorTest, AsksOnceForWhatDoesNotChange) {
  Jobs({Row(kA, "RUNNING"), Row(kB, "RESTARTING")});
  Job(kA, 7);
  Job(kB, 3);
  Poll();
  EXPECT_THAT(
      jm_[0]->TakeAsked(),
      UnorderedElementsAre("/jobs/overview", "/config", "/jobs/" + kA + "/checkpoints",
                           "/jobs/" + kA + "/checkpoints/config", "/jobs/" + kA + "/plan",
                           "/jobs/" + kA + "/checkpoints/details/7", "/jobs/" + kB + "/checkpoints",
                           "/jobs/" + kB + "/checkpoints/config", "/jobs/" + kB + "/plan",
                           "/jobs/" + kB + "/checkpoints/details/3"));
  Poll();
  EXPECT_THAT(jm_[0]->TakeAsked(),
              UnorderedElementsAre("/jobs/overview", "/jobs/" + kA + "/checkpoints",
                                   "/jobs/" + kB + "/checkpoints"));
  Job(kA, 8);
  const ClusterSnapshot third = Poll();
  EXPECT_THAT(jm_[0]->TakeAsked(),
              UnorderedElementsAre("/jobs/overview", "/jobs/" + kA + "/checkpoints",
                                   "/jobs/" + kA + "/checkpoints/details/8",
                                   "/jobs/" + kB + "/checkpoints"));
  EXPECT_EQ(third.jobs[0].latest->id, 8);
  EXPECT_EQ(third.jobs[0].graph.vertices.size(), 1U);
}

TEST_F(FlinkCollectorTest, OfAJobThatIsOverNothingIsAskedNorKept) {
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 7);
  Poll();
  for (const char* state : {"FINISHED", "FAILED", "CANCELED", "SUSPENDED"}) {
    Jobs({Row(kA, state)});
    jm_[0]->TakeAsked();
    const ClusterSnapshot snapshot = Poll();
    EXPECT_THAT(jm_[0]->TakeAsked(), ElementsAre("/jobs/overview")) << state;
    EXPECT_EQ(snapshot.jobs[0].state, state);
    EXPECT_FALSE(snapshot.jobs[0].latest);
    EXPECT_FALSE(snapshot.jobs[0].jobmanager_now_ms);
    EXPECT_TRUE(snapshot.jobs[0].graph.vertices.empty());
  }
}

TEST_F(FlinkCollectorTest, NoJobsIsNotUnreachable) {
  Jobs({});
  EXPECT_TRUE(Poll().jobs.empty());
}

TEST_F(FlinkCollectorTest, UnreachableIsAnErrorAndNamesTheServers) {
  jm_[0]->FailAll(Error{ErrorCode::kTimeout, "no answer in time", ""});
  jm_[1]->FailAll(Error{ErrorCode::kUnreachable, "cannot connect", ""});
  const auto snapshot = collector_->Poll();
  ASSERT_FALSE(snapshot.ok());
  EXPECT_EQ(snapshot.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(snapshot.error().ToString(),
            "http://jm-1/jobs/overview: no answer in time; "
            "http://jm-2/jobs/overview: cannot connect");
}

TEST_F(FlinkCollectorTest, WhatIsKnownOutlivesAnOutage) {
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 7);
  Poll();
  const Error down{ErrorCode::kUnreachable, "cannot connect", ""};
  for (ScriptedClient* jm : jm_) jm->FailAll(down);
  EXPECT_FALSE(collector_->Poll().ok());
  jm_[0]->Recover();
  jm_[0]->TakeAsked();
  EXPECT_EQ(Poll().jobs[0].latest->id, 7);
  EXPECT_THAT(jm_[0]->TakeAsked(),
              UnorderedElementsAre("/jobs/overview", "/config", "/jobs/" + kA + "/checkpoints"))
      << "the version again: it may be an upgraded JobManager";
}

TEST_F(FlinkCollectorTest, GoesToTheStandbyAndStaysThere) {
  jm_[1]->Answer("/jobs/overview", Overview({}));
  jm_[1]->Answer("/config", R"({"flink-version":"1.20.5"})");
  const std::vector<std::function<void()>> troubles = {
      [this] {
        jm_[0]->Fail("/jobs/overview", Error{ErrorCode::kUnreachable, "refused", ""});
      },
      [this] { jm_[0]->Answer("/jobs/overview", R"({"errors":["leader election"]})", 503); },
      [this] { jm_[0]->Answer("/jobs/overview", "<html>login</html>"); },
      [this] { jm_[0]->Answer("/jobs/overview", "{}", 302); },
  };
  for (const auto& trouble : troubles) {
    SetUp();
    jm_[1]->Answer("/jobs/overview", Overview({}));
    jm_[1]->Answer("/config", R"({"flink-version":"1.20.5"})");
    trouble();
    EXPECT_EQ(Poll().flink_version, "1.20.5");
    jm_[0]->TakeAsked();
    Poll();
    EXPECT_THAT(jm_[0]->TakeAsked(), IsEmpty()) << "the one that answered is asked first";
  }
}

TEST_F(FlinkCollectorTest, SizesBelongToTheCheckpointThatIsShown) {
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 7, 4200);
  Poll();
  const std::string path = "/jobs/" + kA + "/checkpoints";
  jm_[0]->Answer(path, Checkpoints(Completed(8, 5000, "s3://a/chk-8")));
  jm_[0]->Fail(path + "/details/8", Error{ErrorCode::kTimeout, "no answer in time", ""});
  ClusterSnapshot snapshot = Poll();
  EXPECT_EQ(snapshot.jobs[0].latest->id, 7) << "8 is not known per vertex yet";
  EXPECT_EQ(snapshot.jobs[0].latest->vertices.at(kVertex).state_size, 4200);
  EXPECT_EQ(snapshot.jobs[0].history.back().id, 8);
  EXPECT_THAT(snapshot.jobs[0].problems, ElementsAre("checkpoint 8: no answer in time"));
  jm_[0]->Answer(path + "/details/8",
                 Completed(8, 5000, "s3://a/chk-8", "{\"" + kVertex + "\":{\"state_size\":5000}}"));
  snapshot = Poll();
  EXPECT_EQ(snapshot.jobs[0].latest->id, 8);
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());
}

TEST_F(FlinkCollectorTest, AnotherJobsCheckpointIsIgnored) {
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 7);
  jm_[0]->Answer(
      "/jobs/" + kA + "/checkpoints/details/7",
      Completed(7, 999, "s3://other/chk-7", "{\"" + kVertex + "\":{\"state_size\":999}}"));
  const ClusterSnapshot snapshot = Poll();
  ASSERT_TRUE(snapshot.jobs[0].latest);
  EXPECT_EQ(snapshot.jobs[0].latest->state_size, 100) << "the row's own total";
  EXPECT_TRUE(snapshot.jobs[0].latest->vertices.empty());
  EXPECT_THAT(snapshot.jobs[0].problems,
              ElementsAre("checkpoint 7: the details are those of another checkpoint"));
  jm_[0]->TakeAsked();
  EXPECT_THAT(Poll().jobs[0].problems,
              ElementsAre("checkpoint 7: the details are those of another checkpoint"));
  EXPECT_THAT(Asked("/details/"), IsEmpty()) << "it would be the same again";
}

TEST_F(FlinkCollectorTest, AReusedIdIsANewJob) {
  Jobs({Row(kZero, "RUNNING", 1000)});
  Job(kZero, 7);
  Poll();
  jm_[0]->TakeAsked();
  jm_[0]->Answer("/config", R"({"flink-version":"2.3.1"})");
  Jobs({Row(kZero, "RUNNING", 9000)});
  jm_[0]->Answer("/jobs/" + kZero + "/checkpoints", Checkpoints("null"));
  const ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(
      jm_[0]->TakeAsked(),
      UnorderedElementsAre("/jobs/overview", "/config", "/jobs/" + kZero + "/checkpoints",
                           "/jobs/" + kZero + "/checkpoints/config", "/jobs/" + kZero + "/plan"));
  EXPECT_EQ(snapshot.flink_version, "2.3.1");
  EXPECT_FALSE(snapshot.jobs[0].latest) << "not the former deployment's";
}

TEST_F(FlinkCollectorTest, AJobThatIsStillStartingIsAskedAgain) {
  Jobs({Row(kA, "INITIALIZING")});
  const std::string path = "/jobs/" + kA;
  jm_[0]->Answer(path + "/plan", R"({"plan":{}})");
  jm_[0]->Answer(path + "/checkpoints/config", R"({"interval":2000,"state_backend":"Unknown"})");
  jm_[0]->Answer(path + "/checkpoints", Checkpoints("null"));
  ClusterSnapshot snapshot = Poll();
  EXPECT_TRUE(snapshot.jobs[0].graph.vertices.empty());
  EXPECT_EQ(snapshot.jobs[0].config->state_backend, "");
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 1);
  snapshot = Poll();
  EXPECT_EQ(snapshot.jobs[0].graph.vertices.size(), 1U);
  EXPECT_EQ(snapshot.jobs[0].config->state_backend, "OtherStateBackend");
}

TEST_F(FlinkCollectorTest, CheckpointingOffIsNoProblem) {
  Jobs({Row(kA, "RUNNING")});
  const std::string path = "/jobs/" + kA;
  const std::string off = R"({"errors":["Checkpointing has not been enabled."]})";
  jm_[0]->Answer(path + "/plan", kPlan);
  jm_[0]->Answer(path + "/checkpoints", off, 404);
  jm_[0]->Answer(path + "/checkpoints/config", off, 404);
  const ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());
  EXPECT_FALSE(snapshot.jobs[0].counts);
  EXPECT_FALSE(snapshot.jobs[0].config);
  jm_[0]->TakeAsked();
  Poll();
  EXPECT_THAT(jm_[0]->TakeAsked(), UnorderedElementsAre("/jobs/overview", path + "/checkpoints"));
}

TEST_F(FlinkCollectorTest, AJobsTroubleIsItsOwn) {
  Jobs({Row(kA, "RUNNING", 1), Row(kB, "RUNNING", 2)});
  Job(kA, 7);
  Job(kB, 3);
  Poll();
  jm_[0]->Answer("/jobs/" + kA + "/checkpoints",
                 R"({"errors":["java.lang.IllegalStateException: broken\n\tat a"]})", 500);
  const ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(snapshot.jobs[0].problems, ElementsAre("checkpoints: HTTP 500: broken"));
  EXPECT_EQ(snapshot.jobs[0].latest->id, 7) << "the last known numbers stand";
  EXPECT_EQ(snapshot.jobs[0].history.size(), 1U);
  EXPECT_THAT(snapshot.jobs[1].problems, IsEmpty());
}

TEST_F(FlinkCollectorTest, AnImpossiblePlanIsAskedForOnce) {
  Jobs({Row(kA, "RUNNING")});
  Job(kA, 7);
  jm_[0]->Answer("/jobs/" + kA + "/plan", std::string(9U << 20U, ' '));
  EXPECT_THAT(Poll().jobs[0].problems, ElementsAre(HasSubstr("plan: a plan above")));
  jm_[0]->TakeAsked();
  EXPECT_THAT(Poll().jobs[0].problems, ElementsAre(HasSubstr("plan: a plan above")));
  EXPECT_THAT(jm_[0]->TakeAsked(),
              UnorderedElementsAre("/jobs/overview", "/jobs/" + kA + "/checkpoints"));
}

TEST_F(FlinkCollectorTest, AVersionThatCouldNotBeHadIsAskedForAgain) {
  Jobs({});
  jm_[0]->Answer("/config", "<html>", 200);
  EXPECT_EQ(Poll().flink_version, "");
  jm_[0]->Answer("/config", R"({"flink-version":"2.3.0"})");
  EXPECT_EQ(Poll().flink_version, "2.3.0");
  jm_[0]->TakeAsked();
  Poll();
  EXPECT_THAT(jm_[0]->TakeAsked(), ElementsAre("/jobs/overview"));
}

TEST_F(FlinkCollectorTest, JobsAreSortedByStartThenId) {
  Jobs({Row(kB, "FINISHED", 5), Row(kZero, "FINISHED", 9), Row(kA, "FINISHED", 5)});
  const ClusterSnapshot snapshot = Poll();
  EXPECT_EQ(snapshot.jobs[0].id, kA);
  EXPECT_EQ(snapshot.jobs[1].id, kB);
  EXPECT_EQ(snapshot.jobs[2].id, kZero);
}

TEST(CountingClient, CountsByOutcome) {
  auto scripted = std::make_unique<ScriptedClient>();
  scripted->Answer("/ok", "12345");
  scripted->Answer("/moved", "", 302);
  scripted->Answer("/broken", "123", 503);
  scripted->Fail("/slow", Error{ErrorCode::kTimeout, "", ""});
  scripted->Fail("/long", Error{ErrorCode::kTooLarge, "", ""});
  RestCounters counters;
  const auto client = NewCountingRestClient(std::move(scripted), &counters);
  int seen = 0;
  client->GetEach({"/ok", "/ok", "/moved", "/broken", "/slow", "/long", "/missing"},
                  [&seen](std::size_t, const Result<RestAnswer>&) { ++seen; });
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(counters.requests,
            (std::map<std::string, std::uint64_t>{
                {"2xx", 2}, {"3xx", 1}, {"4xx", 1}, {"5xx", 1}, {"timeout", 1}, {"too-large", 1}}));
  EXPECT_EQ(counters.response_bytes,
            5U + 5U + 3U + std::string(R"({"errors":["Not found: /missing"]})").size());
  EXPECT_EQ(client->url(), "http://jobmanager:8081");
}

}  // namespace
}  // namespace fss
