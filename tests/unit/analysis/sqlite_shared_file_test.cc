// One connection for the stores of many clusters.
#include <thread>

#include "tests/unit/analysis/history_fixture.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SqliteSharedFileTest : public HistoryFileTest {
 protected:
  std::shared_ptr<HistoryFile> File() const {
    HistoryOptions options;
    options.path = path_;
    return NewHistoryFile(std::move(options));
  }
};

TEST_F(SqliteSharedFileTest, EachClusterSeesItsOwn) {
  const auto file = File();
  const auto a = NewSqliteHistoryStore(file, "ns/a");
  const auto b = NewSqliteHistoryStore(file, "ns/b");
  ExpectOk(a->Write(LineWithPoints("k", 1, 3)));
  EXPECT_THAT(Keys(a.get()), ElementsAre("k"));
  EXPECT_THAT(Keys(b.get()), IsEmpty());
  ExpectOk(b->Write(LineWithPoints("other", 1, 3)));
  EXPECT_THAT(Keys(b.get()), ElementsAre("other"));
  EXPECT_THAT(Keys(NewSqliteHistoryStore(File(), "ns/a").get()), ElementsAre("k"));
}

TEST_F(SqliteSharedFileTest, AFileDeletedInUseIsToldToEachOnce) {
  const auto file = File();
  const auto a = NewSqliteHistoryStore(file, "ns/a");
  const auto b = NewSqliteHistoryStore(file, "ns/b");
  const auto fresh = NewSqliteHistoryStore(file, "ns/c");
  ExpectOk(a->Write(LineWithPoints("k", 1, 3)));
  ExpectOk(b->Write(LineWithPoints("k", 1, 3)));
  std::filesystem::remove(path_);
  ExpectError(a->Write(LineWithPoints("k2", 1, 3)), ErrorCode::kIo, "moved or deleted");
  ExpectOk(a->Write(LineWithPoints("k3", 1, 3)));
  ExpectError(b->Write(LineWithPoints("k2", 1, 3)), ErrorCode::kIo, "moved or deleted");
  ExpectOk(b->Write(LineWithPoints("k3", 1, 3)));
  ExpectOk(fresh->Write(LineWithPoints("k", 1, 3)));  // it had nothing in there
  EXPECT_THAT(Keys(a.get()), ElementsAre("k3"));
  EXPECT_THAT(Keys(b.get()), ElementsAre("k3"));
}

TEST_F(SqliteSharedFileTest, ThreadsTakeTurns) {
  const auto file = File();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this, &file, t] {
      const auto store = NewSqliteHistoryStore(file, "ns/" + std::to_string(t));
      for (int i = 0; i < 20; ++i) {
        ExpectOk(store->Write(LineWithPoints("k" + std::to_string(i), 1, 3)));
        EXPECT_TRUE(store->Lines().ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(Keys(NewSqliteHistoryStore(file, "ns/3").get()), SizeIs(20));
}

}  // namespace
}  // namespace fss
