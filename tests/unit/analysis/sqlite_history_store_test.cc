#include "sidecar/analysis/sqlite_history_store.h"

#include <limits>

#include "tests/unit/analysis/history_fixture.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SqliteHistoryStoreTest : public HistoryFileTest {};

TEST_F(SqliteHistoryStoreTest, NothingIsTouchedBeforeTheFirstCall) {
  const auto store = Store();
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_THAT(Keys(store.get()), IsEmpty());
  EXPECT_THAT(SubjectsOf(store.get(), "none"), IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(SqliteHistoryStoreTest, EveryFieldComesBack) {
  HistoryChanges changes;
  LineRecord line;
  line.key = "00ff@1790000000000";
  line.job_name = "insert-into_default_catalog.default_database.sink";
  line.runs = {{"00ff", 1'790'000'000'000, false}, {"00ff", 1'790'000'900'000, true}};
  line.last_ms = 1'790'000'950'000;
  changes.lines.push_back(line);
  const std::vector<SizePoint> points = {
      {10, 1.5F, 2.25F, 7}, {20, 5, 5, 1},         {30, 0.1F, 16'777'217.F, SizePoint::kMostWeight},
      {40, 1, 9, 1},        {50, 3e38F, 3e38F, 2}, {60, 0, 0, 1}};
  changes.replaced.push_back({line.key, {"v1", "leftState"}, points});
  changes.appended.push_back({line.key, {"v1", ""}, 100, 17, 12'345'678'901});
  changes.appended.push_back({line.key, {"v1", "leftState"}, 70, 18, 42});
  changes.savepoints.push_back({line.key, "00ff", 5, 1'790'000'100'000, 14'300'000});
  changes.begun.push_back({"plan-drift|00ff|v1", 1'790'000'000'123});
  {
    const auto store = Store();
    ExpectOk(store->Write(changes));
  }
  const auto store = Store();
  const auto lines = store->Lines();
  ASSERT_TRUE(lines.ok());
  ASSERT_THAT(*lines, SizeIs(1));
  EXPECT_EQ((*lines)[0], line);

  const auto subjects = SubjectsOf(store.get(), line.key);
  ASSERT_THAT(subjects, SizeIs(2));
  EXPECT_EQ(subjects[0].key, (SubjectKey{"v1", ""}));
  const float big = 12'345'678'901.F;
  EXPECT_THAT(subjects[0].points, ElementsAre(SizePoint(100, big, big)));
  EXPECT_EQ(subjects[1].key, (SubjectKey{"v1", "leftState"}));
  std::vector<SizePoint> expected = points;
  expected.push_back({70, 42, 42});
  EXPECT_EQ(subjects[1].points, expected);

  const auto findings = store->Findings();
  ASSERT_TRUE(findings.ok());
  ASSERT_THAT(*findings, SizeIs(1));
  EXPECT_EQ((*findings)[0].place, "plan-drift|00ff|v1");
  EXPECT_EQ((*findings)[0].first_seen_ms, 1'790'000'000'123);

  const RawDb raw(path_);
  EXPECT_EQ(raw.Text("SELECT t_ms||','||job_id||','||id||','||bytes FROM savepoint"),
            "1790000100000,00ff,5,14300000");
}

TEST_F(SqliteHistoryStoreTest, TextsAreKeptByteByByte) {
  const std::string odd("a\0b\xff\xfe' OR 1=1 --\n\xf0\x9f\x98\x80", 21);
  LineRecord line = Line("k" + odd);
  line.job_name = std::string(5000, 'x') + odd;
  line.runs = {{odd, -1, true}, {"", 0, false}};
  HistoryChanges changes;
  changes.lines = {line, Line("")};
  changes.appended.push_back({line.key, {odd, odd}, 1, 1, 1});
  changes.appended.push_back({line.key, {"", ""}, 1, 1, 2});
  changes.begun.push_back({odd, 7});
  ExpectOk(Store({"", odd})->Write(changes));

  const auto store = Store({"", odd});
  const auto lines = store->Lines();
  ASSERT_TRUE(lines.ok());
  ASSERT_THAT(*lines, SizeIs(2));
  EXPECT_EQ((*lines)[0], Line(""));
  EXPECT_EQ((*lines)[1], line);
  const auto subjects = SubjectsOf(store.get(), line.key);
  ASSERT_THAT(subjects, SizeIs(2));
  EXPECT_EQ(subjects[0].key, (SubjectKey{"", ""}));
  EXPECT_EQ(subjects[1].key, (SubjectKey{odd, odd}));
  EXPECT_EQ((*store->Findings())[0].place, odd);
  EXPECT_THAT(Keys(Store({"", "a"}).get()), IsEmpty()) << "a name was cut at its NUL";
}

TEST_F(SqliteHistoryStoreTest, AppendingAgainChangesNothing) {
  const auto store = Store();
  HistoryChanges changes = LineWithPoints("k", 3, 20);
  changes.savepoints.push_back({"k", "a1", 5, kNow, 1});
  changes.begun.push_back({"p", 7});
  ExpectOk(store->Write(changes));
  const auto before = SubjectsOf(store.get(), "k");
  ExpectOk(store->Write(changes));
  for (auto& append : changes.appended) append.bytes += 99;
  ExpectOk(store->Write(changes));
  const auto after = SubjectsOf(store.get(), "k");
  ASSERT_THAT(after, SizeIs(3));
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i].points, before[i].points);
  const RawDb raw(path_);
  EXPECT_EQ(raw.Number("SELECT count(*) FROM savepoint"), 1);
  EXPECT_EQ(raw.Number("SELECT count(*) FROM run"), 1);
}

TEST_F(SqliteHistoryStoreTest, ARecordReplacesTheRunsOfItsLine) {
  const auto store = Store();
  HistoryChanges changes;
  LineRecord line = Line("k");
  line.runs = {{"a", 1, false}, {"b", 2, true}, {"c", 3, true}};
  changes.lines = {line};
  ExpectOk(store->Write(changes));
  line.runs = {{"a", 1, false}, {"d", 4, false}};
  line.job_name = "renamed";
  line.last_ms += 5;
  changes.lines = {line};
  ExpectOk(store->Write(changes));
  EXPECT_EQ((*store->Lines())[0], line);
}

TEST_F(SqliteHistoryStoreTest, ReplacedPointsAreInsteadOfAllThatWasHeld) {
  const auto store = Store();
  ExpectOk(store->Write(LineWithPoints("k", 5, 3000)));
  ExpectOk(store->Write(LineWithPoints("other", 1, 7)));
  HistoryChanges changes;
  changes.replaced.push_back({"k", {"vertex1", ""}, {{1, 1, 1}}});
  changes.replaced.push_back({"k", {"vertex1", ""}, {{2, 5, 6, 9}, {3, 1, 1}}});
  changes.replaced.push_back({"k", {"vertex3", ""}, {}});
  changes.replaced.push_back({"k", {"unknown", ""}, {}});
  changes.replaced.push_back({"no such line", {"v", ""}, {}});
  changes.appended.push_back({"k", {"vertex1", ""}, 4, 1, 8});
  ExpectOk(store->Write(changes));
  const auto subjects = SubjectsOf(store.get(), "k");
  ASSERT_THAT(subjects, SizeIs(4));
  EXPECT_THAT(subjects[1].points,
              ElementsAre(SizePoint(2, 5, 6, 9), SizePoint(3, 1, 1), SizePoint(4, 8, 8)));
  EXPECT_EQ(subjects[2].key.vertex_id, "vertex2");
  EXPECT_EQ(subjects[3].key.vertex_id, "vertex4");
  EXPECT_THAT(subjects[0].points, SizeIs(3000));
  EXPECT_THAT(subjects[3].points, SizeIs(3000));
  EXPECT_THAT(SubjectsOf(store.get(), "other")[0].points, SizeIs(7));
  const RawDb raw(path_);
  EXPECT_EQ(raw.Number("SELECT count(*) FROM subject"), 5);
  EXPECT_EQ(raw.Number("SELECT count(*) FROM line"), 2) << "an empty Replace made a line";
}

TEST_F(SqliteHistoryStoreTest, FindingsStandUntilTheyEnd) {
  const auto store = Store();
  HistoryChanges changes;
  changes.begun = {{"a", 1}, {"b", 2}, {"c", 3}};
  ExpectOk(store->Write(changes));
  changes.begun = {{"b", 20}};
  changes.ended = {"a", "b", "never"};
  ExpectOk(store->Write(changes));
  std::vector<std::pair<std::string, std::int64_t>> found;
  const auto findings = store->Findings();
  ASSERT_TRUE(findings.ok());
  for (const auto& finding : *findings) {
    found.emplace_back(finding.place, finding.first_seen_ms);
  }
  EXPECT_THAT(found, ElementsAre(std::pair("b", 20), std::pair("c", 3)));
}

TEST_F(SqliteHistoryStoreTest, ClustersDoNotSeeEachOther) {
  const auto one = Store({"", "one"});
  const auto two = Store({"", "two"});
  HistoryChanges changes = LineWithPoints("k", 1, 3);
  changes.begun.push_back({"place", 1});
  ExpectOk(one->Write(changes));
  EXPECT_THAT(Keys(two.get()), IsEmpty());
  EXPECT_THAT(SubjectsOf(two.get(), "k"), IsEmpty());
  EXPECT_THAT(*two->Findings(), IsEmpty());
  ExpectOk(two->Write(LineWithPoints("k", 1, 5)));
  changes = {};
  changes.ended.push_back("place");
  ExpectOk(two->Write(changes));
  EXPECT_THAT(SubjectsOf(one.get(), "k")[0].points, SizeIs(3));
  EXPECT_THAT(SubjectsOf(two.get(), "k")[0].points, SizeIs(5));
  EXPECT_THAT(*one->Findings(), SizeIs(1));
}

TEST_F(SqliteHistoryStoreTest, TwoStoresOnOneFileSeeEachOthersWrites) {
  const auto serve = Store();
  const auto scan = Store();
  for (int i = 0; i < 50; ++i) {
    HistoryChanges changes = LineWithPoints("k", 2, i + 1, kNow + i * 60'000);
    ExpectOk((i % 2 == 0 ? serve : scan)->Write(changes));
    ExpectOk((i % 3 == 0 ? serve : scan)->Prune(kNow));
  }
  EXPECT_THAT(SubjectsOf(serve.get(), "k")[1].points, SizeIs(50));
  EXPECT_EQ(SubjectsOf(scan.get(), "k")[1].points, SubjectsOf(serve.get(), "k")[1].points);
}

// Sizes must not be lost when a line's record comes later; a record is not made up meanwhile.
TEST_F(SqliteHistoryStoreTest, SizesMayComeBeforeTheirLine) {
  const auto store = Store();
  HistoryChanges changes = LineWithPoints("k", 1, 4);
  const std::vector<LineRecord> lines = std::exchange(changes.lines, {});
  ExpectOk(store->Write(changes));
  EXPECT_THAT(Keys(store.get()), IsEmpty());
  EXPECT_THAT(SubjectsOf(store.get(), "k"), SizeIs(1));
  changes = {};
  changes.lines = lines;
  ExpectOk(store->Write(changes));
  EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  EXPECT_THAT(SubjectsOf(store.get(), "k")[0].points, SizeIs(4));
}

TEST_F(SqliteHistoryStoreTest, WhatIsNoSizeIsNotKept) {
  const auto store = Store();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  HistoryChanges changes;
  changes.lines = {Line("k")};
  changes.replaced.push_back(
      {"k", {"v", ""}, {{1, nan, nan}, {2, 1, inf}, {3, -1, 2}, {4, 1, 2, 0}}});
  changes.appended.push_back({"k", {"v", ""}, 5, 1, -7});
  ExpectOk(store->Write(changes));
  EXPECT_THAT(SubjectsOf(store.get(), "k")[0].points,
              ElementsAre(SizePoint(4, 1, 2), SizePoint(5, 0, 0)));
}

TEST_F(SqliteHistoryStoreTest, OnlyTheNewestPointsOfALongSubjectAreRead) {
  const auto store = Store();
  ExpectOk(store->Write(LineWithPoints("k", 2, 5000)));
  for (const SubjectRecord& subject : SubjectsOf(store.get(), "k")) {
    ASSERT_THAT(subject.points, SizeIs(4096));
    EXPECT_EQ(subject.points.back().t_ms(), kNow);
    EXPECT_EQ(subject.points.front().t_ms(), kNow - 4095 * 60'000);
  }
}

TEST_F(SqliteHistoryStoreTest, ANameOfAFileMeansJustThat) {
  std::filesystem::current_path(folder_);
  const std::vector<std::string> names = {":memory:", "file:history?mode=memory", "a b%20ü.db"};
  for (const std::string& name : names) {
    ExpectOk(Store({name, ""})->Write(LineWithPoints("k", 1, 1)));
    EXPECT_TRUE(std::filesystem::exists(folder_ / name)) << name;
    EXPECT_THAT(Keys(Store({name, ""}).get()), ElementsAre("k")) << name;
  }
  std::filesystem::current_path("/");
  const auto no_name = NewSqliteHistoryStore({});
  EXPECT_FALSE(no_name->Lines().ok());
  EXPECT_FALSE(NewSqliteHistoryStore({std::string("a\0b", 3), ""})->Lines().ok());
}

TEST_F(SqliteHistoryStoreTest, TheFileIsMarkedAndWhole) {
  const auto store = Store();
  ExpectOk(store->Write(LineWithPoints("k", 3, 200)));
  const RawDb raw(path_);
  EXPECT_EQ(raw.Text("PRAGMA journal_mode"), "wal");
  EXPECT_EQ(raw.Number("PRAGMA auto_vacuum"), 2);
  EXPECT_EQ(raw.Number("PRAGMA user_version"), 1);
  EXPECT_EQ(raw.Text("PRAGMA integrity_check"), "ok");
}

}  // namespace
}  // namespace fss
