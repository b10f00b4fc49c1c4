// JobSnapshot::live: what is learnt of RocksDB's metrics, and how seldom is asked.
#include <gmock/gmock.h>

#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;

constexpr std::int64_t kPollMs = 15'000;
const std::string kOther = "7c2e2faa042538c9c6536014ee065870";
const std::string kSource = "bc764cd8ddf7a0cff126f51c16239658";

std::string List(const std::vector<std::string>& ids) {
  std::vector<std::string> rows;
  for (const std::string& id : ids) rows.push_back("{\"id\":\"" + id + "\"}");
  return "[" + JoinedByComma(rows) + "]";
}

std::string Sums(const std::vector<std::pair<std::string, std::string>>& sums) {
  std::vector<std::string> rows;
  for (const auto& [id, sum] : sums) rows.push_back(R"({"id":")" + id + R"(","sum":)" + sum + "}");
  return "[" + JoinedByComma(rows) + "]";
}

class LiveSizesTest : public CollectorFixture {
 protected:
  void SetUp() override {
    CollectorFixture::SetUp();
    Jobs({Row(kA, "RUNNING")});
    Plan(kA, Config("EmbeddedRocksDBStateBackend"));
    History(kA, 1, 1, 300, Task(kVertex, 200) + "," + Task(kOther, 100) + "," + Task(kSource, 0));
  }
  static std::string ListPath(const std::string& vertex) {
    return "/jobs/" + kA + "/vertices/" + vertex + "/subtasks/metrics";
  }
  static std::string SumsPath(const std::string& vertex) {
    return ListPath(vertex) +
           "?agg=sum&get=Join%5B20%5D.left-records.rocksdb_estimate-live-data-size,"
           "Join%5B20%5D.left-records.rocksdb_estimate-num-keys";
  }
  void JoinMetrics(const std::string& vertex, const std::string& bytes = "4835.0") {
    jm_[0]->Answer(ListPath(vertex), List({"numRecordsIn", kKeys, "Join[20].numBytesIn", kBytes}));
    jm_[0]->Answer(SumsPath(vertex), Sums({{kKeys, "166.0"}, {kBytes, bytes}}));
  }
  ClusterSnapshot PollAfter(std::int64_t millis) {
    clock_.Advance(millis);
    return Poll();
  }
  // Polls for `minutes` and gives the metrics questions of each minute.
  std::vector<std::size_t> PerMinute(int minutes) {
    std::vector<std::size_t> counts;
    for (int minute = 0; minute < minutes; ++minute) {
      jm_[0]->TakeAsked();
      for (int poll = 0; poll < 4; ++poll) PollAfter(kPollMs);
      counts.push_back(Asked("/metrics").size());
    }
    return counts;
  }

  const std::string kKeys = "Join[20].left-records.rocksdb_estimate-num-keys";
  const std::string kBytes = "Join[20].left-records.rocksdb_estimate-live-data-size";
};

TEST_F(LiveSizesTest, TheFirstQuestionListsTheNextOnesAskForTheSums) {
  JoinMetrics(kVertex);
  jm_[0]->Answer(ListPath(kOther), "[]");
  EXPECT_THAT(Poll().jobs[0].live, IsEmpty());
  EXPECT_THAT(Asked(kVertex), ElementsAre(ListPath(kVertex)));
  const ClusterSnapshot snapshot = PollAfter(60'000);
  EXPECT_THAT(Asked(kVertex), ElementsAre(SumsPath(kVertex)));
  ASSERT_THAT(snapshot.jobs[0].live, SizeIs(1));
  const LiveSample& sample = snapshot.jobs[0].live.at(kVertex);
  EXPECT_EQ(sample.taken_ms, clock_.WallMillis());
  ASSERT_THAT(sample.states, SizeIs(1));
  EXPECT_EQ(sample.states[0].operator_name, "Join[20]");
  EXPECT_EQ(sample.states[0].state_name, "left-records");
  EXPECT_EQ(sample.states[0].live_bytes, 4835);
  EXPECT_EQ(sample.states[0].keys, 166);
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());
  EXPECT_EQ(PollAfter(kPollMs).jobs[0].live.at(kVertex).taken_ms, sample.taken_ms) << "as then";
}

TEST_F(LiveSizesTest, OneQuestionPerStatefulVertexAndMinute) {
  JoinMetrics(kVertex);
  JoinMetrics(kOther);
  EXPECT_THAT(PerMinute(120), testing::Each(2U)) << "and none about the source, which has no state";
  EXPECT_THAT(Poll().jobs[0].live, SizeIs(2));
}

TEST_F(LiveSizesTest, PollsEverySecondAskNoMoreOften) {
  JoinMetrics(kVertex);
  JoinMetrics(kOther);
  Poll();
  jm_[0]->TakeAsked();
  for (int second = 0; second < 600; ++second) PollAfter(1000);
  EXPECT_THAT(Asked("/metrics"), SizeIs(20));
}

TEST_F(LiveSizesTest, WithoutRocksDbMetricsTheQuestionsEnd) {
  for (const std::string& vertex : {kVertex, kOther}) {
    jm_[0]->Answer(ListPath(vertex), List({"numRecordsIn", "Join[20].numBytesIn"}));
  }
  const std::vector<std::size_t> counts = PerMinute(180);
  // After 0, 1, 3, 7, 17, 27 and 37 minutes.
  std::vector<std::size_t> expected(180, 0);
  for (const std::size_t minute : {0, 1, 3, 7, 17, 27, 37}) expected[minute] = 2;
  EXPECT_EQ(counts, expected);
  // A new deployment begins anew.
  Jobs({Row(kA, "RUNNING", 9000)});
  EXPECT_THAT(PerMinute(1), ElementsAre(2));
}

TEST_F(LiveSizesTest, AnEmptyFirstAnswerIsTheFetcherThatHasNotRunYet) {
  jm_[0]->Answer(ListPath(kVertex), "[]");
  Poll();
  JoinMetrics(kVertex);
  PollAfter(60'000);
  EXPECT_THAT(PollAfter(60'000).jobs[0].live, SizeIs(1));
}

TEST_F(LiveSizesTest, OtherBackendsAndRestartingJobsAreNotAsked) {
  JoinMetrics(kVertex);
  Jobs({Row(kA, "RESTARTING")});
  EXPECT_THAT(PerMinute(5), testing::Each(0U));
  for (const char* backend : {"HashMapStateBackend", "OtherStateBackend"}) {
    SetUp();
    Plan(kA, Config(backend));
    EXPECT_THAT(PerMinute(5), testing::Each(0U)) << backend;
  }
  SetUp();
  Plan(kA, Config("ForStStateBackend"));
  JoinMetrics(kVertex);
  JoinMetrics(kOther);
  EXPECT_THAT(PerMinute(5), testing::Each(2U));
}

TEST_F(LiveSizesTest, NoCheckpointNoQuestion) {
  JoinMetrics(kVertex);
  jm_[0]->Answer("/jobs/" + kA + "/checkpoints", Checkpoints("null"));
  EXPECT_THAT(PerMinute(3), testing::Each(0U));
}

TEST_F(LiveSizesTest, WhatIsNotANumberIsAbsent) {
  for (const char* value :
       {"\"NaN\"", "NaN", "null", "-1.0", "1.8446744073709552E19", "\"12x\"", "[]", "Infinity"}) {
    SetUp();
    JoinMetrics(kVertex, value);
    Poll();
    const ClusterSnapshot snapshot = PollAfter(60'000);
    ASSERT_THAT(snapshot.jobs[0].live, SizeIs(1)) << value;
    const LiveState& state = snapshot.jobs[0].live.at(kVertex).states.at(0);
    EXPECT_FALSE(state.live_bytes) << value;
    EXPECT_EQ(state.keys, 166) << value;
  }
  SetUp();
  JoinMetrics(kVertex, "\"4835\"");
  Poll();
  EXPECT_EQ(PollAfter(60'000).jobs[0].live.at(kVertex).states.at(0).live_bytes, 4835);
}

TEST_F(LiveSizesTest, ALostMetricIsFoundAgain) {
  JoinMetrics(kVertex);
  Poll();
  PollAfter(60'000);
  // One unknown metric makes the whole answer empty.
  jm_[0]->Answer(SumsPath(kVertex), "[]");
  EXPECT_THAT(PollAfter(60'000).jobs[0].live, SizeIs(1)) << "perhaps it is the fetcher";
  EXPECT_THAT(PollAfter(60'000).jobs[0].live, IsEmpty());
  jm_[0]->TakeAsked();
  JoinMetrics(kVertex);
  PollAfter(60'000);
  EXPECT_THAT(Asked(kVertex), ElementsAre(ListPath(kVertex)));
  EXPECT_THAT(PollAfter(60'000).jobs[0].live, SizeIs(1));
}

TEST_F(LiveSizesTest, LateStatesAreSeenWithinHalfAnHour) {
  JoinMetrics(kVertex);
  JoinMetrics(kOther);
  PerMinute(2);
  const std::string late = "Join[20].right-records.rocksdb_estimate-num-keys";
  jm_[0]->Answer(ListPath(kVertex), List({kKeys, kBytes, late}));
  jm_[0]->Answer(SumsPath(kVertex) + ",Join%5B20%5D.right-records.rocksdb_estimate-num-keys",
                 Sums({{kKeys, "1"}, {kBytes, "2"}, {late, "3"}}));
  EXPECT_THAT(PerMinute(31), testing::Each(2U));
  EXPECT_THAT(Poll().jobs[0].live.at(kVertex).states, SizeIs(2));
}

TEST_F(LiveSizesTest, ErrorsKeepTheLastSampleAndAreToldOncePerPoll) {
  JoinMetrics(kVertex);
  JoinMetrics(kOther);
  Poll();
  const std::int64_t taken = PollAfter(60'000).jobs[0].live.at(kVertex).taken_ms;
  for (const std::string& vertex : {kVertex, kOther}) {
    jm_[0]->Answer(SumsPath(vertex), R"({"errors":["Could not retrieve metrics."]})", 500);
  }
  const ClusterSnapshot snapshot = PollAfter(60'000);
  EXPECT_EQ(snapshot.jobs[0].live.at(kVertex).taken_ms, taken);
  EXPECT_THAT(snapshot.jobs[0].problems,
              ElementsAre("RocksDB metrics: HTTP 500: Could not retrieve metrics."));
}

TEST_F(LiveSizesTest, VerticesThatHaveGoneAreForgotten) {
  JoinMetrics(kVertex);
  JoinMetrics(kOther);
  Poll();
  EXPECT_THAT(PollAfter(60'000).jobs[0].live, SizeIs(2));
  History(kA, 2, 2, 200, Task(kVertex, 200));
  EXPECT_THAT(PollAfter(kPollMs).jobs[0].live, SizeIs(1));
  jm_[0]->TakeAsked();
  EXPECT_THAT(PerMinute(3), testing::Each(1U));
}

TEST_F(LiveSizesTest, ThePathStaysBelowFlinksLimit) {
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) {
    ids.push_back("Join(joinType=[LeftOuterJoin]__where=[(order_id_=_order_id0)]__select=[order_." +
                  std::to_string(100 + i) + "-records.rocksdb_estimate-num-keys");
  }
  jm_[0]->Answer(ListPath(kVertex), List(ids));
  Poll();
  PollAfter(60'000);
  const std::vector<std::string> asked = Asked(kVertex + "/subtasks/metrics?");
  ASSERT_THAT(asked, SizeIs(1)) << "one question, not several";
  EXPECT_THAT(asked[0].size(), AllOf(Le(3900U), testing::Gt(3600U)));
  EXPECT_THAT(asked[0], AllOf(HasSubstr("100-records"), EndsWith("estimate-num-keys")));
}

TEST_F(LiveSizesTest, AHundredThousandNamesAndGarbage) {
  std::vector<std::string> ids;
  for (int i = 0; i < 100'000; ++i) {
    ids.push_back("Op[" + std::to_string(i) + "].s.rocksdb_estimate-num-keys");
  }
  jm_[0]->Answer(ListPath(kVertex), List(ids));
  jm_[0]->Answer(ListPath(kOther), R"([7,null,{"id":9},{"id":".rocksdb_estimate-num-keys"},)"
                                   R"({"id":"x\n.y.rocksdb_estimate-num-keys"},[[]],{}])");
  Poll();
  jm_[0]->TakeAsked();
  PollAfter(60'000);
  const std::vector<std::string> asked = Asked("/metrics?");
  EXPECT_THAT(asked, SizeIs(2));
  EXPECT_THAT(asked, Contains(EndsWith("get=x%0A.y.rocksdb_estimate-num-keys")));
  for (const std::string& path : asked) EXPECT_THAT(path.size(), Le(3900U));
}

TEST_F(LiveSizesTest, IdsThatAreNoneNeverGetIntoAPath) {
  History(kA, 2, 2, 300, Task("../../jars", 200) + "," + Task(kOther, 100));
  Poll();
  EXPECT_THAT(jm_[0]->TakeAsked(), Not(Contains(HasSubstr("jars"))));
}

// 2,000 stateful vertices: a poll's budget, then the rest, each once a minute.
TEST_F(LiveSizesTest, ManyVerticesTakeTurns) {
  std::vector<std::string> rows;
  for (int i = 0; i < 2000; ++i) {
    const std::string id = std::to_string(1000 + i) + std::string(28, 'c');
    rows.push_back(Row(id, "RUNNING"));
    Plan(id, Config("EmbeddedRocksDBStateBackend"));
    History(id, 1, 1);
  }
  Jobs(rows);
  std::vector<std::size_t> counts;
  for (int poll = 0; poll < 5; ++poll) {
    jm_[0]->TakeAsked();
    PollAfter(kPollMs);
    counts.push_back(Asked("/metrics").size());
  }
  EXPECT_THAT(counts, ElementsAre(1000, 1000, 0, 0, 1000));
}

}  // namespace
}  // namespace fss
