// What a history file can have wrong, and how it heals.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "tests/unit/analysis/history_fixture.h"
#include "tests/unit/as_nobody.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SqliteFaultsTest : public HistoryFileTest {
 protected:
  void ExpectAllFail(HistoryStore* store, ErrorCode code, const std::string& text) const {
    ExpectError(store->Lines(), code, text);
    ExpectError(store->Subjects("k"), code, text);
    ExpectError(store->Findings(), code, text);
    ExpectError(store->Write(LineWithPoints("k", 1, 1)), code, text);
    ExpectError(store->Prune(kNow), code, text);
  }

  // Every call fails, the file stays as it is, and the same store heals when it is moved away.
  void ExpectRefusedThenHealed(const std::string& text) {
    const std::string before = Bytes();
    const auto store = Store();
    for (int i = 0; i < 2; ++i) ExpectAllFail(store.get(), ErrorCode::kMalformed, text);
    EXPECT_EQ(Bytes(), before) << "the file was changed";
    std::filesystem::rename(path_, folder_ / "aside");
    ExpectOk(store->Write(LineWithPoints("k", 1, 3)));
    EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
    EXPECT_EQ(BytesOf(folder_ / "aside"), before);
  }

  // A file of some hundred pages, with nothing in -wal.
  void MakeFile() const {
    for (int i = 0; i < 4; ++i) {
      ExpectOk(Store()->Write(LineWithPoints("k" + std::to_string(i), 8, 1000)));
    }
    ASSERT_GT(Bytes().size(), 500'000U);
    ASSERT_FALSE(std::filesystem::exists(path_.string() + "-wal"));
  }
};

TEST_F(SqliteFaultsTest, GarbageIsRefused) {
  std::string garbage;
  for (int i = 0; i < 20'000; ++i) garbage += static_cast<char>(i * 7919 >> 3);
  SetBytes(garbage);
  ExpectRefusedThenHealed("not an SQLite file");
}

TEST_F(SqliteFaultsTest, AShortTextIsRefused) {
  SetBytes("hello\n");
  ExpectRefusedThenHealed("not an SQLite file");
}

TEST_F(SqliteFaultsTest, AFileCutInTheMiddleIsRefused) {
  MakeFile();
  SetBytes(Bytes().substr(0, Bytes().size() / 2));
  ExpectRefusedThenHealed("is broken");
}

TEST_F(SqliteFaultsTest, AnEmptyFileIsANewOne) {
  SetBytes("");
  ExpectOk(Store()->Write(LineWithPoints("k", 1, 3)));
  EXPECT_THAT(Keys(Store().get()), ElementsAre("k"));
}

// Only the pages of points are broken: what is on other pages is still read, but nothing is
// written any more once it was seen. Put back, it heals.
TEST_F(SqliteFaultsTest, BrokenPagesAreNoticedWhenTouched) {
  MakeFile();
  const std::string good = Bytes();
  std::string bad = good;
  constexpr std::size_t kPage = 4096;
  for (std::size_t page = 20; (page + 1) * kPage <= bad.size(); ++page) {
    bad.replace(page * kPage, 64, std::string(64, '\x5a'));
  }
  SetBytes(bad);
  const auto store = Store();
  EXPECT_THAT(Keys(store.get()), SizeIs(4));
  ExpectError(store->Subjects("k1"), ErrorCode::kMalformed, "is broken");
  ExpectError(store->Write(LineWithPoints("new", 1, 1)), ErrorCode::kMalformed, "is broken");
  ExpectError(store->Prune(kNow), ErrorCode::kMalformed, "is broken");
  EXPECT_THAT(Keys(store.get()), SizeIs(4));
  EXPECT_EQ(Bytes(), bad) << "the broken file was written to";
  std::filesystem::remove(path_.string() + "-wal");
  std::filesystem::remove(path_.string() + "-shm");
  SetBytes(good);
  ExpectOk(store->Write(LineWithPoints("new", 1, 1)));
  EXPECT_THAT(Keys(store.get()), SizeIs(5));
  EXPECT_THAT(SubjectsOf(store.get(), "k1"), SizeIs(8));
}

TEST_F(SqliteFaultsTest, AnotherApplicationsDatabaseIsRefused) {
  RawDb(path_).Run("PRAGMA application_id = 1234; CREATE TABLE t(a); INSERT INTO t VALUES(1)");
  ExpectRefusedThenHealed("another application's");
}

TEST_F(SqliteFaultsTest, AnUnmarkedDatabaseIsRefused) {
  RawDb(path_).Run("CREATE TABLE line(a); INSERT INTO line VALUES(1)");
  ExpectRefusedThenHealed("another application's");
}

// Not even SQLite's own clean-up after a crashed writer may happen to a file that is not ours.
TEST_F(SqliteFaultsTest, AnotherApplicationsCrashIsLeftToIt) {
  RawDb foreign(path_);
  foreign.Run("PRAGMA journal_mode = WAL; CREATE TABLE t(a)");
  foreign.Run("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO t VALUES(1)");
  const std::filesystem::path copy = folder_ / "history-copy.db";
  std::filesystem::copy_file(path_, copy);
  std::filesystem::copy_file(path_.string() + "-wal", copy.string() + "-wal");
  const std::string before = BytesOf(copy);
  const std::string wal_before = BytesOf(copy.string() + "-wal");
  ASSERT_FALSE(wal_before.empty());
  ExpectAllFail(Store({copy, ""}).get(), ErrorCode::kMalformed, "another application's");
  EXPECT_EQ(BytesOf(copy), before);
  EXPECT_EQ(BytesOf(copy.string() + "-wal"), wal_before);
  EXPECT_FALSE(std::filesystem::exists(copy.string() + "-shm"));
}

TEST_F(SqliteFaultsTest, ANewerSchemaIsRefused) {
  ExpectOk(Store()->Write(LineWithPoints("k", 1, 3)));
  RawDb(path_).Run("PRAGMA user_version = 2");
  ExpectRefusedThenHealed("a newer program wrote it");
}

TEST_F(SqliteFaultsTest, AMissingTableIsRefused) {
  ExpectOk(Store()->Write(LineWithPoints("k", 1, 3)));
  RawDb(path_).Run("DROP TABLE point");
  const auto store = Store();
  ExpectError(store->Subjects("k"), ErrorCode::kMalformed, "no such table: point");
  ExpectError(store->Write(LineWithPoints("k", 1, 1)), ErrorCode::kMalformed, "point");
}

// A file may bring triggers and views along; they are not run.
TEST_F(SqliteFaultsTest, ForeignCodeInTheFileIsNotRun) {
  ExpectOk(Store()->Write(LineWithPoints("k", 1, 3)));
  RawDb(path_).Run("CREATE TRIGGER evil AFTER INSERT ON finding BEGIN DELETE FROM point; END");
  HistoryChanges changes;
  changes.begun.push_back({"place", 1});
  ExpectOk(Store()->Write(changes));
  EXPECT_THAT(SubjectsOf(Store().get(), "k")[0].points, SizeIs(3));
}

TEST_F(SqliteFaultsTest, AFolderIsNoFile) {
  std::filesystem::create_directory(path_);
  const auto store = Store();
  ExpectAllFail(store.get(), ErrorCode::kIo, "is a folder");
  std::filesystem::remove(path_);
  ExpectOk(store->Write(LineWithPoints("k", 1, 3)));
}

TEST_F(SqliteFaultsTest, AMissingFolderHealsWhenItIsMade) {
  const auto store = Store({folder_ / "sub" / "history.db", ""});
  ExpectAllFail(store.get(), ErrorCode::kIo, "folder does not exist");
  std::filesystem::create_directory(folder_ / "sub");
  ExpectOk(store->Write(LineWithPoints("k", 1, 3)));
}

TEST_F(SqliteFaultsTest, ALockHealsWhenItIsReleased) {
  ExpectOk(Store()->Write(LineWithPoints("k", 1, 3)));
  const auto store = Store();
  {
    const RawDb other(path_);
    other.Run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    ExpectError(store->Lines(), ErrorCode::kIo, "is locked");
    ExpectError(store->Write(LineWithPoints("k", 1, 1)), ErrorCode::kIo, "is locked");
    other.Run("COMMIT");
  }
  EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  ExpectOk(store->Write(LineWithPoints("k2", 1, 3)));
}

TEST_F(SqliteFaultsTest, ReadersDoNotWaitForAWriter) {
  const auto store = Store();
  ExpectOk(store->Write(LineWithPoints("k", 1, 3)));
  const RawDb other(path_);
  other.Run("BEGIN IMMEDIATE");
  EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  ExpectError(store->Write(LineWithPoints("k2", 1, 3)), ErrorCode::kIo, "is locked");
  EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  other.Run("COMMIT");
  ExpectOk(store->Write(LineWithPoints("k2", 1, 3)));
}

// A reader that holds an old state keeps the -wal file from being cut, nothing more.
TEST_F(SqliteFaultsTest, AReaderDoesNotFailPrune) {
  const auto store = Store();
  ExpectOk(store->Write(LineWithPoints("k", 1, 3)));
  const RawDb other(path_);
  other.Run("BEGIN; SELECT * FROM line");
  ExpectOk(store->Write(LineWithPoints("k2", 1, 3)));
  ExpectOk(store->Prune(kNow));
  other.Run("COMMIT");
}

TEST_F(SqliteFaultsTest, AFileDeletedInUseFailsOneWriteAndIsBegunAgain) {
  const auto store = Store();
  ExpectOk(store->Write(LineWithPoints("k", 1, 3)));
  std::filesystem::remove(path_);
  ExpectError(store->Write(LineWithPoints("k2", 1, 3)), ErrorCode::kIo, "moved or deleted");
  ExpectOk(store->Write(LineWithPoints("k3", 1, 3)));
  EXPECT_THAT(Keys(store.get()), ElementsAre("k3"));
  EXPECT_THAT(Keys(Store().get()), ElementsAre("k3"));
}

TEST_F(SqliteFaultsTest, AReadOnlyFileIsRead) {
  HistoryChanges changes = LineWithPoints("k", 2, 3);
  changes.begun.push_back({"place", 1});
  ExpectOk(Store()->Write(changes));
  using std::filesystem::perms;
  std::filesystem::permissions(path_, perms::owner_read | perms::group_read | perms::others_read);
  for (const bool folder_too : {true, false}) {
    std::filesystem::permissions(folder_,
                                 folder_too ? perms(0555) : perms(0777));  // NOLINT: an octal mode
    const AsNobody nobody;
    const auto store = Store();
    EXPECT_THAT(Keys(store.get()), ElementsAre("k")) << folder_too;
    EXPECT_THAT(SubjectsOf(store.get(), "k"), SizeIs(2));
    const auto findings = store->Findings();
    ASSERT_TRUE(findings.ok());
    EXPECT_THAT(*findings, SizeIs(1));
    ExpectError(store->Write(changes), ErrorCode::kIo, "read-only");
    ExpectError(store->Prune(kNow), ErrorCode::kIo, "read-only");
    EXPECT_THAT(Keys(store.get()), ElementsAre("k"));
  }
}

TEST_F(SqliteFaultsTest, AReadOnlyStoreHealsWhenItMayWrite) {
  ExpectOk(Store()->Write(LineWithPoints("k", 2, 3)));
  using std::filesystem::perms;
  std::filesystem::permissions(path_, perms(0444));
  std::filesystem::permissions(folder_, perms(0555));
  const auto store = Store();
  {
    const AsNobody nobody;
    ExpectError(store->Write(LineWithPoints("k", 2, 3)), ErrorCode::kIo, "read-only");
  }
  std::filesystem::permissions(folder_, perms(0777));
  std::filesystem::permissions(path_, perms(0666));
  const AsNobody nobody;
  ExpectOk(store->Write(LineWithPoints("k2", 2, 3)));
  EXPECT_THAT(Keys(store.get()), ElementsAre("k", "k2"));
}

TEST_F(SqliteFaultsTest, WhereNothingMayBeMadeItSaysSo) {
  using std::filesystem::perms;
  std::filesystem::permissions(folder_, perms(0555));
  {
    const AsNobody nobody;
    ExpectAllFail(Store().get(), ErrorCode::kIo, "folder is not writable");
  }
  std::filesystem::permissions(folder_, perms(0777));
  SetBytes("secret");
  std::filesystem::permissions(path_, perms(0000));
  const AsNobody nobody;
  ExpectAllFail(Store().get(), ErrorCode::kIo, "Permission denied");
}

// Runs `body` in a child: limits and mounts are its alone. `body` returns what went wrong.
void InChild(const std::function<std::string()>& body, std::string* outcome) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::string text = body();
    const bool sent = write(ends[1], text.data(), text.size()) >= 0;
    _exit(sent ? 0 : 1);
  }
  close(ends[1]);
  char buffer[1024];
  for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    outcome->append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state) && WEXITSTATUS(state) == 0) << state;
}

// Writes until it fails for want of room, makes room, and goes on. The first failure may make room
// itself: it moves what -wal holds.
std::string FillUpAndHeal(HistoryStore* store, const std::function<HistoryChanges(int)>& changes,
                          const std::function<void()>& make_room) {
  int written = 0;
  Status status = OkStatus();
  for (; written < 200; ++written) {
    status = store->Write(changes(written));
    if (!status.ok()) status = store->Write(changes(written));
    if (!status.ok()) break;
  }
  if (status.ok()) return "never full";
  if (status.error().code != ErrorCode::kIo ||
      status.error().message.find("no room to write") == std::string::npos) {
    return status.error().ToString();
  }
  const auto lines = store->Lines();
  if (!lines.ok()) return "full, cannot be read: " + lines.error().ToString();
  if (static_cast<int>(lines->size()) != written) return "full: half a write, or one lost";
  make_room();
  status = store->Write(changes(written));
  if (!status.ok()) return "not healed: " + status.error().ToString();
  if (static_cast<int>(store->Lines()->size()) != written + 1) return "healed: a line is missing";
  return "healed";
}

TEST_F(SqliteFaultsTest, ALimitOnTheFilesSizeHeals) {
  std::string outcome;
  InChild(
      [&] {
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        const rlim_t before = limit.rlim_cur;
        limit.rlim_cur = 1'000'000;
        setrlimit(RLIMIT_FSIZE, &limit);
        const auto store = Store();
        return FillUpAndHeal(
            store.get(), [](int i) { return LineWithPoints("k" + std::to_string(i), 4, 500); },
            [&] {
              limit.rlim_cur = before;
              setrlimit(RLIMIT_FSIZE, &limit);
            });
      },
      &outcome);
  EXPECT_EQ(outcome, "healed");
  const RawDb raw(path_);
  EXPECT_EQ(raw.Text("PRAGMA integrity_check"), "ok");
}

TEST_F(SqliteFaultsTest, AFullDiskHeals) {
  std::string outcome;
  InChild(
      [&]() -> std::string {
        if (unshare(CLONE_NEWNS) != 0 ||
            mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount("none", folder_.c_str(), "tmpfs", 0, "size=2m") != 0) {
          return "cannot mount";
        }
        const std::filesystem::path ballast = folder_ / "ballast";
        std::ofstream(ballast) << std::string(1 << 20, 'x');
        const auto store = Store();
        return FillUpAndHeal(
            store.get(), [](int i) { return LineWithPoints("k" + std::to_string(i), 4, 200); },
            [&] { std::filesystem::remove(ballast); });
      },
      &outcome);
  if (outcome == "cannot mount") GTEST_SKIP() << "a tmpfs cannot be mounted here (not root)";
  EXPECT_EQ(outcome, "healed");
}

}  // namespace
}  // namespace fss
