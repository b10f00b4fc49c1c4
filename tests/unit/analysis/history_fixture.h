// A temporary folder with a history file, and a look at it past the store.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/analysis/sqlite_history_store.h"

namespace fss {

inline constexpr std::int64_t kNow = 1'790'000'000'000;

inline bool operator==(const LineRecord& a, const LineRecord& b) {
  return a.key == b.key && a.job_name == b.job_name && a.runs == b.runs && a.last_ms == b.last_ms;
}

// A connection as any other program's.
class RawDb {
 public:
  explicit RawDb(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &db_), SQLITE_OK);
  }
  ~RawDb() { sqlite3_close(db_); }
  RawDb(const RawDb&) = delete;
  RawDb& operator=(const RawDb&) = delete;

  int Try(const std::string& sql) const {
    return sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  }
  void Run(const std::string& sql) const {
    EXPECT_EQ(Try(sql), SQLITE_OK) << sql << ": " << sqlite3_errmsg(db_);
  }
  // The first column of the first row.
  std::string Text(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(db_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK) << sql;
    std::string text;
    if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_bytes(statement, 0) > 0) {
      text = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
    }
    sqlite3_finalize(statement);
    return text;
  }
  std::int64_t Number(const std::string& sql) const {
    const std::string text = Text(sql);
    return text.empty() ? 0 : std::stoll(text);
  }

 private:
  sqlite3* db_ = nullptr;
};

// In memory where there is such a folder: for tests that write much or open often.
inline std::string FastTempDir() {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : testing::TempDir();
}

class HistoryFileTest : public testing::Test {
 protected:
  explicit HistoryFileTest(const std::string& where = testing::TempDir()) {
    std::string pattern = where + "history_test.XXXXXX";
    folder_ = mkdtemp(pattern.data());
    path_ = folder_ / "history.db";
  }
  ~HistoryFileTest() override {
    std::error_code ignored;
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(folder_, ignored);
  }

  std::unique_ptr<HistoryStore> Store(HistoryOptions options = {}) const {
    if (options.path.empty()) options.path = path_;
    if (options.cluster.empty()) options.cluster = "prod";
    return NewSqliteHistoryStore(std::move(options));
  }

  static LineRecord Line(const std::string& key, std::int64_t last_ms = kNow) {
    LineRecord line;
    line.key = key;
    line.job_name = "job of " + key;
    line.runs.push_back({"a1", 1000, false});
    line.last_ms = last_ms;
    return line;
  }

  // A text for appends, which hold views of it. From any thread.
  static std::string_view Kept(const std::string& text) {
    static std::mutex mutex;
    static std::set<std::string> kept;
    const std::lock_guard lock(mutex);
    return *kept.insert(text).first;
  }

  // `points` appends, one a minute up to and including `last_ms`, for each of `subjects`.
  static HistoryChanges LineWithPoints(const std::string& key, int subjects, int points,
                                       std::int64_t last_ms = kNow) {
    HistoryChanges changes;
    changes.lines.push_back(Line(key, last_ms));
    for (int p = 0; p < points; ++p) {
      for (int s = 0; s < subjects; ++s) {
        const std::int64_t bytes = 1'000'000 + std::int64_t{s} * 1000 + p;
        changes.appended.push_back({Kept(key),
                                    {Kept("vertex" + std::to_string(s)), ""},
                                    last_ms - std::int64_t{points - 1 - p} * 60'000,
                                    p + 1,
                                    bytes});
      }
    }
    return changes;
  }

  static void ExpectOk(const Status& status) {
    EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.error().ToString());
  }

  static void ExpectError(const Status& status, ErrorCode code, const std::string& text) {
    ASSERT_FALSE(status.ok()) << "expected: " << text;
    EXPECT_EQ(status.error().code, code) << status.error().ToString();
    EXPECT_THAT(status.error().message, testing::HasSubstr(text));
    EXPECT_THAT(status.error().context, testing::HasSubstr("history"));
    EXPECT_EQ(status.error().ToString().find('\n'), std::string::npos);
  }
  template <typename T>
  static void ExpectError(const Result<T>& result, ErrorCode code, const std::string& text) {
    ExpectError(result.ok() ? OkStatus() : Status(result.error()), code, text);
  }

  static std::vector<std::string> Keys(HistoryStore* store) {
    const auto lines = store->Lines();
    if (!lines.ok()) return {"error: " + lines.error().ToString()};
    std::vector<std::string> keys;
    for (const LineRecord& line : *lines) keys.push_back(line.key);
    return keys;
  }

  static std::vector<SubjectRecord> SubjectsOf(HistoryStore* store, const std::string& line) {
    auto subjects = store->Subjects(line);
    EXPECT_TRUE(subjects.ok()) << subjects.error().ToString();
    return subjects.ok() ? *subjects : std::vector<SubjectRecord>();
  }

  std::string Bytes() const { return BytesOf(path_); }
  static std::string BytesOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void SetBytes(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

}  // namespace fss
