#include "sidecar/analysis/line_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kFirstId = "1a2b3c4d5e6f70819203a4b5c6d7e8f9";
constexpr const char* kSecondId = "99992c4d5e6f70819203a4b5c6d7e8f9";
constexpr const char* kZeros = "00000000000000000000000000000000";

JobSnapshot Job(const std::string& id, const std::string& name, std::int64_t start_ms) {
  JobSnapshot job;
  job.id = id;
  job.name = name;
  job.state = "RUNNING";
  job.start_ms = start_ms;
  job.counts = CheckpointCounts{};
  return job;
}

JobSnapshot Restored(JobSnapshot job, const std::string& path) {
  job.latest_restored = RestoredCheckpoint{7, job.start_ms + 10, true, path};
  return job;
}

ClusterSnapshot Cluster(std::vector<JobSnapshot> jobs, std::int64_t taken_ms = 1'000'000) {
  ClusterSnapshot snapshot;
  snapshot.taken_ms = taken_ms;
  snapshot.jobs = std::move(jobs);
  return snapshot;
}

TEST(LineBook, ARunKeepsItsLine) {
  LineBook book;
  const auto snapshot = Cluster({Job(kFirstId, "totals", 100)});
  const auto first = book.Assign(snapshot);
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_EQ(first[0].key, std::string(kFirstId) + "@100");
  EXPECT_TRUE(first[0].began);
  EXPECT_FALSE(first[0].anew);
  const auto second = book.Assign(snapshot);
  EXPECT_EQ(second[0].key, first[0].key);
  EXPECT_FALSE(second[0].began);
}

TEST(LineBook, ARedeploymentFromASavepointGoesOn) {
  LineBook book;
  const auto first = book.Assign(Cluster({Job(kFirstId, "totals", 100)}));
  // Another name, too: the savepoint tells whose state it is.
  const auto second = book.Assign(Cluster(
      {Restored(Job(kSecondId, "totals-v2", 200), "file:/sp/savepoint-1a2b3c-0123456789ab")}));
  EXPECT_EQ(second[0].key, first[0].key);
  EXPECT_TRUE(second[0].began);
  EXPECT_FALSE(second[0].anew);
  EXPECT_THAT(book.record(first[0].key).runs,
              ElementsAre(RunRecord{kFirstId, 100, false}, RunRecord{kSecondId, 200, true}));
}

TEST(LineBook, ARetainedCheckpointNamesItsJobToo) {
  LineBook book;
  const auto first = book.Assign(Cluster({Job(kFirstId, "totals", 100)}));
  const auto second = book.Assign(Cluster({Restored(
      Job(kSecondId, "other", 200), std::string("s3://bucket/ck/") + kFirstId + "/chk-17")}));
  EXPECT_EQ(second[0].key, first[0].key);
}

TEST(LineBook, ARedeploymentWithoutStateIsTheSameJobAnew) {
  LineBook book;
  const auto first = book.Assign(Cluster({Job(kFirstId, "totals", 100)}));
  const auto second = book.Assign(Cluster({Job(kSecondId, "totals", 200)}));
  EXPECT_EQ(second[0].key, first[0].key);
  EXPECT_TRUE(second[0].anew);
}

TEST(LineBook, AReusedIdWithAnotherStartIsTheSameJob) {
  LineBook book;
  const auto first = book.Assign(Cluster({Job(kZeros, "app", 100)}));
  const auto second = book.Assign(Cluster({Restored(Job(kZeros, "app", 200), "file:/ha/chk-3")}));
  EXPECT_EQ(second[0].key, first[0].key);
  EXPECT_FALSE(second[0].anew);
  // Zeros tell nothing of whose checkpoint it was.
  const auto other = book.Assign(Cluster(
      {Restored(Job(kSecondId, "another", 300), std::string("file:/ha/") + kZeros + "/chk-3")}));
  EXPECT_NE(other[0].key, first[0].key);
}

TEST(LineBook, JobsOfOneNameSideBySideAreTwo) {
  LineBook book;
  const auto both = book.Assign(Cluster({Job(kFirstId, "twin", 100), Job(kSecondId, "twin", 110)}));
  EXPECT_NE(both[0].key, both[1].key);
  // The second one is redeployed: the first, which runs on, is not its predecessor.
  const auto later = book.Assign(
      Cluster({Job(kFirstId, "twin", 100), Job("77772c4d5e6f70819203a4b5c6d7e8f9", "twin", 200)}));
  EXPECT_EQ(later[0].key, both[0].key);
  EXPECT_EQ(later[1].key, both[1].key);
}

TEST(LineBook, WaitsUntilTheJobManagerSaysWhetherThereWasState) {
  LineBook book;
  JobSnapshot job = Job(kFirstId, "totals", 100);
  job.counts.reset();
  EXPECT_EQ(book.Assign(Cluster({job}))[0].key, "");
  job.counts = CheckpointCounts{};
  job.state = "INITIALIZING";
  EXPECT_EQ(book.Assign(Cluster({job}))[0].key, "");
  job.state = "RUNNING";
  EXPECT_NE(book.Assign(Cluster({job}))[0].key, "");
}

TEST(LineBook, EndedJobsHaveNoPlaceAndLeaveTheirLineIdle) {
  LineBook book;
  const auto first = book.Assign(Cluster({Job(kFirstId, "totals", 100)}));
  EXPECT_THAT(book.Idle(), IsEmpty());
  JobSnapshot ended = Job(kFirstId, "totals", 100);
  ended.state = "FAILED";
  EXPECT_EQ(book.Assign(Cluster({ended}))[0].key, "");
  EXPECT_THAT(book.Idle(), ElementsAre(first[0].key));
  book.Forget(first[0].key);
  EXPECT_EQ(book.size(), 0U);
}

TEST(LineBook, RecordsLearntLateTakeTheRunningLineOver) {
  LineBook book;
  const auto here = book.Assign(Cluster({Job(kSecondId, "totals", 200)}));
  LineRecord stored;
  stored.key = std::string(kFirstId) + "@100";
  stored.job_name = "totals";
  stored.runs = {{kFirstId, 100, false}, {kSecondId, 200, true}};
  const auto renamed = book.Learn({stored});
  EXPECT_THAT(renamed, ElementsAre(std::pair(here[0].key, stored.key)));
  const auto again = book.Assign(Cluster({Job(kSecondId, "totals", 200)}));
  EXPECT_EQ(again[0].key, stored.key);
  EXPECT_FALSE(again[0].began);
}

TEST(LineBook, TheStartOfTheRunAtATime) {
  LineRecord record;
  record.runs = {{kFirstId, 100, false}, {kSecondId, 200, true}};
  EXPECT_EQ(LineBook::RunStartAt(record, 50), 100);
  EXPECT_EQ(LineBook::RunStartAt(record, 150), 100);
  EXPECT_EQ(LineBook::RunStartAt(record, 200), 200);
}

TEST(LineBook, AJobRedeployedAllDayKeepsBoundedRecords) {
  LineBook book;
  std::string key;
  for (int run = 0; run < 500; ++run) {
    const std::string id = std::to_string(100000 + run) + std::string(26, 'a');
    const auto place = book.Assign(Cluster({Job(id, "totals", 100 + run)}));
    if (run == 0) key = place[0].key;
    EXPECT_EQ(place[0].key, key);
  }
  EXPECT_EQ(book.size(), 1U);
  EXPECT_LE(book.record(key).runs.size(), 64U);
}

}  // namespace
}  // namespace fss
