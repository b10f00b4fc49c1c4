#include "collectors/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "collectors/plan_reader.h"
#include "collectors/recording.h"
#include "tests/unit/as_nobody.h"
#include "tests/unit/collectors/collector_fixture.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSecretPlan =
    R"json({"flinkVersion":"2.3","nodes":[{"id":3,"type":"stream-exec-group-aggregate_1",)json"
    R"json("description":"GroupAggregate(groupBy=[secret])","state":[{"index":0,)json"
    R"json("ttl":"1 d","name":"groupAggregateState"}]}],"edges":[]})json";

class RecorderTest : public CollectorFixture {
 protected:
  void SetUp() override {
    CollectorFixture::SetUp();
    fs::remove_all(dir_);
    Start();
  }
  void TearDown() override {
    collector_.reset();
    fs::remove_all(dir_);
  }

  // A sidecar that has just been started.
  void Start(bool anonymize = false) {
    collector_.reset();
    auto recorder = Recorder::Open(dir_.string(), anonymize);
    ASSERT_TRUE(recorder.ok()) << recorder.error().ToString();
    recorder_ = *std::move(recorder);
    auto client = std::make_unique<ScriptedClient>("http://jm");
    client_ = client.get();
    jm_ = {client_};
    client_->Answer("/config", R"({"flink-version":"2.3.0"})");
    std::vector<std::unique_ptr<RestClient>> clients;
    clients.push_back(std::move(client));
    collector_ =
        std::make_unique<FlinkCollector>("prod", std::move(clients), clock_, recorder_.get());
  }

  // One poll, recorded; what could not be.
  std::string PollAndRecord() {
    last_ = Poll();
    recorder_->Record(last_);
    clock_.Advance(1000);
    return recorder_->TakeTrouble();
  }

  // A running job with checkpoints `first` to `last`.
  void Run(const std::string& job, int first, int last, int start = 1000) {
    Jobs({Row(job, "RUNNING", start)});
    Plan(job);
    History(job, first, last);
  }

  void RecordPlan() {
    recorder_->RecordPlan(last_.jobs[0], *ReadPlanOrDie(), 1,
                          [](const std::string&) { return Result<std::string>(kSecretPlan); });
  }
  static std::unique_ptr<CompiledPlan> ReadPlanOrDie() {
    auto plan = ReadPlan(kSecretPlan, "a.json");
    EXPECT_TRUE(plan.ok());
    return std::make_unique<CompiledPlan>(*std::move(plan));
  }

  std::string Content(const std::string& file) const {
    std::ifstream in(dir_ / file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  // Ids of the checkpoints in a recording.
  std::vector<std::int64_t> IdsOf(const std::string& folder) const {
    auto recording = Recording::Open((dir_ / folder).string());
    EXPECT_TRUE(recording.ok()) << recording.error().ToString();
    std::vector<std::int64_t> ids;
    while (recording.ok()) {
      const auto line = recording->Next();
      EXPECT_TRUE(line.ok()) << line.error().ToString();
      if (!line.ok() || !*line) break;
      ids.push_back((*line)->checkpoint.id);
    }
    return ids;
  }
  std::vector<std::string> Folders() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  const fs::path dir_ =
      fs::path(testing::TempDir()) /
      (std::string("recorder_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::unique_ptr<Recorder> recorder_;
  ScriptedClient* client_ = nullptr;
  ClusterSnapshot last_;
};

TEST_F(RecorderTest, WritesFlinksOwnAnswersAndALinePerCheckpoint) {
  Run(kA, 1, 3);
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_EQ(Content(kA + "/job-plan.json"), kPlan);
  EXPECT_EQ(Content(kA + "/checkpoints-config.json"), kConfig);
  EXPECT_THAT(Content(kA + "/job.json"), HasSubstr(R"("name":"job a","start_ms":1000)"));
  EXPECT_THAT(IdsOf(kA), ElementsAre(1, 2, 3));
  Run(kA, 2, 4);
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_THAT(IdsOf(kA), ElementsAre(1, 2, 3, 4));
  EXPECT_FALSE(fs::exists(dir_ / kA / "plan.json"));
}

TEST_F(RecorderTest, AsksFlinkForNothingMore) {
  Run(kA, 1, 1);
  PollAndRecord();
  PollAndRecord();
  EXPECT_THAT(Asked("/plan"), ElementsAre("/jobs/" + kA + "/plan"));
  Start();
  Run(kA, 1, 1);
  PollAndRecord();
  EXPECT_THAT(Asked("/config"),
              testing::UnorderedElementsAre("/config", "/jobs/" + kA + "/checkpoints/config"))
      << "after a restart as ever";
}

TEST_F(RecorderTest, WritesThePlanOnceItIsMatched) {
  Run(kA, 1, 1);
  PollAndRecord();
  RecordPlan();
  EXPECT_EQ(Content(kA + "/plan.json"), kSecretPlan);
  const auto recording = Recording::Open((dir_ / kA).string());
  ASSERT_TRUE(recording.ok());
  EXPECT_TRUE(recording->plan().has_value());
  EXPECT_EQ(recording->job().name, "job a");
  EXPECT_EQ(recording->flink_version(), "2.3.0");
}

TEST_F(RecorderTest, ReadsAPlanOnlyWhenItMayHaveChanged) {
  Run(kA, 1, 1);
  PollAndRecord();
  int asked = 0;
  const auto bytes = [&asked](const std::string&) {
    ++asked;
    return Result<std::string>("{}");
  };
  const auto plan = ReadPlanOrDie();
  recorder_->RecordPlan(last_.jobs[0], *plan, 1, bytes);
  recorder_->RecordPlan(last_.jobs[0], *plan, 1, bytes);
  EXPECT_EQ(asked, 1);
  recorder_->RecordPlan(last_.jobs[0], *plan, 2, bytes);
  EXPECT_EQ(asked, 2);
}

TEST_F(RecorderTest, GoesOnAfterARestartWithoutRepeating) {
  Run(kA, 1, 3);
  PollAndRecord();
  Start();
  Run(kA, 2, 5);
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_THAT(IdsOf(kA), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(Folders(), ElementsAre(kA));
}

TEST_F(RecorderTest, NeverRepeatsHoweverLongItRuns) {
  for (const int last : {90, 180, 270, 360, 450}) {
    Run(kA, last - 89, last);
    PollAndRecord();
  }
  Start();
  Run(kA, 370, 451);
  PollAndRecord();
  PollAndRecord();
  const auto ids = IdsOf(kA);
  EXPECT_EQ(ids.size(), 451U);
  EXPECT_TRUE(std::ranges::is_sorted(ids));
}

TEST_F(RecorderTest, MendsWhatAKillLeft) {
  Run(kA, 1, 3);
  PollAndRecord();
  std::ofstream(dir_ / kA / "series.jsonl", std::ios::app) << R"({"t":4000,"id)";
  EXPECT_THAT(IdsOf(kA), ElementsAre(1, 2, 3)) << "readable as it is";
  Start();
  Run(kA, 2, 4);
  PollAndRecord();
  EXPECT_THAT(IdsOf(kA), ElementsAre(1, 2, 3, 4));
}

TEST_F(RecorderTest, AReusedIdIsAnotherRecording) {
  Run(kZero, 1, 2, 1000);
  PollAndRecord();
  Run(kZero, 1, 2, 9000);
  EXPECT_EQ(PollAndRecord(), "");
  const std::string second = kZero + "-9000";
  EXPECT_THAT(Folders(), ElementsAre(kZero, second));
  EXPECT_THAT(IdsOf(second), ElementsAre(1, 2));
  Start();
  Run(kZero, 1, 3, 9000);
  PollAndRecord();
  EXPECT_THAT(IdsOf(second), ElementsAre(1, 2, 3));
  EXPECT_THAT(IdsOf(kZero), ElementsAre(1, 2));
}

TEST_F(RecorderTest, SavepointsAreWrittenOnce) {
  Run(kA, 1, 1);
  const std::string savepoint = Completed(2, 999, "s3://sp", "{}", true);
  const std::string row = Completed(1, 100, Place(kA, 1));
  client_->Answer("/jobs/" + kA + "/checkpoints", Checkpoints(row, {savepoint, row}));
  PollAndRecord();
  PollAndRecord();
  EXPECT_THAT(IdsOf(kA), ElementsAre(1, 2));
  EXPECT_THAT(Content(kA + "/series.jsonl"), HasSubstr(R"("is_savepoint":true)"));
}

TEST_F(RecorderTest, ARestoreIsMarked) {
  const auto with_restore = [this](int id, int restored_ms) {
    const std::string row = Completed(id, 100, Place(kA, id));
    client_->Answer("/jobs/" + kA + "/checkpoints",
                    R"({"counts":{"restored":1,"total":1,"in_progress":0,"completed":1,)"
                    R"("failed":0},"latest":{"completed":)" +
                        row + R"(,"savepoint":null,"failed":null,"restored":{"id":1,)" +
                        R"("restore_timestamp":)" + std::to_string(restored_ms) +
                        R"(,"is_savepoint":false,"external_path":""}},"history":[)" + row + "]}");
  };
  Run(kA, 1, 3);
  with_restore(1, 500);
  PollAndRecord();
  with_restore(2, 500);
  PollAndRecord();
  with_restore(3, 2500);
  PollAndRecord();
  std::istringstream lines(Content(kA + "/series.jsonl"));
  std::string line;
  for (const bool restored : {true, false, true}) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line.find(R"("restored":true,"start_ms":1000)") != std::string::npos, restored)
        << line;
  }
}

TEST_F(RecorderTest, AnEndedJobEndsItsFolder) {
  Run(kA, 1, 1);
  PollAndRecord();
  Jobs({Row(kA, "CANCELED")});
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_THAT(Content(kA + "/job.json"),
              testing::AllOf(HasSubstr(R"("state":"CANCELED")"), HasSubstr(R"("ended_ms":)")));
  const auto written = fs::last_write_time(dir_ / kA / "job.json");
  PollAndRecord();
  EXPECT_EQ(fs::last_write_time(dir_ / kA / "job.json"), written);
  Start();
  Jobs({Row(kB, "FINISHED")});
  PollAndRecord();
  EXPECT_THAT(Folders(), ElementsAre(kA)) << "of a job that never ran here nothing is written";
}

TEST_F(RecorderTest, AFolderThatCannotBeWrittenIsToldAndComesBack) {
  Run(kA, 1, 1);
  fs::permissions(dir_, fs::perms::owner_read | fs::perms::owner_exec);
  {
    const AsNobody nobody;
    EXPECT_THAT(PollAndRecord(), HasSubstr(kA));
    const auto asked = Asked("/plan").size();
    EXPECT_EQ(asked, 1U);
    EXPECT_NE(PollAndRecord(), "");
    EXPECT_THAT(Asked("/plan"), IsEmpty()) << "trouble on our side is not Flink's work";
  }
  fs::permissions(dir_, fs::perms::owner_all);
  PollAndRecord();
  PollAndRecord();
  History(kA, 1, 2);
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_EQ(Content(kA + "/job-plan.json"), kPlan) << "asked for again";
  EXPECT_THAT(IdsOf(kA), ElementsAre(2)) << "what came meanwhile is missing";
}

TEST_F(RecorderTest, AFolderThatWasTakenAwayBeginsAnew) {
  Run(kA, 1, 1);
  PollAndRecord();
  fs::remove_all(dir_ / kA);
  History(kA, 1, 2);
  EXPECT_THAT(PollAndRecord(), HasSubstr("was taken away"));
  History(kA, 1, 3);
  PollAndRecord();
  PollAndRecord();
  EXPECT_THAT(IdsOf(kA), ElementsAre(3));
}

TEST_F(RecorderTest, SomebodyElsesFolderIsNotTouched) {
  fs::create_directories(dir_ / kA);
  std::ofstream(dir_ / kA / "mine.txt") << "x";
  Run(kA, 1, 1);
  EXPECT_EQ(PollAndRecord(), "");
  EXPECT_THAT(Folders(), ElementsAre(kA, kA + "-1000"));
  std::ofstream(dir_ / kB) << "a file";
  Run(kB, 1, 1);
  fs::create_directories(dir_ / (kB + "-1000"));
  std::ofstream(dir_ / (kB + "-1000") / "mine.txt") << "x";
  EXPECT_THAT(PollAndRecord(), HasSubstr("holds something else"));
}

TEST_F(RecorderTest, TheFolderMustBeOne) {
  std::ofstream(dir_.string() + "-file") << "x";
  const auto recorder = Recorder::Open(dir_.string() + "-file", false);
  ASSERT_FALSE(recorder.ok());
  EXPECT_EQ(recorder.error().ToString(), dir_.string() + "-file: is no folder");
  fs::remove(dir_.string() + "-file");
}

TEST_F(RecorderTest, WithoutNamesNoneIsWritten) {
  Start(/*anonymize=*/true);
  Run(kA, 1, 2);
  Plan(
      kA, R"({"interval":2000,"state_backend":"EmbeddedRocksDBStateBackend","secret":"secret"})",
      R"json({"plan":{"name":"secret","nodes":[{"id":")json" + kVertex +
          R"json(","parallelism":2,"description":"[3]:GroupAggregate(groupBy=[secret])<br/>"}]}})json");
  EXPECT_EQ(PollAndRecord(), "");
  RecordPlan();
  const std::string folder = kA + "-anonymous";
  EXPECT_THAT(Folders(), ElementsAre(folder));
  for (const char* file :
       {"/job.json", "/job-plan.json", "/checkpoints-config.json", "/series.jsonl", "/plan.json"}) {
    EXPECT_FALSE(Content(folder + file).empty()) << file;
    EXPECT_THAT(Content(folder + file), Not(HasSubstr("secret"))) << file;
    EXPECT_THAT(Content(folder + file), Not(HasSubstr("job a"))) << file;
  }
  const auto recording = Recording::Open((dir_ / folder).string());
  ASSERT_TRUE(recording.ok()) << recording.error().ToString();
  const ChainOperator& op = recording->job().graph.vertices.at(0).chain.at(0);
  EXPECT_EQ(op.description, "GroupAggregate(groupBy=[x_a])");
  EXPECT_EQ(recording->plan()->nodes.at(0).description, op.description);
  EXPECT_THAT(IdsOf(folder), ElementsAre(1, 2));

  Start();  // with names, beside it
  Run(kA, 1, 2);
  PollAndRecord();
  EXPECT_THAT(Folders(), ElementsAre(kA, folder));
}

}  // namespace
}  // namespace fss
