// A writer that is killed at any moment, and files with any byte wrong.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <random>
#include <thread>

#include "tests/unit/analysis/history_fixture.h"

#include "sidecar/base/millis.h"

namespace fss {
namespace {

class SqliteCrashTest : public HistoryFileTest {
 protected:
  static constexpr int kSubjects = 40;

  // One batch: a point of each subject at `batch`, the line's last_ms and a finding say its number.
  static HistoryChanges Batch(std::int64_t batch) {
    HistoryChanges changes;
    changes.lines = {Line("k", batch)};
    for (int s = 0; s < kSubjects; ++s) {
      changes.appended.push_back({"k", {Kept("vertex" + std::to_string(s)), ""}, batch, 1, batch});
    }
    // Thinned now and then, as a long line is.
    if (batch % 16 == 0) {
      changes.replaced.push_back({"k", {"thinned", ""}, {{batch - 1, 1, 2, 9}, {batch, 1, 2, 9}}});
    }
    changes.begun = {{"last", batch}};
    return changes;
  }

  // Writes batches from `batch` on for ever, and reports each that is done.
  [[noreturn]] void WriteForEver(std::int64_t batch, int report) const {
    const auto store = Store({"", "", 1'000'000'000'000, 1'000'000'000});
    for (;; ++batch) {
      if (!store->Write(Batch(batch)).ok()) _exit(3);
      if (write(report, &batch, sizeof(batch)) != sizeof(batch)) _exit(4);
      if (batch % 64 == 0 && !store->Prune(batch).ok()) _exit(5);
    }
  }

  // Kills such a writer after `millis` and returns the last batch it reported, 0 without one.
  std::int64_t RunAndKill(std::int64_t first, std::chrono::microseconds wait) const {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    EXPECT_GE(child, 0);
    if (child == 0) {
      close(ends[0]);
      WriteForEver(first, ends[1]);
    }
    close(ends[1]);
    std::this_thread::sleep_for(wait);
    kill(child, SIGKILL);
    int state = 0;
    waitpid(child, &state, 0);
    EXPECT_TRUE(WIFSIGNALED(state)) << "the writer failed itself: " << WEXITSTATUS(state);
    std::int64_t done = 0;
    for (std::int64_t batch = 0; read(ends[0], &batch, sizeof(batch)) == sizeof(batch);) {
      done = batch;
    }
    close(ends[0]);
    return done;
  }
};

TEST_F(SqliteCrashTest, AKilledWriterLeavesWholeBatches) {
  std::mt19937 random(20260101);  // NOLINT(bugprone-random-generator-seed): the same each time
  std::uniform_int_distribution<int> micros(2'000, 90'000);
  std::int64_t first = 1;
  std::int64_t reported = 0;
  int killed_between = 0;
  for (int round = 0; round < 30; ++round) {
    const std::int64_t done = RunAndKill(first, std::chrono::microseconds(micros(random)));
    if (done > 0) reported = done;
    const auto store = Store();
    const auto lines = store->Lines();
    ASSERT_TRUE(lines.ok()) << lines.error().ToString();
    const std::int64_t last = lines->empty() ? 0 : (*lines)[0].last_ms;
    ASSERT_GE(last, reported) << "a batch that was reported as done is missing";
    ASSERT_LE(last, reported + 1);
    killed_between += last > reported ? 1 : 0;
    const auto findings = store->Findings();
    ASSERT_TRUE(findings.ok());
    ASSERT_EQ(findings->size(), last == 0 ? 0U : 1U);
    EXPECT_TRUE(last == 0 || (*findings)[0].first_seen_ms == last);
    std::size_t whole = 0;
    for (const SubjectRecord& subject : SubjectsOf(store.get(), "k")) {
      if (subject.key.vertex_id == "thinned") {
        ASSERT_EQ(subject.points.size(), 2U);
        EXPECT_EQ(subject.points[1].t_ms(), last / 16 * 16);
        continue;
      }
      ++whole;
      const std::size_t expected = std::min<std::size_t>(static_cast<std::size_t>(last), 4096);
      ASSERT_EQ(subject.points.size(), expected) << "half a batch";
      EXPECT_EQ(subject.points.back().t_ms(), last);
      for (const SizePoint& point : subject.points) {
        ASSERT_EQ(point.mid, static_cast<float>(point.t_ms()));
      }
    }
    ASSERT_EQ(whole, last == 0 ? 0U : static_cast<std::size_t>(kSubjects));
    first = last + 1;
    reported = last;
  }
  EXPECT_GT(reported, 100) << "the writer hardly ran";
  RecordProperty("batches", static_cast<int>(reported));
  RecordProperty("killed_between_commit_and_report", killed_between);
  const RawDb raw(path_);
  EXPECT_EQ(raw.Text("PRAGMA integrity_check"), "ok");
}

// Both begin the file, and both write to one of its lines.
TEST_F(SqliteCrashTest, TwoProcessesWriteAtOnce) {
  constexpr int kBatches = 60;
  std::vector<pid_t> children;
  for (int process = 0; process < 2; ++process) {
    children.push_back(fork());
    ASSERT_GE(children.back(), 0);
    if (children.back() == 0) {
      const auto store = Store();
      for (int i = 0; i < kBatches; ++i) {
        const std::string key = "line" + std::to_string(process);
        // A busy machine may let the other one hold its lock for longer than a writer waits.
        const auto must = [](const std::function<Status()>& call) {
          Status status = call();
          for (int again = 0; again < 20 && !status.ok(); ++again) status = call();
          if (!status.ok()) _exit(3);
        };
        must([&] { return store->Write(LineWithPoints(key, 3, 1, kNow + i)); });
        must([&] { return store->Write(LineWithPoints("both", 3, 1, kNow + i)); });
        if (i % 20 == 0) must([&] { return store->Prune(kNow); });
      }
      _exit(0);
    }
  }
  for (const pid_t child : children) {
    int state = 0;
    ASSERT_EQ(waitpid(child, &state, 0), child);
    EXPECT_EQ(state, 0);
  }
  const auto store = Store();
  for (const std::string key : {"line0", "line1", "both"}) {
    const auto subjects = SubjectsOf(store.get(), key);
    ASSERT_EQ(subjects.size(), 3U) << key;
    for (const SubjectRecord& subject : subjects) {
      EXPECT_EQ(subject.points.size(), std::size_t{kBatches}) << key;
    }
  }
}

class SqliteFlippedBytesTest : public HistoryFileTest {
 protected:
  SqliteFlippedBytesTest() : HistoryFileTest(FastTempDir()) {}
};

// Any answer is right but a crash, a hang, or points out of order.
TEST_F(SqliteFlippedBytesTest, NeverCrash) {
  {
    const auto store = Store();
    for (int i = 0; i < 6; ++i) {
      HistoryChanges changes =
          LineWithPoints("k" + std::to_string(i), 4, 40, kNow - i * kMillisPerHour);
      changes.lines[0].job_name = std::string(5000, 'n');
      changes.begun.push_back({"place" + std::to_string(i), 1});
      changes.savepoints.push_back({"k" + std::to_string(i), "a1", 1, kNow, 1});
      ExpectOk(store->Write(changes));
    }
    HistoryChanges changes;
    changes.replaced.push_back({"k1", {"vertex0", ""}, {}});
    ExpectOk(store->Write(changes));
  }
  const std::string good = Bytes();
  std::map<std::string, int> outcomes;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    std::string bad = good;
    const auto flips = seed % 2 == 0 ? 1 : 1 + random() % 24;
    for (std::size_t i = 0; i < flips; ++i) {
      // Every other time in the first bytes of a page, where what is said weighs most.
      std::size_t at = random() % bad.size();
      if (random() % 2 == 0) at = at / 4096 * 4096 + random() % 128;
      bad[at] = static_cast<char>(random());
    }
    if (seed % 8 == 0) bad.resize(random() % bad.size());
    std::filesystem::remove(path_.string() + "-wal");
    std::filesystem::remove(path_.string() + "-shm");
    SetBytes(bad);
    const auto store = Store({"", "", 2 * kMillisPerHour, seed % 3 == 0 ? 20'000 : 1'000'000});
    const auto count = [&](const char* what, const auto& result) {
      ++outcomes[std::string(what) + (result.ok() ? " ok" : " failed")];
      EXPECT_TRUE(result.ok() || !result.error().message.empty());
    };
    for (int i = 0; i < 2; ++i) {
      const auto lines = store->Lines();
      count("Lines", lines);
      for (int k = 0; k < 6; ++k) {
        const auto subjects = store->Subjects("k" + std::to_string(k));
        count("Subjects", subjects);
        if (!subjects.ok()) continue;
        for (const SubjectRecord& subject : *subjects) {
          for (std::size_t p = 1; p < subject.points.size(); ++p) {
            ASSERT_LT(subject.points[p - 1].t_ms(), subject.points[p].t_ms());
          }
        }
      }
      count("Findings", store->Findings());
      HistoryChanges changes =
          LineWithPoints("k" + std::to_string(i), 5, 60, kNow + kMillisPerHour);
      changes.replaced.push_back({"k2", {"vertex1", ""}, {{1, 1, 1}}});
      changes.replaced.push_back({"k3", {"vertex1", ""}, {}});
      changes.ended.push_back("place3");
      changes.begun.push_back({"place9", 1});
      count("Write", store->Write(changes));
      for (int p = 0; p < 3; ++p) count("Prune", store->Prune(kNow + kMillisPerHour));
    }
  }
  for (const auto& [what, times] : outcomes) std::printf("%s: %d\n", what.c_str(), times);
  // Damage is seen, and it does not make everything useless.
  EXPECT_GT(outcomes["Subjects ok"], 0);
  EXPECT_GT(outcomes["Subjects failed"], 0);
  EXPECT_GT(outcomes["Write failed"], 0);
}

}  // namespace
}  // namespace fss
