// JobSnapshot::fresh: every completed checkpoint of a job's history, each once.
#include <gmock/gmock.h>

#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CheckpointHistoryTest : public CollectorFixture {
 protected:
  // The ids in the snapshot's first job's `fresh`.
  static std::vector<std::int64_t> Fresh(const ClusterSnapshot& snapshot, std::size_t job = 0) {
    std::vector<std::int64_t> ids;
    for (const CompletedCheckpoint& checkpoint : snapshot.jobs.at(job).fresh) {
      ids.push_back(checkpoint.id);
      EXPECT_FALSE(checkpoint.vertices.empty());
    }
    return ids;
  }
};

TEST_F(CheckpointHistoryTest, AtAStartFlinksOwnHistoryFillsTheGap) {
  Jobs({Row(kA, "RUNNING")});
  Plan(kA);
  History(kA, 11, 20, 4200);
  const ClusterSnapshot first = Poll();
  EXPECT_THAT(Fresh(first), ElementsAre(11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
  EXPECT_EQ(first.jobs[0].latest->id, 20);
  EXPECT_EQ(first.jobs[0].fresh[0].vertices.at(kVertex).state_size, 4200);
  EXPECT_THAT(Asked("/details/"), SizeIs(10));
  EXPECT_THAT(Fresh(Poll()), IsEmpty());
  EXPECT_THAT(Asked("/details/"), IsEmpty());
}

TEST_F(CheckpointHistoryTest, PollsMayBeSlowerThanCheckpoints) {
  Jobs({Row(kA, "RUNNING")});
  Plan(kA);
  History(kA, 11, 20);
  Poll();
  jm_[0]->TakeAsked();
  History(kA, 14, 23);
  EXPECT_THAT(Fresh(Poll()), ElementsAre(21, 22, 23));
  EXPECT_THAT(Asked("/details/"), SizeIs(3));
}

TEST_F(CheckpointHistoryTest, SavepointsAreNotAskedFor) {
  Jobs({Row(kA, "RUNNING")});
  Plan(kA);
  const std::string older = Completed(1, 100, Place(kA, 1));
  const std::string savepoint = Completed(2, 900, "s3://savepoint-2", "{}", true);
  History(kA, 3, 3);
  const std::string newest = Completed(3, 100, Place(kA, 3));
  jm_[0]->Answer("/jobs/" + kA + "/checkpoints", Checkpoints(newest, {newest, savepoint, older}));
  jm_[0]->Answer(DetailsPath(kA, 1),
                 Completed(1, 100, Place(kA, 1), "{" + Task(kVertex, 100) + "}"));
  const ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(Fresh(snapshot), ElementsAre(1, 3));
  EXPECT_THAT(snapshot.jobs[0].history, SizeIs(3));
  EXPECT_THAT(Asked("/details/2"), IsEmpty());
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty());
}

TEST_F(CheckpointHistoryTest, DetailsThatFailAreAskedAgainWhileTheyAreInTheHistory) {
  Jobs({Row(kA, "RUNNING")});
  Plan(kA);
  History(kA, 1, 3);
  jm_[0]->Fail(DetailsPath(kA, 2), Error{ErrorCode::kTimeout, "no answer in time", ""});
  ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(Fresh(snapshot), ElementsAre(1, 3));
  EXPECT_THAT(snapshot.jobs[0].problems, ElementsAre("checkpoint 2: no answer in time"));
  History(kA, 1, 3);
  snapshot = Poll();
  EXPECT_THAT(Fresh(snapshot), ElementsAre(2));
  EXPECT_EQ(snapshot.jobs[0].latest->id, 3) << "an older one does not replace it";

  History(kA, 1, 4);
  jm_[0]->Fail(DetailsPath(kA, 4), Error{ErrorCode::kTimeout, "no answer in time", ""});
  EXPECT_EQ(Poll().jobs[0].latest->id, 3);
  jm_[0]->TakeAsked();
  History(kA, 5, 6);
  EXPECT_THAT(Fresh(Poll()), ElementsAre(5, 6)) << "4 has left the history";
}

TEST_F(CheckpointHistoryTest, AnotherJobsCheckpointIsRefusedOnce) {
  Jobs({Row(kA, "RUNNING")});
  Plan(kA);
  History(kA, 1, 3);
  jm_[0]->Answer(DetailsPath(kA, 1), Completed(1, 100, "s3://other/chk-1"));
  ClusterSnapshot snapshot = Poll();
  EXPECT_THAT(Fresh(snapshot), ElementsAre(2, 3));
  EXPECT_THAT(snapshot.jobs[0].problems, ElementsAre(HasSubstr("those of another checkpoint")));
  jm_[0]->TakeAsked();
  snapshot = Poll();
  EXPECT_THAT(Asked("/details/"), IsEmpty());
  EXPECT_THAT(snapshot.jobs[0].problems, IsEmpty()) << "an older one is told of once";
}

TEST_F(CheckpointHistoryTest, AReusedIdBeginsAnew) {
  Jobs({Row(kZero, "RUNNING", 1000)});
  Plan(kZero);
  History(kZero, 1, 3);
  EXPECT_THAT(Fresh(Poll()), ElementsAre(1, 2, 3));
  Jobs({Row(kZero, "RUNNING", 9000)});
  EXPECT_THAT(Fresh(Poll()), ElementsAre(1, 2, 3));
}

TEST_F(CheckpointHistoryTest, AnOutageBringsNothingTwice) {
  Jobs({Row(kA, "RUNNING")});
  Plan(kA);
  History(kA, 1, 3);
  Poll();
  for (ScriptedClient* jm : jm_) jm->FailAll(Error{ErrorCode::kUnreachable, "refused", ""});
  EXPECT_FALSE(collector_->Poll().ok());
  jm_[0]->Recover();
  EXPECT_THAT(Fresh(Poll()), IsEmpty());
  // Without the job's own answer nothing is asked about what the last one said.
  History(kA, 2, 4);
  const std::string path = "/jobs/" + kA + "/checkpoints";
  jm_[0]->Fail(path, Error{ErrorCode::kTimeout, "no answer in time", ""});
  jm_[0]->TakeAsked();
  EXPECT_THAT(Fresh(Poll()), IsEmpty());
  EXPECT_THAT(Asked("/details/"), IsEmpty());
  History(kA, 2, 4);
  EXPECT_THAT(Fresh(Poll()), ElementsAre(4));
}

// 300 jobs with 10 checkpoints each: every job's newest at once, the others as the budget goes.
TEST_F(CheckpointHistoryTest, AStartBesideManyJobsStaysBounded) {
  constexpr int kJobs = 300;
  std::vector<std::string> rows;
  for (int i = 0; i < kJobs; ++i) {
    std::string id = std::to_string(1000 + i) + std::string(28, 'c');
    rows.push_back(Row(id, "RUNNING"));
    Plan(id);
    History(id, 1, 10);
  }
  Jobs(rows);
  std::vector<std::size_t> counts;
  std::size_t fresh = 0;
  for (int poll = 0; poll < 3; ++poll) {
    jm_[0]->TakeAsked();
    const ClusterSnapshot snapshot = Poll();
    counts.push_back(Asked("/details/").size());
    for (const JobSnapshot& job : snapshot.jobs) {
      fresh += job.fresh.size();
      EXPECT_EQ(job.latest->id, 10);
      EXPECT_FALSE(job.latest->vertices.empty()) << "the newest has priority";
      EXPECT_TRUE(std::is_sorted(
          job.fresh.begin(), job.fresh.end(),
          [](const CompletedCheckpoint& a, const CompletedCheckpoint& b) { return a.id < b.id; }));
    }
  }
  EXPECT_THAT(counts, ElementsAre(300 + 2000, 700, 0));
  EXPECT_EQ(fresh, 3000U);
}

// Details that always fail, of many jobs, do not keep the others from being asked for.
TEST_F(CheckpointHistoryTest, TheBudgetGoesRound) {
  constexpr int kJobs = 500;
  std::vector<std::string> rows;
  for (int i = 0; i < kJobs; ++i) {
    std::string id = std::to_string(1000 + i) + std::string(28, 'c');
    rows.push_back(Row(id, "RUNNING"));
    Plan(id);
    History(id, 1, 10);
    for (int old = 1; i < 300 && old < 10; ++old) {
      jm_[0]->Answer(DetailsPath(id, old), "{}", 500);
    }
  }
  Jobs(rows);
  std::size_t fresh = 0;
  for (int poll = 0; poll < 3; ++poll) {
    for (const JobSnapshot& job : Poll().jobs) fresh += job.fresh.size();
  }
  EXPECT_EQ(fresh, 500U + 200U * 9U);
}

}  // namespace
}  // namespace fss
