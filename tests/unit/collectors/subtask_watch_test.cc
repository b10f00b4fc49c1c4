// JobSnapshot::subtask_sizes: about which vertices is asked, and how seldom.
#include <gmock/gmock.h>

#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kMiB = 1 << 20;

class SubtaskWatchTest : public CollectorFixture {
 protected:
  void SetUp() override {
    CollectorFixture::SetUp();
    Jobs({Row(kA, "RUNNING")});
    Plan(kA);
  }
  // Checkpoint `id`, in which the vertex' two subtasks have these bytes.
  void Checkpoint(int id, std::int64_t first, std::int64_t second) {
    History(kA, id, id, first + second);
    jm_[0]->Answer(SubtasksPath(id),
                   R"({"id":)" + std::to_string(id) + R"(,"num_subtasks":2,"subtasks":[)" +
                       R"({"index":0,"state_size":)" + std::to_string(first) +
                       R"(},{"index":1,"state_size":)" + std::to_string(second) + "}]}");
  }
  static std::string SubtasksPath(int id) { return DetailsPath(kA, id) + "/subtasks/" + kVertex; }
};

TEST_F(SubtaskWatchTest, AtTheFirstCheckpointThenEveryTenMinutes) {
  Checkpoint(1, 3 * kMiB, kMiB);
  const ClusterSnapshot first = Poll();
  EXPECT_THAT(Asked("/subtasks/"), ElementsAre(SubtasksPath(1)));
  ASSERT_THAT(first.jobs[0].subtask_sizes, SizeIs(1));
  EXPECT_EQ(first.jobs[0].subtask_sizes.at(kVertex).checkpoint_id, 1);
  EXPECT_THAT(first.jobs[0].subtask_sizes.at(kVertex).bytes, ElementsAre(3 * kMiB, kMiB));

  // An hour of polls with a checkpoint each.
  for (int id = 2; id <= 241; ++id) {
    Checkpoint(id, id * kMiB, kMiB);
    clock_.Advance(15'000);
    const ClusterSnapshot snapshot = Poll();
    EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());
    EXPECT_THAT(snapshot.jobs[0].subtask_sizes, SizeIs(1)) << "else as then";
  }
  EXPECT_THAT(Asked("/subtasks/"),
              ElementsAre(SubtasksPath(41), SubtasksPath(81), SubtasksPath(121), SubtasksPath(161),
                          SubtasksPath(201), SubtasksPath(241)));
}

TEST_F(SubtaskWatchTest, SmallOrSingleVerticesAreNotAsked) {
  Checkpoint(1, kMiB / 2, kMiB / 2 - 1);
  EXPECT_THAT(Poll().jobs[0].subtask_sizes, IsEmpty());
  EXPECT_THAT(Asked("/subtasks/"), IsEmpty());
  // It has grown.
  Checkpoint(2, kMiB / 2, kMiB / 2);
  EXPECT_THAT(Poll().jobs[0].subtask_sizes, SizeIs(1));
  Checkpoint(3, 10, 10);
  EXPECT_THAT(Poll().jobs[0].subtask_sizes, IsEmpty());

  SetUp();
  std::string single = kPlan;
  single.replace(single.find("\"parallelism\":2"), 15, "\"parallelism\":1");
  Plan(kA, kConfig, single);
  Checkpoint(1, 3 * kMiB, kMiB);
  Poll();
  EXPECT_THAT(Asked("/subtasks/"), IsEmpty());
}

TEST_F(SubtaskWatchTest, AnotherJobsSubtasksAreRefused) {
  Checkpoint(1, 3 * kMiB, kMiB);
  jm_[0]->Answer(SubtasksPath(1),
                 R"({"id":1,"num_subtasks":2,"subtasks":[{"index":0,"state_size":5},)"
                 R"({"index":1,"state_size":6}]})");
  const ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(snapshot.jobs[0].subtask_sizes, IsEmpty());
  EXPECT_THAT(
      snapshot.jobs[0].problems,
      ElementsAre("subtasks of " + kVertex + ": the subtasks are those of another checkpoint"));
  jm_[0]->TakeAsked();
  clock_.Advance(300'000);
  Poll();
  EXPECT_THAT(Asked("/subtasks/"), IsEmpty()) << "a failure is no reason to ask more often";
}

TEST_F(SubtaskWatchTest, NotOfACheckpointThatHasLeftTheHistory) {
  Checkpoint(1, 3 * kMiB, kMiB);
  jm_[0]->Answer("/jobs/" + kA + "/checkpoints",
                 Checkpoints(Completed(1, 4 * kMiB, Place(kA, 1)), {}));
  EXPECT_EQ(Poll().jobs[0].latest->vertices.size(), 1U);
  EXPECT_THAT(Asked("/subtasks/"), IsEmpty());
}

TEST_F(SubtaskWatchTest, ManyVerticesTakeTurns) {
  std::vector<std::string> rows;
  for (int i = 0; i < 450; ++i) {
    const std::string id = std::to_string(1000 + i) + std::string(28, 'c');
    rows.push_back(Row(id, "RUNNING"));
    Plan(id);
    History(id, 1, 1, 4 * kMiB);
  }
  Jobs(rows);
  std::vector<std::size_t> counts;
  for (int poll = 0; poll < 4; ++poll) {
    jm_[0]->TakeAsked();
    Poll();
    counts.push_back(Asked("/subtasks/").size());
  }
  EXPECT_THAT(counts, ElementsAre(200, 200, 50, 0));
}

}  // namespace
}  // namespace fss
