#include "sidecar/analysis/sqlite_history_store.h"

#include <utility>
#include <vector>

#include "sidecar/analysis/sqlite_db.h"
#include "sidecar/analysis/sqlite_pruner.h"
#include "sidecar/analysis/sqlite_reader.h"
#include "sidecar/analysis/sqlite_schema.h"
#include "sidecar/analysis/sqlite_writer.h"

namespace fss {
namespace {

class SqliteHistoryStore : public HistoryStore {
 public:
  explicit SqliteHistoryStore(HistoryOptions options)
      : options_(std::move(options)), pruner_({options_.retention_ms, options_.max_bytes}) {}

  Result<std::vector<LineRecord>> Lines() override {
    return Read([&](SqliteDb* db) { return ReadLines(db, options_.cluster); });
  }

  Result<std::vector<SubjectRecord>> Subjects(const std::string& line) override {
    return Read([&](SqliteDb* db) { return ReadSubjects(db, options_.cluster, line); });
  }

  Result<std::vector<HistoryChanges::FirstSeen>> Findings() override {
    return Read([&](SqliteDb* db) { return ReadFindings(db, options_.cluster); });
  }

  Status Write(const HistoryChanges& changes) override {
    if (changes.empty()) return OkStatus();
    if (db_ != nullptr && db_->HasMoved()) {
      db_->Fail(ErrorCode::kIo, "was moved or deleted while in use");
      return Finish();
    }
    SqliteDb* db = ReadyToWrite();
    if (db->ok()) WriteChanges(db, options_.cluster, changes);
    return Finish();
  }

  Status Prune(std::int64_t now_ms) override {
    SqliteDb* db = ReadyToWrite();
    if (db->ok()) pruner_.Prune(db, now_ms);
    return Finish();
  }

 private:
  template <typename Reader>
  auto Read(const Reader& reader) -> Result<decltype(reader(nullptr))> {
    SqliteDb* db = Ready();
    decltype(reader(nullptr)) found;
    if (db->ok()) found = reader(db);
    const Status status = Finish();
    if (!status.ok()) return status.error();
    return found;
  }

  // Never null.
  SqliteDb* Ready() {
    if (db_ != nullptr && db_->HasMoved()) db_.reset();
    if (db_ == nullptr) db_ = OpenHistory(options_.path);
    return db_.get();
  }

  SqliteDb* ReadyToWrite() {
    SqliteDb* db = Ready();
    if (db->ok() && db->read_only()) {
      db->Fail(ErrorCode::kIo, "cannot be written to: it or its folder is read-only");
    }
    // Writing to a file that was found broken would make it worse, even where it can be written.
    if (db->ok() && found_broken_) {
      db->StartCount();
      SqliteQuery check = db->Query("PRAGMA quick_check(1)");
      const bool whole = check.Next() && check.Bytes(0) == "ok";
      if (!whole) db->Fail(ErrorCode::kMalformed, "is broken");
      if (whole) found_broken_ = false;
    }
    return db;
  }

  // The outcome of a call. A connection with an error is closed; so is one that reads without
  // locks, because the file may become writable.
  Status Finish() {
    Status status = db_->status();
    if (!status.ok() && status.error().code == ErrorCode::kMalformed) {
      found_broken_ = true;
      db_->KeepTidy(false);
    }
    if (!status.ok() || db_->read_only()) db_.reset();
    return status;
  }

  HistoryOptions options_;
  SqlitePruner pruner_;
  std::unique_ptr<SqliteDb> db_;  // null: to be opened
  bool found_broken_ = false;
};

}  // namespace

std::unique_ptr<HistoryStore> NewSqliteHistoryStore(HistoryOptions options) {
  return std::make_unique<SqliteHistoryStore>(std::move(options));
}

}  // namespace fss
