#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "collectors/rest/checkpoint_config_reader.h"
#include "collectors/rest/checkpoint_details_reader.h"
#include "collectors/rest/checkpoints_reader.h"
#include "collectors/rest/cluster_config_reader.h"
#include "collectors/rest/job_plan_reader.h"
#include "collectors/rest/jobs_overview_reader.h"
#include "collectors/rest/state_metrics_reader.h"
#include "collectors/rest/subtask_sizes_reader.h"
#include "collectors/rest/task_manager_reader.h"
#include "collectors/rest/task_managers_reader.h"

namespace fss {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kNever = "9223372036854775807";
constexpr const char* kJob = "4f1576328c1bfa88b85aaa154e123069";

RestAnswer Json(std::string body, int status = 200) {
  return RestAnswer{status, "application/json; charset=UTF-8", std::move(body)};
}

RestAnswer Golden(const std::string& name, int status = 200) {
  std::ifstream in(std::string(FSS_TEST_DATA) + "/rest/" + name, std::ios::binary);
  EXPECT_TRUE(in.good()) << name;
  std::ostringstream text;
  text << in.rdbuf();
  return Json(text.str(), status);
}

// ---- every reader, with what is no answer of its kind

using AnyReader = std::function<std::optional<Error>(RestAnswer)>;

template <typename Read>
AnyReader Outcome(Read read) {
  return [read](RestAnswer answer) -> std::optional<Error> {
    auto result = read(std::move(answer));
    if (result.ok()) return std::nullopt;
    return result.error();
  };
}

const std::map<std::string, AnyReader>& AllReaders() {
  static const std::map<std::string, AnyReader> readers = {
      {"overview", Outcome(ReadJobsOverview)},
      {"plan", Outcome(ReadJobPlan)},
      {"checkpoints", Outcome(ReadCheckpoints)},
      {"details", Outcome([](RestAnswer answer) {
         return ReadCheckpointDetails(std::move(answer), CompletedCheckpoint());
       })},
      {"checkpoint config", Outcome(ReadCheckpointConfig)},
      {"version", Outcome(ReadFlinkVersion)},
      {"subtasks",
       Outcome([](RestAnswer answer) { return ReadSubtaskSizes(std::move(answer), 1, 1); })},
      {"task managers", Outcome(ReadTaskManagerIds)},
      {"task manager",
       Outcome([](RestAnswer answer) { return ReadTaskManager(std::move(answer), "tm"); })},
  };
  return readers;
}

void ExpectRefused(const RestAnswer& answer, ErrorCode code, const std::string& says) {
  for (const auto& [name, read] : AllReaders()) {
    const auto error = read(answer);
    ASSERT_TRUE(error) << name << " took " << answer.body.substr(0, 60);
    EXPECT_EQ(error->code, code) << name << ": " << error->ToString();
    EXPECT_THAT(error->message, HasSubstr(says)) << name;
    EXPECT_LE(error->message.size(), 300U);
    EXPECT_THAT(error->message, Not(HasSubstr("\n")));
  }
}

TEST(RestReaders, RefuseWhatIsNoFlinkAnswer) {
  ExpectRefused(RestAnswer{200, "text/html", "<!DOCTYPE html>\n<html>Sign in</html>"},
                ErrorCode::kMalformed, "not a Flink answer (an HTML page)");
  ExpectRefused(RestAnswer{200, "text/plain", "OK"}, ErrorCode::kMalformed,
                "not a Flink answer (text/plain)");
  ExpectRefused(Json(""), ErrorCode::kMalformed, "not a Flink answer (empty)");
  for (const char* body : {"{", "[]", "null", "12", "\"text\"", "{\"jobs\":[", "{} {}", "{\"a\":}",
                           "{\"a\":1e999}", "\xff\xfe\x01", "{\"a\":\"\\ud800\"}", "nul"}) {
    ExpectRefused(Json(body), ErrorCode::kMalformed, "not a Flink answer");
  }
  ExpectRefused(Json(std::string("{\"jobs\":[]}\0x", 13)), ErrorCode::kMalformed, "");
  ExpectRefused(Json(R"({"status":"UP"})"), ErrorCode::kMalformed, "not");
}

TEST(RestReaders, RefuseBodiesMadeToFillMemory) {
  ExpectRefused(Json(R"({"jobs":)" + std::string(100'000, '[')), ErrorCode::kTooLarge, "too many");
  std::string wide = R"({"plan":{"nodes":[0)";
  for (int i = 0; i < 2'100'000; ++i) wide += ",0";
  ExpectRefused(Json(wide + "]}}"), ErrorCode::kTooLarge, "too many");
}

TEST(RestReaders, KeepOneLineOfAStackTrace) {
  ExpectRefused(Json(R"({"errors":["org.apache.flink.runtime.rest.NotFoundException: Job ffff not)"
                     R"( found\n\tat org.apache.flink.Foo.bar(Foo.java:110)\n\tat x"]})",
                     404),
                ErrorCode::kNotFound, "HTTP 404: Job ffff not found");
  ExpectRefused(
      Json(R"({"errors":["Internal server error.","<Exception on server side:\n)"
           R"(java.util.concurrent.CompletionException: java.lang.OutOfMemoryError: )"
           R"(Java heap space\n\tat a.b(C.java:1)\n\nEnd of exception on server side>"]})",
           500),
      ErrorCode::kHttpStatus, "HTTP 500: Java heap space");
  ExpectRefused(Json(R"({"errors":["Service temporarily unavailable due to an ongoing leader )"
                     R"(election. Please refresh."]})",
                     503),
                ErrorCode::kHttpStatus, "HTTP 503: Service temporarily unavailable");
  ExpectRefused(RestAnswer{502, "text/html", "<html>Bad gateway</html>"}, ErrorCode::kHttpStatus,
                "HTTP 502: not a Flink answer (an HTML page)");
  ExpectRefused(Json(R"({"errors":[]})", 500), ErrorCode::kHttpStatus,
                "HTTP 500: an error without");
  ExpectRefused(Json(R"({"errors":[")" + std::string(9000, 'x') + R"("]})", 500),
                ErrorCode::kHttpStatus, "HTTP 500: xxx");
  ExpectRefused(RestAnswer{302, "", ""}, ErrorCode::kHttpStatus, "HTTP 302");
}

// ---- /jobs/overview

std::string OverviewOf(const std::string& rows) { return "{\"jobs\":[" + rows + "]}"; }

std::string Row(const std::string& id, const std::string& more) {
  return R"({"jid":")" + id + "\"," + more + "}";
}

TEST(JobsOverview, RealJobs) {
  const auto jobs = ReadJobsOverview(Golden("overview.json"));
  ASSERT_TRUE(jobs.ok()) << jobs.error().ToString();
  ASSERT_EQ(jobs->size(), 4U);
  const JobSnapshot& running = (*jobs)[0];
  EXPECT_EQ(running.id, kJob);
  EXPECT_EQ(running.name, "agg-join-plan");
  EXPECT_EQ(running.state, "RUNNING");
  EXPECT_EQ(running.start_ms, 1796001073600);
  EXPECT_EQ(running.jobmanager_now_ms, 1796001073600 + 175461);
  EXPECT_EQ(running.tasks_total, 9);
  EXPECT_EQ(running.tasks_running, 9);
  EXPECT_EQ((*jobs)[1].state, "FINISHED");
  EXPECT_FALSE((*jobs)[1].jobmanager_now_ms) << "the duration of an ended job is no clock";
  EXPECT_EQ((*jobs)[2].tasks_running, 0) << "RUNNING without TaskManagers";
  EXPECT_EQ((*jobs)[3].name, "adhoc \"quoted\" ünïcode 状态 \\ back");
}

TEST(JobsOverview, NoJobsIsNoError) {
  const auto jobs = ReadJobsOverview(Json("{\"jobs\":[]}"));
  ASSERT_TRUE(jobs.ok());
  EXPECT_TRUE(jobs->empty());
}

TEST(JobsOverview, HostileNames) {
  const std::string longest(40'000, 'n');
  const auto jobs = ReadJobsOverview(Json(
      OverviewOf(Row("00000000000000000000000000000001", "\"name\":\"a\xff\xc3(\\u0000b\"") + "," +
                 Row("00000000000000000000000000000002", "\"name\":\"" + longest + "\"") + "," +
                 Row("00000000000000000000000000000003", "\"name\":\"SELECT\\n\\\"x\\\"\"") + "," +
                 Row("00000000000000000000000000000004", "\"name\":null") + "," +
                 Row("00000000000000000000000000000005", "\"name\":17"))));
  ASSERT_TRUE(jobs.ok());
  ASSERT_EQ(jobs->size(), 5U);
  EXPECT_THAT((*jobs)[0].name, HasSubstr("\xEF\xBF\xBD"));
  EXPECT_THAT((*jobs)[0].name, Not(HasSubstr("\xff")));
  EXPECT_LE((*jobs)[1].name.size(), 32768U);
  EXPECT_EQ((*jobs)[2].name, "SELECT\n\"x\"");
  EXPECT_EQ((*jobs)[3].name, "");
  EXPECT_EQ((*jobs)[4].name, "");
}

TEST(JobsOverview, IdsThatAreNoneNeverGetIntoAPath) {
  const auto some = ReadJobsOverview(
      Json(OverviewOf(Row("../../jars", "\"state\":\"RUNNING\"") + ",7," + Row(kJob, "\"a\":1"))));
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some->size(), 1U);
  EXPECT_EQ((*some)[0].id, kJob);
  EXPECT_FALSE(ReadJobsOverview(Json(OverviewOf(Row("x", "\"a\":1")))).ok());
}

TEST(JobsOverview, OfOneIdTheLivingThenTheLater) {
  const std::string zero(32, '0');
  const auto row = [&zero](const std::string& state, int start) {
    return Row(zero, R"("state":")" + state + R"(","start-time":)" + std::to_string(start));
  };
  const auto jobs = ReadJobsOverview(
      Json(OverviewOf(row("FAILED", 300) + "," + row("RUNNING", 200) + "," + row("FAILED", 400))));
  ASSERT_EQ(jobs->size(), 1U);
  EXPECT_EQ((*jobs)[0].start_ms, 200);
  const auto ended =
      ReadJobsOverview(Json(OverviewOf(row("FAILED", 300) + "," + row("FINISHED", 400))));
  EXPECT_EQ((*ended)[0].start_ms, 400);
}

TEST(JobsOverview, WhatIsNotKnownIsAbsent) {
  const auto jobs = ReadJobsOverview(
      Json(OverviewOf(Row(kJob, R"("state":"RUNNING","start-time":-1,"duration":5,)"
                                R"("tasks":{"total":-1,"running":"NaN"})"))));
  ASSERT_TRUE(jobs.ok());
  EXPECT_FALSE((*jobs)[0].jobmanager_now_ms);
  EXPECT_FALSE((*jobs)[0].tasks_total);
  EXPECT_FALSE((*jobs)[0].tasks_running);
  const auto far = ReadJobsOverview(Json(OverviewOf(
      Row(kJob, R"("state":"RUNNING","start-time":5,"duration":)" + std::string(kNever)))));
  EXPECT_FALSE((*far)[0].jobmanager_now_ms) << "the sum does not fit";
}

// ---- /jobs/:jid/checkpoints

TEST(Checkpoints, ARealAnswer) {
  const auto answer = ReadCheckpoints(Golden("checkpoints.json"));
  ASSERT_TRUE(answer.ok()) << answer.error().ToString();
  EXPECT_EQ(answer->counts->completed, 23);
  EXPECT_EQ(answer->counts->failed, 1);
  EXPECT_EQ(answer->counts->in_progress, 1);
  ASSERT_TRUE(answer->latest);
  EXPECT_EQ(answer->latest->id, 23);
  EXPECT_EQ(answer->latest->state_size, 5125555);
  EXPECT_EQ(answer->latest->checkpointed_size, 5122561);
  EXPECT_EQ(answer->latest->completed_ms, 1796001245135);
  EXPECT_EQ(answer->latest->external_path,
            "file:/checkpoints/4f1576328c1bfa88b85aaa154e123069/chk-23");
  ASSERT_EQ(answer->history.size(), 2U) << "the one in progress is no completed one";
  EXPECT_EQ(answer->history[0].id, 22) << "oldest first";
  EXPECT_EQ(answer->history[1].id, 23);
  EXPECT_FALSE(answer->latest_failed);
  EXPECT_EQ(answer->failed_since_completed, 0);
}

TEST(Checkpoints, ZeroCountsAndNaN) {
  const auto answer = ReadCheckpoints(Golden("checkpoints_none.json"));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->counts->completed, 0);
  EXPECT_FALSE(answer->latest);
  EXPECT_FALSE(answer->latest_restored);
  EXPECT_TRUE(answer->history.empty());
}

TEST(Checkpoints, SavepointsRestoresAndFailures) {
  const auto answer = ReadCheckpoints(Golden("checkpoints_mixed.json"));
  ASSERT_TRUE(answer.ok());
  // latest.completed is null: the history has a completed one all the same.
  ASSERT_TRUE(answer->latest);
  EXPECT_EQ(answer->latest->id, 40);
  EXPECT_FALSE(answer->latest->savepoint);
  ASSERT_EQ(answer->history.size(), 2U);
  EXPECT_TRUE(answer->history[1].savepoint);
  EXPECT_EQ(answer->history[1].state_size, 14300000);
  EXPECT_FALSE(answer->history[0].checkpointed_size) << "before 1.15 there is none";
  EXPECT_EQ(answer->failed_since_completed, 2) << "42 and 43 come after savepoint 41, 39 before";
  ASSERT_TRUE(answer->latest_failed);
  EXPECT_EQ(answer->latest_failed->id, 43);
  EXPECT_EQ(answer->latest_failed->reason, "Checkpoint expired before completing.  at x");
  EXPECT_EQ(answer->latest_failed->failed_ms, 1700000043500);
  ASSERT_TRUE(answer->latest_restored);
  EXPECT_EQ(answer->latest_restored->id, 12);
  EXPECT_TRUE(answer->latest_restored->savepoint);
}

TEST(Checkpoints, RowsThatLackNumbersAreLeftOut) {
  const auto answer = ReadCheckpoints(Json(
      R"({"counts":{"completed":3,"failed":0},"latest":{"completed":{"status":"COMPLETED","id":1}},)"
      R"("history":[{"status":"COMPLETED","id":2,"trigger_timestamp":5,"state_size":"NaN"},)"
      R"({"status":"COMPLETED","id":3,"trigger_timestamp":5,"state_size":-1},null,7,[],)"
      R"({"status":"COMPLETED","id":4,"trigger_timestamp":5,"state_size":10.0,)"
      R"("checkpointed_size":null,"latest_ack_timestamp":-1,"persisted_data":1.5},)"
      R"({"status":"COMPLETED","id":9223372036854775808,"trigger_timestamp":5,"state_size":1}]})"));
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->history.size(), 1U);
  EXPECT_EQ(answer->history[0].state_size, 10);
  EXPECT_FALSE(answer->history[0].checkpointed_size);
  EXPECT_FALSE(answer->history[0].completed_ms);
  EXPECT_FALSE(answer->history[0].persisted_data);
  EXPECT_EQ(answer->latest->id, 4);
}

TEST(Checkpoints, TellOffFromGone) {
  const auto off =
      ReadCheckpoints(Json(R"({"errors":["Checkpointing has not been enabled."]})", 404));
  EXPECT_TRUE(SaysCheckpointingOff(off.error()));
  const auto gone = ReadCheckpoints(
      Json(R"({"errors":["org.apache.flink.runtime.rest.NotFoundException: Job x not found\n at )"
           R"(a.checkpoints.AbstractCheckpointStatsHandler enabled heckpointing"]})",
           404));
  EXPECT_FALSE(SaysCheckpointingOff(gone.error()));
  const auto broken =
      ReadCheckpoints(Json(R"({"errors":["Checkpointing has not been enabled."]})", 500));
  EXPECT_FALSE(SaysCheckpointingOff(broken.error()));
}

// ---- /jobs/:jid/checkpoints/details/:cid

CompletedCheckpoint Newest() { return *ReadCheckpoints(Golden("checkpoints.json"))->latest; }

TEST(CheckpointDetails, SizesPerVertex) {
  const auto details = ReadCheckpointDetails(Golden("details_23.json"), Newest());
  ASSERT_TRUE(details.ok()) << details.error().ToString();
  EXPECT_EQ(details->id, 23);
  ASSERT_EQ(details->vertices.size(), 3U);
  EXPECT_EQ(details->vertices.at("954f225e14f8b7cc24d230ce17e39a2e").state_size, 4379776);
  EXPECT_EQ(details->vertices.at("7c2e2faa042538c9c6536014ee065870").checkpointed_size, 715707);
  std::int64_t sum = 0;
  for (const auto& [id, size] : details->vertices) sum += size.state_size;
  EXPECT_EQ(sum, details->state_size);
}

TEST(CheckpointDetails, OfAnotherJobAreRefused) {
  const std::string body = Golden("details_23.json").body;
  const auto with = [&body](const std::string& from, const std::string& to) {
    std::string changed = body;
    changed.replace(changed.find(from), from.size(), to);
    return ReadCheckpointDetails(Json(changed), Newest());
  };
  EXPECT_TRUE(with("chk-23", "chk-23").ok());
  for (const auto& other :
       {with("e123069/chk-23", "e000000/chk-23"), with("1796001169306", "1796001169307"),
        with("\"state_size\":5125555", "\"state_size\":5125556"), with("\"id\":23", "\"id\":24"),
        with("\"is_savepoint\":false", "\"is_savepoint\":true")}) {
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().message, "the details are those of another checkpoint");
  }
  EXPECT_FALSE(with("COMPLETED", "IN_PROGRESS").ok());
}

TEST(CheckpointDetails, VerticesWithoutASizeAreAbsent) {
  const auto details = ReadCheckpointDetails(
      Json(R"({"status":"COMPLETED","id":7,"trigger_timestamp":1,"state_size":5,"tasks":{)"
           R"("AA":{"state_size":5},"bb":{"state_size":"NaN"},"cc":null,"dd":{"state_size":-1}}})"),
      [] {
        CompletedCheckpoint row;
        row.id = 7;
        row.trigger_ms = 1;
        row.state_size = 5;
        return row;
      }());
  ASSERT_TRUE(details.ok());
  ASSERT_EQ(details->vertices.size(), 1U);
  EXPECT_EQ(details->vertices.at("aa").state_size, 5);
  EXPECT_FALSE(details->vertices.at("aa").checkpointed_size);
}

// ---- configuration

TEST(CheckpointConfig, ARealAnswer) {
  const auto config = ReadCheckpointConfig(Golden("checkpoint_config.json"));
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->state_backend, "EmbeddedRocksDBStateBackend");
  EXPECT_EQ(config->checkpoint_storage, "FileSystemCheckpointStorage");
  EXPECT_EQ(config->interval_ms, 2000);
  EXPECT_EQ(config->timeout_ms, 600000);
  EXPECT_EQ(config->unaligned, false);
  EXPECT_EQ(config->changelog, false);
}

TEST(CheckpointConfig, OffAndUnknown) {
  const auto config = ReadCheckpointConfig(
      Json(R"({"interval":)" + std::string(kNever) +
           R"(,"state_backend":"Unknown","checkpoint_storage":"Unknown","timeout":600000})"));
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->state_backend, "");
  EXPECT_EQ(config->checkpoint_storage, "");
  EXPECT_FALSE(config->interval_ms);
  EXPECT_FALSE(config->unaligned);
}

TEST(FlinkVersion, IsAVersionOrUnknown) {
  EXPECT_EQ(*ReadFlinkVersion(Json(R"({"flink-version":"2.3.0","x":{}})")), "2.3.0");
  EXPECT_EQ(*ReadFlinkVersion(Json(R"({"flink-version":"1.20-SNAPSHOT"})")), "1.20-SNAPSHOT");
  EXPECT_EQ(*ReadFlinkVersion(Json(R"({"flink-version":"<unknown>"})")), "");
  EXPECT_EQ(*ReadFlinkVersion(Json(R"({"flink-version":null})")), "");
}

// ---- /jobs/:jid/plan

TEST(JobPlan, ARealPlan) {
  const auto graph = ReadJobPlan(Golden("plan.json"));
  ASSERT_TRUE(graph.ok()) << graph.error().ToString();
  std::vector<std::string> heads;
  for (const JobVertex& vertex : graph->vertices) heads.push_back(vertex.chain[0].Label());
  EXPECT_THAT(heads, ElementsAre("TableSourceScan[1]", "TableSourceScan[5]",
                                 "GlobalWindowAggregate[15]", "Join[7]", "GroupAggregate[10]"));
  const JobVertex* join = graph->FindVertex("7c2e2faa042538c9c6536014ee065870");
  ASSERT_NE(join, nullptr);
  EXPECT_EQ(join->parallelism, 2);
  ASSERT_EQ(join->inputs.size(), 2U);
  EXPECT_EQ(join->inputs[0].vertex_id, "d3f21cabc6fe0fdf76c8be915bdb22a2");
  EXPECT_EQ(join->inputs[1].vertex_id, "2e39298c68095b2d5abf5f34458ec53f");
  EXPECT_EQ(join->inputs[0].ship_strategy, "HASH");
  EXPECT_EQ(join->chain[1].description, "Calc(select=[name, id])");
}

TEST(JobPlan, EmptyPlans) {
  for (const char* body : {R"({"plan":{}})", R"({"plan":{"nodes":[]}})", R"({"plan":{"nodes":7}})",
                           R"({"plan":{"jid":"","name":"","type":"","nodes":[]}})"}) {
    const auto graph = ReadJobPlan(Json(body));
    ASSERT_TRUE(graph.ok()) << body;
    EXPECT_TRUE(graph->vertices.empty());
  }
}

TEST(JobPlan, OddVertices) {
  const auto graph = ReadJobPlan(Json(
      R"({"plan":{"nodes":[7,{"id":"B","description":"","parallelism":-1,"inputs":[)"
      R"({"id":"missing"},{"id":"a","num":0},{"no":1}]},{"id":"a","parallelism":3},{"id":"A"},)"
      R"({"description":"no id"},{"id":"c","inputs":[{"id":"d"}]},{"id":"d","inputs":[{"id":)"
      R"("c"}]}]}})"));
  ASSERT_TRUE(graph.ok());
  std::vector<std::string> ids;
  for (const JobVertex& vertex : graph->vertices) {
    ids.push_back(vertex.id);
    EXPECT_FALSE(vertex.chain.empty());
    EXPECT_GE(vertex.parallelism, 0);
  }
  EXPECT_THAT(ids, ElementsAre("a", "b", "c", "d")) << "a cycle comes last, in the answer's order";
  EXPECT_EQ(graph->vertices[1].inputs[0].vertex_id, "a") << "numbered inputs first";
}

TEST(JobPlan, PlanNodeIdsOfSinksAreTrustedInSqlJobsAlone) {
  const auto sql =
      ReadJobPlan(Json(R"({"plan":{"nodes":[{"id":"b","description":"kv[2]: Writer<br/>"},)"
                       R"({"id":"a","description":"[1]:TableSourceScan(table=[[s]])<br/>"}]}})"));
  EXPECT_EQ(sql->FindVertex("b")->chain[0].node_id, 2);
  const auto stream = ReadJobPlan(Json(
      R"({"plan":{"nodes":[{"id":"b","description":"split[2]<br/>"},{"id":"a","description":"S"}]}})"));
  EXPECT_FALSE(stream->FindVertex("b")->chain[0].node_id);
}

TEST(JobPlan, APlanOfManyMegabytesIsRefused) {
  const auto graph = ReadJobPlan(Json(R"({"plan":{"nodes":[{"id":"a","description":")" +
                                      std::string(9U << 20U, 'x') + "\"}]}}"));
  ASSERT_FALSE(graph.ok());
  EXPECT_EQ(graph.error().code, ErrorCode::kTooLarge);
}

// ---- /jobs/:jid/vertices/:vid/subtasks/metrics

TEST(StateMetrics, ARealListAndItsSums) {
  const auto ids = ReadStateMetricIds(Golden("metric_list_join.json"));
  ASSERT_TRUE(ids.ok()) << ids.error().ToString();
  EXPECT_THAT(*ids, ElementsAre("Join[20].left-records.rocksdb_estimate-live-data-size",
                                "Join[20].left-records.rocksdb_estimate-num-keys",
                                "Join[20].right-records.rocksdb_estimate-live-data-size",
                                "Join[20].right-records.rocksdb_estimate-num-keys"));
  const auto states = ReadLiveStates(Golden("metric_sums_join.json"), *ids);
  ASSERT_TRUE(states.ok());
  ASSERT_EQ(states->size(), 2U);
  EXPECT_EQ((*states)[0].operator_name, "Join[20]");
  EXPECT_EQ((*states)[0].state_name, "left-records");
  EXPECT_EQ((*states)[0].live_bytes, 4835);
  EXPECT_EQ((*states)[0].keys, 166);
  EXPECT_EQ((*states)[1].state_name, "right-records");
  EXPECT_EQ((*states)[1].live_bytes, 16643);
  EXPECT_EQ((*states)[1].keys, 822);
}

TEST(StateMetrics, NamesThatAreWholeDescriptions) {
  const auto ids = ReadStateMetricIds(Golden("metric_list_long_names.json"));
  ASSERT_TRUE(ids.ok());
  ASSERT_EQ(ids->size(), 4U);
  const auto states = ReadLiveStates(Golden("metric_sums_long_names.json"), *ids);
  ASSERT_TRUE(states.ok());
  ASSERT_EQ(states->size(), 2U);
  // Flink cuts the name after 80 characters and puts "_" for spaces and commas.
  EXPECT_EQ((*states)[0].operator_name,
            "Join(joinType=[LeftOuterJoin]__where=[(order_id_=_order_id0)]__select=[order_id_");
  EXPECT_EQ((*states)[0].state_name, "left-records");
  EXPECT_EQ((*states)[0].keys, 3261);
}

TEST(StateMetrics, TimersAndOtherMetricsAreLeftOut) {
  const auto ids = ReadStateMetricIds(Json(
      R"([{"id":"A[1]._timer_state/event_user-timers.rocksdb_estimate-num-keys"},)"
      R"({"id":"A[1].s.rocksdb_total-sst-files-size"},{"id":"A[1].rocksdb_estimate-num-keys"},)"
      R"({"id":".s.rocksdb_estimate-num-keys"},{"id":"A[1]..rocksdb_estimate-num-keys"},)"
      R"({"id":"A[1].s.rocksdb_estimate-num-keys","id2":1},)"
      R"({"id":"A[1].s.rocksdb_estimate-num-keys"}])"));
  EXPECT_THAT(*ids, ElementsAre("A[1].s.rocksdb_estimate-num-keys"));
  const auto variable =
      ReadLiveStates(Json(R"([{"id":"A[1].column_family.s.rocksdb_estimate-num-keys","sum":7}])"),
                     {"A[1].column_family.s.rocksdb_estimate-num-keys"});
  EXPECT_EQ(variable->at(0).operator_name, "A[1]");
  EXPECT_EQ(variable->at(0).state_name, "s");
}

TEST(StateMetrics, AbsurdListsStayBounded) {
  std::string body = "[";
  for (int i = 0; i < 100'000; ++i) {
    body += "{\"id\":\"A[" + std::to_string(i) + "].s.rocksdb_estimate-num-keys\"},";
  }
  body += "{\"id\":\"" + std::string(1U << 20U, 'x') + ".s.rocksdb_estimate-num-keys\"}]";
  const auto ids = ReadStateMetricIds(Json(body));
  ASSERT_TRUE(ids.ok());
  EXPECT_EQ(ids->size(), 1000U);
  for (const std::string& id : *ids) EXPECT_LE(id.size(), 1000U);
}

TEST(StateMetrics, OnlyWhatWasAskedIsTaken) {
  const auto states = ReadLiveStates(Golden("metric_sums_join.json"),
                                     {"Join[20].left-records.rocksdb_estimate-num-keys"});
  ASSERT_EQ(states->size(), 1U);
  EXPECT_FALSE((*states)[0].live_bytes);
  EXPECT_EQ((*states)[0].keys, 166);
  EXPECT_TRUE(ReadLiveStates(Json("[]"), {"a"})->empty());
}

TEST(StateMetrics, RefuseWhatIsNoList) {
  for (const char* body : {"{}", "null", "7", "[", "[1,]", "<html>", ""}) {
    EXPECT_FALSE(ReadStateMetricIds(Json(body)).ok()) << body;
    EXPECT_FALSE(ReadLiveStates(Json(body), {}).ok()) << body;
  }
  EXPECT_EQ(ReadStateMetricIds(Json(R"({"errors":["gone"]})", 404)).error().code,
            ErrorCode::kNotFound);
}

// ---- /jobs/:jid/checkpoints/details/:cid/subtasks/:vid

TEST(Subtasks, ARealAnswer) {
  const auto sizes = ReadSubtaskSizes(Golden("subtasks_parallel.json"), 17, 121707);
  ASSERT_TRUE(sizes.ok()) << sizes.error().ToString();
  EXPECT_EQ(sizes->checkpoint_id, 17);
  EXPECT_THAT(sizes->bytes, ElementsAre(60116, 61591));
}

TEST(Subtasks, OfAnotherCheckpointAreRefused) {
  for (const auto& [id, total] : {std::pair(16, 121707), {17, 121706}, {17, 121708}, {17, 0}}) {
    const auto sizes = ReadSubtaskSizes(Golden("subtasks_parallel.json"), id, total);
    ASSERT_FALSE(sizes.ok());
    EXPECT_EQ(sizes.error().message, "the subtasks are those of another checkpoint");
  }
}

TEST(Subtasks, AllOrNone) {
  const auto read = [](const std::string& rows, int count) {
    return ReadSubtaskSizes(Json(R"({"id":7,"num_subtasks":)" + std::to_string(count) +
                                 R"(,"subtasks":[)" + rows + "]}"),
                            7, 30);
  };
  const std::string first = R"({"index":0,"state_size":10})";
  const std::string second = R"({"index":1,"state_size":20})";
  EXPECT_THAT(read(second + "," + first, 2)->bytes, ElementsAre(10, 20)) << "in subtask order";
  EXPECT_FALSE(read(first, 2).ok());
  EXPECT_FALSE(read(first + "," + first, 2).ok());
  EXPECT_FALSE(read(first + "," + second, 1).ok());
  EXPECT_FALSE(read(first + R"(,{"index":1,"status":"pending_or_failed"})", 2).ok());
  EXPECT_FALSE(read(first + R"(,{"index":2,"state_size":20})", 2).ok());
  EXPECT_FALSE(read(first + R"(,{"index":-1,"state_size":20})", 2).ok());
  EXPECT_FALSE(read(first + R"(,{"index":1,"state_size":"NaN"})", 2).ok());
  EXPECT_FALSE(read(first + R"(,{"index":1,"state_size":9223372036854775807})", 2).ok());
  EXPECT_FALSE(read(first + "," + second, 2'000'000'000).ok());
}

// ---- /taskmanagers, /taskmanagers/:id

TEST(TaskManagers, ARealList) {
  EXPECT_THAT(*ReadTaskManagerIds(Golden("taskmanagers.json")),
              ElementsAre("127.0.0.1:32845-653788", "127.0.0.1:43447-231f56"));
  EXPECT_TRUE(ReadTaskManagerIds(Json(R"({"taskmanagers":[]})"))->empty());
  EXPECT_THAT(*ReadTaskManagerIds(Json(R"({"taskmanagers":[7,null,{"id":""},{"id":"b"},{"id":3},)"
                                       R"({"id":"a"},{"id":"b"},{"id":")" +
                                       std::string(300, 'x') + "\"}]}")),
              ElementsAre("a", "b"));
}

TEST(TaskManager, RealAnswers) {
  struct Case {
    const char* file;
    const char* id;
    std::int64_t heap_used;
    std::map<std::string, int> slots;
  };
  const std::vector<Case> cases = {
      {"taskmanager_2_3.json",
       "127.0.0.1:43447-231f56",
       85949216,
       {{"ed574581343f63da836b47f13ee11134", 2}, {"987af3f07c21a59cfba2620229528e08", 1}}},
      {"taskmanager_1_20.json",
       "127.0.0.1:42119-fac4a0",
       73989584,
       {{"5d30982b2091c81838a83411c70f7232", 2}, {"57c8c547d456e85d2394d4d7451915b6", 1}}},
  };
  for (const Case& one : cases) {
    const auto read = ReadTaskManager(Golden(one.file), one.id);
    ASSERT_TRUE(read.ok()) << one.file << read.error().ToString();
    EXPECT_EQ(read->id, one.id);
    EXPECT_EQ(read->heap_used, one.heap_used);
    EXPECT_EQ(read->heap_max, 454164480);
    EXPECT_EQ(read->task_heap, 335544320);
    EXPECT_EQ(read->managed, 419430400);
    EXPECT_EQ(read->slots_by_job, one.slots);
    EXPECT_FALSE(ReadTaskManager(Golden(one.file), "another").ok());
  }
}

TEST(TaskManager, UnknownIsAbsent) {
  // All metrics are 0 until the JobManager has fetched them.
  const auto zero = ReadTaskManager(
      Json(R"({"id":"tm","metrics":{"heapUsed":0,"heapMax":0},"memoryConfiguration":)"
           R"({"taskHeap":null,"managedMemory":0},"allocatedSlots":[{"jobId":"../x"},7,{}]})"),
      "tm");
  ASSERT_TRUE(zero.ok());
  EXPECT_FALSE(zero->heap_used);
  EXPECT_FALSE(zero->heap_max);
  EXPECT_FALSE(zero->task_heap);
  EXPECT_EQ(zero->managed, 0) << "configured so";
  EXPECT_TRUE(zero->slots_by_job.empty());
  EXPECT_FALSE(ReadTaskManager(Json(R"({"id":"tm","metrics":{"heapUsed":-1}})"), "tm")->heap_used);
}

}  // namespace
}  // namespace fss
