#include "sidecar/analysis/sqlite_history_store.h"

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "sidecar/analysis/sqlite_db.h"
#include "sidecar/analysis/sqlite_pruner.h"
#include "sidecar/analysis/sqlite_reader.h"
#include "sidecar/analysis/sqlite_schema.h"
#include "sidecar/analysis/sqlite_writer.h"

namespace fss {

class HistoryFile {
 public:
  explicit HistoryFile(HistoryOptions options)
      : options_(std::move(options)), pruner_({options_.retention_ms, options_.max_bytes}) {}

  // One call at a time: hold it over all that follows.
  std::mutex& mutex() { return mutex_; }

  // How often the file was found moved or deleted while in use.
  std::uint64_t moves() const { return moves_; }
  void LookWhetherMoved() {
    if (db_ == nullptr || !db_->HasMoved()) return;
    db_.reset();
    ++moves_;
  }

  // Never null.
  SqliteDb* Ready() {
    LookWhetherMoved();
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

  void Prune(SqliteDb* db, std::int64_t now_ms) { pruner_.Prune(db, now_ms); }

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

  Error Moved() const {
    return {ErrorCode::kIo, "was moved or deleted while in use", options_.path};
  }

 private:
  HistoryOptions options_;
  SqlitePruner pruner_;
  std::mutex mutex_;
  std::unique_ptr<SqliteDb> db_;  // null: to be opened
  bool found_broken_ = false;
  std::uint64_t moves_ = 0;
};

namespace {

class SqliteHistoryStore : public HistoryStore {
 public:
  SqliteHistoryStore(std::shared_ptr<HistoryFile> file, std::string cluster)
      : file_(std::move(file)), cluster_(std::move(cluster)) {}

  Result<std::vector<LineRecord>> Lines() override {
    return Read([&](SqliteDb* db) { return ReadLines(db, cluster_); });
  }

  Result<std::vector<SubjectRecord>> Subjects(const std::string& line) override {
    return Read([&](SqliteDb* db) { return ReadSubjects(db, cluster_, line); });
  }

  Result<std::vector<HistoryChanges::FirstSeen>> Findings() override {
    return Read([&](SqliteDb* db) { return ReadFindings(db, cluster_); });
  }

  Status Write(const HistoryChanges& changes) override {
    if (changes.empty()) return OkStatus();
    const std::lock_guard lock(file_->mutex());
    file_->LookWhetherMoved();
    // Each store says so once, whichever of them saw it.
    if (touched_ && moves_ != file_->moves()) {
      touched_ = false;
      return file_->Moved();
    }
    SqliteDb* db = file_->ReadyToWrite();
    if (db->ok()) WriteChanges(db, cluster_, changes);
    return Touched(file_->Finish());
  }

  Status Prune(std::int64_t now_ms) override {
    const std::lock_guard lock(file_->mutex());
    SqliteDb* db = file_->ReadyToWrite();
    if (db->ok()) file_->Prune(db, now_ms);
    return file_->Finish();
  }

 private:
  template <typename Reader>
  auto Read(const Reader& reader) -> Result<decltype(reader(nullptr))> {
    const std::lock_guard lock(file_->mutex());
    SqliteDb* db = file_->Ready();
    decltype(reader(nullptr)) found;
    if (db->ok()) found = reader(db);
    const Status status = Touched(file_->Finish());
    if (!status.ok()) return status.error();
    return found;
  }

  Status Touched(Status status) {
    if (status.ok() && !touched_) {
      touched_ = true;
      moves_ = file_->moves();
    }
    return status;
  }

  const std::shared_ptr<HistoryFile> file_;
  const std::string cluster_;
  bool touched_ = false;     // its caller takes something to be in the file
  std::uint64_t moves_ = 0;  // the file's since then
};

}  // namespace

std::shared_ptr<HistoryFile> NewHistoryFile(HistoryOptions options) {
  return std::make_shared<HistoryFile>(std::move(options));
}

std::unique_ptr<HistoryStore> NewSqliteHistoryStore(std::shared_ptr<HistoryFile> file,
                                                    std::string cluster) {
  return std::make_unique<SqliteHistoryStore>(std::move(file), std::move(cluster));
}

std::unique_ptr<HistoryStore> NewSqliteHistoryStore(HistoryOptions options) {
  std::string cluster = options.cluster;
  return NewSqliteHistoryStore(NewHistoryFile(std::move(options)), std::move(cluster));
}

}  // namespace fss
