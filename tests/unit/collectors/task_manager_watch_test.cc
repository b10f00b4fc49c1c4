// ClusterSnapshot::task_managers: when is asked, and about how many.
#include <gmock/gmock.h>

#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class TaskManagerWatchTest : public CollectorFixture {
 protected:
  void SetUp() override {
    CollectorFixture::SetUp();
    Jobs({Row(kA, "RUNNING")});
    Job(kA, 1);
    Plan(kA, Config("HashMapStateBackend"));
  }
  static std::string Id(int i) { return "127.0.0.1:" + std::to_string(10000 + i) + "-ab"; }
  // `count` TaskManagers; each says how much of its heap is used.
  void TaskManagers(int count, int heap_used) {
    std::vector<std::string> rows;
    for (int i = 0; i < count; ++i) {
      rows.push_back(R"({"id":")" + Id(i) + "\"}");
      jm_[0]->Answer("/taskmanagers/127.0.0.1%3A" + std::to_string(10000 + i) + "-ab",
                     R"({"id":")" + Id(i) + R"(","metrics":{"heapUsed":)" +
                         std::to_string(heap_used) +
                         R"(,"heapMax":900},"allocatedSlots":[{"jobId":")" + kA + "\"}]}");
    }
    jm_[0]->Answer("/taskmanagers", "{\"taskmanagers\":[" + JoinedByComma(rows) + "]}");
  }
};

TEST_F(TaskManagerWatchTest, AListAndOneQuestionEach) {
  TaskManagers(2, 100);
  const ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(Asked("/taskmanagers"), SizeIs(3));
  ASSERT_THAT(snapshot.task_managers, SizeIs(2));
  EXPECT_EQ(snapshot.task_managers[0].id, Id(0));
  EXPECT_EQ(snapshot.task_managers[0].taken_ms, clock_.WallMillis());
  EXPECT_EQ(snapshot.task_managers[0].heap_used, 100);
  EXPECT_EQ(snapshot.task_managers[0].heap_max, 900);
  EXPECT_FALSE(snapshot.task_managers[0].managed);
  EXPECT_EQ(snapshot.task_managers[0].slots_by_job, (std::map<std::string, int>{{kA, 1}}));
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());
}

TEST_F(TaskManagerWatchTest, OnlyWhileAJobKeepsStateOnTheHeap) {
  TaskManagers(2, 100);
  EXPECT_THAT(Poll().task_managers, SizeIs(2));
  Jobs({Row(kA, "FINISHED")});
  jm_[0]->TakeAsked();
  EXPECT_THAT(Poll().task_managers, IsEmpty());
  EXPECT_THAT(Asked("/taskmanagers"), IsEmpty());

  SetUp();
  Plan(kA, Config("EmbeddedRocksDBStateBackend"));
  TaskManagers(2, 100);
  EXPECT_THAT(Poll().task_managers, IsEmpty());
  EXPECT_THAT(Asked("/taskmanagers"), IsEmpty());
}

TEST_F(TaskManagerWatchTest, FiftyPerPollTakingTurns) {
  TaskManagers(120, 100);
  EXPECT_THAT(Poll().task_managers, SizeIs(50));
  EXPECT_THAT(Asked("/taskmanagers/"), SizeIs(50));
  clock_.Advance(15'000);
  EXPECT_THAT(Poll().task_managers, SizeIs(100));
  clock_.Advance(15'000);
  TaskManagers(120, 200);
  const ClusterSnapshot third = Poll();
  EXPECT_THAT(third.task_managers, SizeIs(120));
  EXPECT_THAT(Asked("/taskmanagers/"), SizeIs(100));
  std::map<std::int64_t, int> by_age;
  for (const TaskManagerSnapshot& one : third.task_managers) {
    const std::int64_t age = clock_.WallMillis() - one.taken_ms;
    ++by_age[age];
    EXPECT_EQ(one.heap_used, age == 0 ? 200 : 100) << "the older value stays with its time";
  }
  EXPECT_EQ(by_age, (std::map<std::int64_t, int>{{0, 50}, {15'000, 50}, {30'000, 20}}));
}

TEST_F(TaskManagerWatchTest, ThoseThatHaveGoneLeave) {
  TaskManagers(3, 100);
  EXPECT_THAT(Poll().task_managers, SizeIs(3));
  TaskManagers(1, 100);
  EXPECT_THAT(Poll().task_managers, SizeIs(1));
}

TEST_F(TaskManagerWatchTest, TroubleKeepsTheLastNumbers) {
  TaskManagers(2, 100);
  Poll();
  clock_.Advance(15'000);
  jm_[0]->Answer("/taskmanagers/127.0.0.1%3A10001-ab", R"({"errors":["gone"]})", 500);
  ClusterSnapshot snapshot = Poll();
  ASSERT_THAT(snapshot.task_managers, SizeIs(2));
  EXPECT_EQ(snapshot.task_managers[1].taken_ms, clock_.WallMillis() - 15'000);
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());

  jm_[0]->Answer("/taskmanagers", "<html>", 403);
  jm_[0]->TakeAsked();
  snapshot = Poll();
  EXPECT_THAT(snapshot.task_managers, SizeIs(2));
  EXPECT_THAT(Asked("/taskmanagers"), ElementsAre("/taskmanagers"));
  EXPECT_THAT(snapshot.jobs[0].problems,
              ElementsAre("TaskManagers: HTTP 403: not a Flink answer (an HTML page)"));
}

}  // namespace
}  // namespace fss
