#include "sidecar/analysis/sqlite_db.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>

#include "sidecar/analysis/sqlite_error.h"

namespace fss {
namespace {

constexpr int kBusyMillis = 1000;
// One text or blob. Flink's answers are limited to less.
constexpr int kMaxValueBytes = 16 << 20;
// A broken file can make a query endless: at most this many steps of SQLite's machine, times the
// ticks. Some 30 s; the longest honest call takes a tenth of it.
constexpr int kStepsPerTick = 1'000'000;
constexpr int kMaxTicks = 1'000;

// Neither a name with a meaning of its own (":memory:") nor a URI.
std::string PlainPath(const std::string& path) { return path[0] == '/' ? path : "./" + path; }

std::string ImmutableUri(const std::string& path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "file:";
  for (const char c : PlainPath(path)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9') || byte == '/' || byte == '.' || byte == '_';
    if (plain) {
      uri += c;
    } else {
      uri.append({'%', kHex[byte >> 4U], kHex[byte & 15U]});
    }
  }
  return uri + "?immutable=1";
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

int CountTick(void* ticks) { return ++*static_cast<int*>(ticks) > kMaxTicks ? 1 : 0; }

}  // namespace

SqliteQuery::~SqliteQuery() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

void SqliteQuery::BindInt(int at, std::int64_t value) {
  if (statement_ == nullptr) return;
  const int code = sqlite3_bind_int64(statement_, at, value);
  if (code != SQLITE_OK) db_->FailWith(code);
}

void SqliteQuery::Bind(int at, double value) {
  if (statement_ == nullptr) return;
  const int code = sqlite3_bind_double(statement_, at, value);
  if (code != SQLITE_OK) db_->FailWith(code);
}

void SqliteQuery::Bind(int at, std::string_view bytes) {
  if (statement_ == nullptr) return;
  // A null pointer would bind NULL instead of an empty blob.
  const char* data = bytes.empty() ? "" : bytes.data();
  const int code = sqlite3_bind_blob64(statement_, at, data, bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) db_->FailWith(code);
}

bool SqliteQuery::Next() {
  if (statement_ == nullptr || !db_->ok()) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) db_->FailWith(code);
  return false;
}

std::int64_t SqliteQuery::Int(int column) const { return sqlite3_column_int64(statement_, column); }

std::optional<double> SqliteQuery::Real(int column) const {
  if (Null(column)) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

std::string SqliteQuery::Bytes(int column) const {
  const void* data = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (data == nullptr || size <= 0) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
}

bool SqliteQuery::Null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

void SqliteDb::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

std::unique_ptr<SqliteDb> SqliteDb::Open(const std::string& path, Mode mode) {
  std::unique_ptr<SqliteDb> db(new SqliteDb(path));
  if (path.empty() || path.find('\0') != std::string::npos) {
    db->Fail(ErrorCode::kIo, "is not the name of a file");
    return db;
  }
  const bool immutable = mode == Mode::kImmutable;
  const int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                    (immutable ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
                               : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  const std::string name = immutable ? ImmutableUri(path) : PlainPath(path);
  const int code = sqlite3_open_v2(name.c_str(), &db->db_, flags, nullptr);
  if (code != SQLITE_OK) {
    // SQLite tries to read what it could not make, and reports the second failure.
    if ((code & 0xff) == SQLITE_CANTOPEN && sqlite3_system_errno(db->db_) == ENOENT &&
        db->FileExists(FolderOf(path))) {
      db->Fail(ErrorCode::kIo, "cannot be made: its folder is not writable");
    }
    db->FailWith(code);
    return db;
  }
  sqlite3_busy_timeout(db->db_, kBusyMillis);
  sqlite3_limit(db->db_, SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_progress_handler(db->db_, kStepsPerTick, CountTick, &db->ticks_);
  // Nothing that a file's schema brings along is run.
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(db->db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  db->KeepTidy(false);
  db->Exec("PRAGMA cell_size_check = ON");
  return db;
}

SqliteDb::~SqliteDb() {
  kept_.clear();
  sqlite3_close_v2(db_);
}

Status SqliteDb::status() const {
  if (error_) return *error_;
  return OkStatus();
}

void SqliteDb::Fail(ErrorCode code, std::string message) {
  if (!error_) error_ = Error{code, std::move(message), path_};
}

void SqliteDb::FailWith(int sqlite_code) {
  if (error_) return;
  error_ = SqliteError(db_, sqlite_code);
  error_->context = path_;
  const int primary = sqlite_code & 0xff;
  cannot_make_files_ = primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY;
}

sqlite3_stmt* SqliteDb::Prepared(const char* sql) {
  if (error_) return nullptr;
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.sql == sql; });
  if (found != kept_.end()) {
    assert(sqlite3_stmt_busy(found->statement.get()) == 0);
    return found->statement.get();
  }
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) {
    FailWith(code);
    return nullptr;
  }
  kept_.push_back({sql, std::unique_ptr<sqlite3_stmt, Finalizer>(statement)});
  return statement;
}

std::int64_t SqliteDb::Changes() const { return sqlite3_changes64(db_); }

void SqliteDb::Exec(const std::string& sql) {
  if (error_) return;
  const int code = sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) FailWith(code);
}

std::string SqliteDb::RawHeader() {
  constexpr int kHeaderBytes = 100;
  if (error_) return {};
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(db_, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      file == nullptr || file->pMethods == nullptr) {
    return {};
  }
  sqlite3_int64 size = 0;
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK || size <= 0) return {};
  std::array<char, kHeaderBytes> bytes{};
  const int wanted = static_cast<int>(std::min<sqlite3_int64>(size, kHeaderBytes));
  if (file->pMethods->xRead(file, bytes.data(), wanted, 0) != SQLITE_OK) return {};
  return {bytes.data(), static_cast<std::size_t>(wanted)};
}

bool SqliteDb::FileExists(const std::string& path) const {
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  int exists = 0;
  return vfs != nullptr &&
         vfs->xAccess(vfs, PlainPath(path).c_str(), SQLITE_ACCESS_EXISTS, &exists) == SQLITE_OK &&
         exists != 0;
}

bool SqliteDb::HasMoved() const {
  int moved = 0;
  return sqlite3_file_control(db_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
         moved != 0;
}

bool SqliteDb::read_only() const { return sqlite3_db_readonly(db_, "main") != 0; }

void SqliteDb::Checkpoint() {
  if (error_) return;
  sqlite3_busy_timeout(db_, 0);
  const int code =
      sqlite3_wal_checkpoint_v2(db_, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(db_, kBusyMillis);
  const int primary = code & 0xff;
  if (primary != SQLITE_OK && primary != SQLITE_BUSY && primary != SQLITE_LOCKED) FailWith(code);
}

void SqliteDb::KeepTidy(bool tidy) {
  if (db_ == nullptr) return;
  sqlite3_db_config(db_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, tidy ? 0 : 1, nullptr);
}

void SqliteDb::RollBack() { sqlite3_exec(db_, "ROLLBACK", nullptr, nullptr, nullptr); }

SqliteTransaction::SqliteTransaction(SqliteDb* db, Kind kind) : db_(db) {
  db_->StartCount();
  db_->Run(kind == Kind::kRead ? "BEGIN" : "BEGIN IMMEDIATE");
  open_ = db_->ok();
}

SqliteTransaction::~SqliteTransaction() {
  if (open_) db_->RollBack();
}

bool SqliteTransaction::Commit() {
  if (!db_->ok()) return false;
  db_->Run("COMMIT");
  open_ = !db_->ok();
  return db_->ok();
}

}  // namespace fss
