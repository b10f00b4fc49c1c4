#include <chrono>
#include <cmath>
#include <limits>

#include "sidecar/analysis/sqlite_thinning.h"
#include "sidecar/base/millis.h"
#include "tests/unit/analysis/history_fixture.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SqlitePruneTest : public HistoryFileTest {
 protected:
  SqlitePruneTest() : HistoryFileTest(FastTempDir()) {}
  // As often as it takes to come to rest.
  static void PruneAll(HistoryStore* store, std::int64_t now_ms, int calls = 60) {
    for (int i = 0; i < calls; ++i) ExpectOk(store->Prune(now_ms));
  }
  std::int64_t Size() const { return static_cast<std::int64_t>(std::filesystem::file_size(path_)); }
  std::int64_t WalSize() const {
    const std::filesystem::path wal = path_.string() + "-wal";
    return std::filesystem::exists(wal) ? static_cast<std::int64_t>(std::filesystem::file_size(wal))
                                        : 0;
  }
};

TEST_F(SqlitePruneTest, LinesNotSeenWithinTheRetentionGo) {
  const auto store = Store();
  HistoryChanges old = LineWithPoints("old", 2, 10, kNow - 31 * kMillisPerDay);
  old.savepoints.push_back({"old", "a1", 1, kNow - 31 * kMillisPerDay, 5});
  ExpectOk(store->Write(old));
  ExpectOk(store->Write(LineWithPoints("young", 2, 10, kNow - 29 * kMillisPerDay)));
  ExpectOk(store->Prune(kNow));
  EXPECT_THAT(Keys(store.get()), ElementsAre("young"));
  EXPECT_THAT(SubjectsOf(store.get(), "old"), IsEmpty());
  EXPECT_THAT(SubjectsOf(store.get(), "young")[1].points, SizeIs(10));
  const RawDb raw(path_);
  for (const std::string table : {"run", "line"}) {
    EXPECT_EQ(raw.Number("SELECT count(*) FROM " + table), 1) << table;
  }
  EXPECT_EQ(raw.Number("SELECT count(*) FROM subject"), 2);
  EXPECT_EQ(raw.Number("SELECT count(*) FROM savepoint"), 0);
}

TEST_F(SqlitePruneTest, OldPointsOfALivingLineGo) {
  const auto store = Store({"", "", 2 * kMillisPerDay});
  HistoryChanges changes = LineWithPoints("k", 2, 4 * 24 * 60);
  changes.appended.push_back({"k", {"gone", ""}, kNow - 3 * kMillisPerDay, 1, 5});
  changes.savepoints.push_back({"k", "a1", 1, kNow - 3 * kMillisPerDay, 5});
  changes.savepoints.push_back({"k", "a1", 2, kNow - 1 * kMillisPerDay, 5});
  ExpectOk(store->Write(changes));
  ExpectOk(store->Prune(kNow));
  const auto subjects = SubjectsOf(store.get(), "k");
  ASSERT_THAT(subjects, SizeIs(2));
  EXPECT_EQ(subjects[0].points.size(), 2 * 24 * 60 + 1U);
  EXPECT_EQ(subjects[0].points.front().t_ms(), kNow - 2 * kMillisPerDay);
  const RawDb raw(path_);
  EXPECT_EQ(raw.Number("SELECT id FROM savepoint"), 2);
  EXPECT_EQ(raw.Number("SELECT count(*) FROM subject"), 2) << "a subject without points stayed";
}

TEST_F(SqlitePruneTest, ALargeFileLosesWhatWasNotSeenForLongestAndShrinks) {
  constexpr std::int64_t kMax = 4 << 20;
  const auto store = Store({"", "", 30 * kMillisPerDay, kMax});
  for (int i = 0; i < 12; ++i) {
    ExpectOk(store->Write(LineWithPoints("line" + std::to_string(10 + i), 10, 4000,
                                         kNow - (12 - i) * 2 * kMillisPerHour)));
  }
  PruneAll(store.get(), kNow, 1);
  const std::int64_t before = Size();
  EXPECT_GT(before, 2 * kMax);
  PruneAll(store.get(), kNow);
  EXPECT_LE(Size(), kMax + (1 << 20)) << "the free pages kept are 1 MiB";
  EXPECT_EQ(WalSize(), 0);
  const auto keys = Keys(store.get());
  ASSERT_FALSE(keys.empty());
  EXPECT_EQ(keys.back(), "line21");
  EXPECT_EQ(keys.size(), 22 - std::stoul(keys.front().substr(4))) << "not the oldest went";
  for (const std::string& key : keys) {
    const auto subjects = SubjectsOf(store.get(), key);
    ASSERT_THAT(subjects, SizeIs(10)) << key;
    // The oldest that stays may have lost its past: lines go piece by piece.
    if (key == keys.front()) continue;
    EXPECT_THAT(subjects[0].points, SizeIs(4000)) << "a line that stays lost points";
  }
  const RawDb raw(path_);
  EXPECT_EQ(raw.Text("PRAGMA integrity_check"), "ok");
}

TEST_F(SqlitePruneTest, LivingLinesAreThinnedInsteadOfDropped) {
  constexpr std::int64_t kMax = 1 << 20;
  const auto store = Store({"", "", 30 * kMillisPerDay, kMax});
  for (int i = 0; i < 4; ++i) {
    ExpectOk(store->Write(
        LineWithPoints("line" + std::to_string(i), 8, 3000, kNow - kMillisPerHour / 2)));
  }
  PruneAll(store.get(), kNow);
  EXPECT_LE(Size(), kMax + (1 << 20));
  EXPECT_THAT(Keys(store.get()), ElementsAre("line0", "line1", "line2", "line3"));
  for (int i = 0; i < 4; ++i) {
    const auto subjects = SubjectsOf(store.get(), "line" + std::to_string(i));
    ASSERT_THAT(subjects, SizeIs(8));
    for (std::size_t s = 0; s < subjects.size(); ++s) {
      const std::vector<SizePoint>& points = subjects[s].points;
      EXPECT_LT(points.size(), 2000U);
      EXPECT_GT(points.size(), 200U) << "thinned far more than asked";
      std::uint64_t weight = 0;
      double sum = 0;
      for (std::size_t p = 0; p < points.size(); ++p) {
        weight += points[p].weight();
        sum += static_cast<double>(points[p].mid) * points[p].weight();
        EXPECT_LE(points[p].low, points[p].mid);
        EXPECT_TRUE(p == 0 || points[p - 1].t_ms() < points[p].t_ms());
      }
      EXPECT_EQ(weight, 3000U);
      const double base = 1'000'000 + static_cast<double>(s) * 1000;
      EXPECT_NEAR(sum / 3000, base + 2999 / 2.0, 1);
      EXPECT_EQ(points.front().t_ms(), kNow - kMillisPerHour / 2 - 2999 * 60'000);
      EXPECT_EQ(points.front().weight(), 1U);
      EXPECT_EQ(points.back().t_ms(), kNow - kMillisPerHour / 2);
      EXPECT_EQ(points.back().weight(), 1U) << "the newer half is finer";
      EXPECT_EQ(points.back().mid, static_cast<float>(base + 2999));
    }
  }
}

TEST_F(SqlitePruneTest, AHopelessBoundEndsAndKeepsTheLivingLines) {
  const auto store = Store({"", "", 30 * kMillisPerDay, 1});
  ExpectOk(store->Write(LineWithPoints("k", 50, 100)));
  PruneAll(store.get(), kNow, 100);
  EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  EXPECT_THAT(SubjectsOf(store.get(), "k"), SizeIs(50));
}

// 600,000 rows are ten calls' work.
TEST_F(SqlitePruneTest, ACallIsShortAndTheNextGoesOn) {
  const auto store = Store();
  for (int i = 0; i < 12; ++i) {
    ExpectOk(store->Write(LineWithPoints("k", 50, 1000, kNow - i * 1000 * 60'000)));
  }
  HistoryChanges last;
  last.lines = {Line("k", kNow)};
  ExpectOk(store->Write(last));
  std::int64_t slowest = 0;
  int calls = 0;
  std::size_t left = 0;
  do {
    const auto begin = std::chrono::steady_clock::now();
    ExpectOk(store->Prune(kNow + 30 * kMillisPerDay));
    slowest = std::max<std::int64_t>(slowest, std::chrono::duration_cast<std::chrono::milliseconds>(
                                                  std::chrono::steady_clock::now() - begin)
                                                  .count());
    const auto subjects = SubjectsOf(store.get(), "k");
    left = subjects.empty() ? 0 : subjects[0].points.size();
    ++calls;
  } while (left > 1 && calls < 100);
  EXPECT_EQ(left, 1U) << "the point at the bound stays";
  EXPECT_GT(calls, 5);
  EXPECT_LT(calls, 20);
  RecordProperty("slowest_ms", static_cast<int>(slowest));
  EXPECT_LT(slowest, 10'000) << "an order above what a slow machine takes";
}

TEST_F(SqlitePruneTest, TheWalIsCut) {
  const auto store = Store();
  for (int i = 0; i < 60; ++i) {
    ExpectOk(store->Write(LineWithPoints("k" + std::to_string(i), 20, 500)));
    EXPECT_LT(WalSize(), 24 << 20);
  }
  EXPECT_GT(WalSize(), 0);
  ExpectOk(store->Prune(kNow));
  EXPECT_EQ(WalSize(), 0);
}

// The other clusters' processes may have gone for good: their lines age all the same.
TEST_F(SqlitePruneTest, OtherClustersAreSubjectToTheBounds) {
  const auto here = Store({"", "here"});
  const auto there = Store({"", "there"});
  HistoryChanges changes = LineWithPoints("old", 1, 5, kNow - 31 * kMillisPerDay);
  changes.begun.push_back({"place", kNow - 31 * kMillisPerDay});
  ExpectOk(there->Write(changes));
  ExpectOk(here->Write(LineWithPoints("young", 1, 5)));
  ExpectOk(here->Prune(kNow));
  EXPECT_THAT(Keys(there.get()), IsEmpty());
  EXPECT_THAT(*there->Findings(), IsEmpty());
  EXPECT_THAT(Keys(here.get()), ElementsAre("young"));
}

TEST_F(SqlitePruneTest, FindingsOfAClusterWithLinesStand) {
  const auto store = Store();
  HistoryChanges changes = LineWithPoints("k", 1, 5);
  changes.begun.push_back({"place", kNow - 100 * kMillisPerDay});
  ExpectOk(store->Write(changes));
  ExpectOk(store->Prune(kNow));
  EXPECT_THAT(*store->Findings(), SizeIs(1));
}

TEST_F(SqlitePruneTest, AnyTimeIsSurvived) {
  const auto store = Store({"", "", std::numeric_limits<std::int64_t>::max()});
  ExpectOk(store->Write(LineWithPoints("k", 1, 5)));
  for (const std::int64_t now : {std::numeric_limits<std::int64_t>::min(), std::int64_t{0},
                                 std::numeric_limits<std::int64_t>::max()}) {
    ExpectOk(store->Prune(now));
    EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  }
}

}  // namespace
}  // namespace fss
