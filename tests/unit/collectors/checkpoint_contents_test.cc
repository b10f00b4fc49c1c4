#include "collectors/checkpoint_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/collectors/checkpoint/memory_source.h"
#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t kSecond = 1000;

// A `_metadata` that Flink wrote.
std::string RealMetadata() {
  std::ifstream file(std::string(FSS_TEST_DATA) + "/checkpoints/real/metadata/v4-1.19-join-ttl",
                     std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(bytes.empty());
  return bytes;
}

// What a place has, and how it fails. Shared: the test keeps it, the store only reads it.
struct Place {
  std::map<std::string, std::string> files;  // by address
  std::map<std::string, ErrorCode> errors;   // by the beginning of an address
  std::vector<std::string> opened;
  std::uint64_t claimed_size = 0;  // instead of the true one
  std::int64_t takes_ms = 0;
};

class PlaceStore : public CheckpointStore {
 public:
  PlaceStore(Place* place, FakeClock* clock) : place_(place), clock_(clock) {}
  Result<std::unique_ptr<ByteSource>> Open(const std::string& address,
                                           std::uint64_t /*max_bytes*/) override {
    place_->opened.push_back(address);
    clock_->Advance(place_->takes_ms);
    for (const auto& [beginning, code] : place_->errors) {
      if (address.starts_with(beginning)) return Error{code, "cannot be had", address};
    }
    const auto file = place_->files.find(address);
    if (file == place_->files.end()) return Error{ErrorCode::kNotFound, "not there", address};
    auto source = std::make_unique<MemorySource>(file->second);
    if (place_->claimed_size != 0) source->SetClaimedSize(place_->claimed_size);
    return std::unique_ptr<ByteSource>(std::move(source));
  }

 private:
  Place* place_;
  FakeClock* clock_;
};

class CheckpointContentsTest : public testing::Test {
 protected:
  CheckpointContentsTest() : contents_(std::make_unique<PlaceStore>(&place_, &clock_), clock_) {
    AddJob("a");
  }

  void AddJob(const std::string& id) {
    JobSnapshot& job = snapshot_.jobs.emplace_back();
    job.id = id;
    job.state = "RUNNING";
    job.start_ms = 5;
  }

  // The job's newest checkpoint; `there`: and it can be read.
  void Checkpoint(std::int64_t id, std::size_t job = 0, bool there = true) {
    CompletedCheckpoint& latest = snapshot_.jobs[job].latest.emplace();
    latest.id = id;
    latest.trigger_ms = id * kSecond;
    latest.external_path = "file:/cp/" + snapshot_.jobs[job].id + "/chk-" + std::to_string(id);
    if (there) place_.files[latest.external_path + "/_metadata"] = RealMetadata();
  }

  const CheckpointMetadata* Read(std::size_t job = 0) {
    clock_.Advance(15 * kSecond);
    place_.opened.clear();
    return contents_.Refresh(snapshot_).Of(snapshot_.jobs[job]);
  }

  Place place_;
  FakeClock clock_;
  ClusterSnapshot snapshot_;
  CheckpointContents contents_;
};

TEST_F(CheckpointContentsTest, ReadsEachCheckpointOnce) {
  Checkpoint(7);
  const CheckpointMetadata* read = Read();
  ASSERT_NE(read, nullptr);
  EXPECT_FALSE(read->operators.empty());
  EXPECT_EQ(place_.opened.front(), "file:/cp/a/chk-7/_metadata");
  EXPECT_EQ(Read(), read);
  EXPECT_THAT(place_.opened, IsEmpty());
  Checkpoint(8);
  EXPECT_NE(Read(), nullptr);
  EXPECT_EQ(place_.opened.front(), "file:/cp/a/chk-8/_metadata");
  EXPECT_THAT(contents_.trouble(), IsEmpty());
}

TEST_F(CheckpointContentsTest, OfACheckpointThatIsGoneTheNextOneIsRead) {
  Checkpoint(7, 0, false);
  place_.files["file:/cp/a/chk-9/_metadata"] = RealMetadata();
  EXPECT_NE(Read(), nullptr);
  EXPECT_THAT(place_.opened,
              testing::IsSupersetOf({"file:/cp/a/chk-7/_metadata", "file:/cp/a/chk-8/_metadata",
                                     "file:/cp/a/chk-9/_metadata"}));
}

TEST_F(CheckpointContentsTest, OneThatIsGoneIsNoTroubleButAllOfThemAre) {
  for (int id = 1; id <= 5; ++id) {
    Checkpoint(id * 10, 0, false);
    EXPECT_EQ(Read(), nullptr);
    EXPECT_THAT(contents_.trouble(), IsEmpty()) << id;
  }
  Checkpoint(60, 0, false);
  Read();
  EXPECT_THAT(contents_.trouble(), HasSubstr("file:/cp/a/chk-60/_metadata"));
  Checkpoint(70);
  EXPECT_NE(Read(), nullptr);
  EXPECT_THAT(contents_.trouble(), IsEmpty());
}

TEST_F(CheckpointContentsTest, WhatNoRootHoldsIsToldOnceAndNotAskedForAgain) {
  AddJob("b");
  AddJob("c");
  place_.errors["file:/cp/a"] = ErrorCode::kInvalidArgument;
  place_.errors["file:/cp/b"] = ErrorCode::kInvalidArgument;
  for (std::size_t job = 0; job < 3; ++job) Checkpoint(1, job);
  EXPECT_NE(Read(2), nullptr) << "the rest goes on";
  EXPECT_THAT(contents_.TakeUnreachable(), HasSubstr("and those of 1 other jobs"));
  EXPECT_THAT(contents_.trouble(), IsEmpty());
  Checkpoint(2);
  Read();
  EXPECT_THAT(place_.opened, Not(testing::Contains(HasSubstr("/cp/a/"))));
  EXPECT_THAT(contents_.TakeUnreachable(), IsEmpty());
}

TEST_F(CheckpointContentsTest, CheckpointsInTheJobManagersMemoryAreUnreachable) {
  Checkpoint(1);
  snapshot_.jobs[0].latest->external_path = "<checkpoint-not-externally-addressable>";
  EXPECT_EQ(Read(), nullptr);
  EXPECT_THAT(contents_.TakeUnreachable(), HasSubstr("JobManager's memory"));
  EXPECT_THAT(place_.opened, IsEmpty());
}

TEST_F(CheckpointContentsTest, APlaceThatDoesNotAnswerIsLeftAloneForAWhile) {
  AddJob("b");
  place_.errors["file:/cp/"] = ErrorCode::kTimeout;
  Checkpoint(1, 0);
  Checkpoint(1, 1);
  Read();
  EXPECT_THAT(place_.opened, testing::SizeIs(1)) << "the others would wait as long";
  EXPECT_THAT(contents_.trouble(), HasSubstr("cannot be had"));
  contents_.Refresh(snapshot_);
  EXPECT_THAT(place_.opened, testing::SizeIs(1));
  EXPECT_THAT(contents_.trouble(), HasSubstr("cannot be had")) << "it stands";
  place_.errors.clear();
  EXPECT_NE(Read(), nullptr);
  EXPECT_NE(Read(1), nullptr);
  EXPECT_THAT(contents_.trouble(), IsEmpty());
}

TEST_F(CheckpointContentsTest, ARefusedOneStopsOnlyItsJob) {
  AddJob("b");
  place_.errors["file:/cp/a"] = ErrorCode::kHttpStatus;
  Checkpoint(1, 0);
  Checkpoint(1, 1);
  EXPECT_NE(Read(1), nullptr);
  EXPECT_THAT(contents_.trouble(), HasSubstr("file:/cp/a/chk-1/_metadata"));
}

TEST_F(CheckpointContentsTest, ABrokenOneIsNamedAndTheOneBeforeStands) {
  Checkpoint(1);
  const CheckpointMetadata* before = Read();
  Checkpoint(2);
  place_.files["file:/cp/a/chk-2/_metadata"].resize(30);
  EXPECT_EQ(Read(), before);
  EXPECT_THAT(contents_.trouble(), HasSubstr("file:/cp/a/chk-2/_metadata"));
}

TEST_F(CheckpointContentsTest, OneAboveTheBudgetIsNeverRead) {
  Checkpoint(1);
  place_.claimed_size = std::uint64_t{1} << 40;
  EXPECT_EQ(Read(), nullptr);
  EXPECT_THAT(contents_.trouble(), HasSubstr("_metadata above"));
}

TEST_F(CheckpointContentsTest, JobsTakeTurnsWhereTheTimeIsShort) {
  for (const char* id : {"b", "c", "d", "e"}) AddJob(id);
  for (std::size_t job = 0; job < 5; ++job) Checkpoint(1, job);
  place_.takes_ms = 1000;
  const auto known = [&] {
    std::string ids;
    for (const auto& [run, metadata] : contents_.Refresh(snapshot_).jobs) ids += run.first;
    return ids;
  };
  const std::string first = known();
  const std::string second = known();
  EXPECT_LT(first.size(), 5U);
  EXPECT_GT(second.size(), first.size());
  EXPECT_EQ((known(), known(), known()), "abcde");
}

TEST_F(CheckpointContentsTest, ForgetsJobsThatAreOver) {
  Checkpoint(1);
  ASSERT_NE(Read(), nullptr);
  snapshot_.jobs[0].state = "FINISHED";
  EXPECT_EQ(Read(), nullptr);
}

}  // namespace
}  // namespace fss
