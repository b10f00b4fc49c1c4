#include "sidecar/analysis/sqlite_schema.h"

#include <cstdint>
#include <string_view>

namespace fss {
namespace {

constexpr std::int64_t kApplicationId = 0x46535368;  // "FSSh"
constexpr std::int64_t kSchemaVersion = 1;

// In one transaction with what marks the file as ours.
//
// Points lie by line and time: a poll adds to the end of a line's points all of its subjects, which
// then share a page, where order by subject would touch a page for each. 24 bytes a point: `low` is
// NULL where it equals `mid`, `weight` where it is 1, and SQLite keeps whole numbers in REAL
// columns short.
//
// A line without job_name has sizes but no record yet. `last_ms` is in front of the texts so that
// it is found without reading them.
constexpr const char* kSchema = R"(
CREATE TABLE cluster(id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE) STRICT;
CREATE TABLE line(
  id INTEGER PRIMARY KEY, cluster INTEGER NOT NULL, last_ms INTEGER NOT NULL, key BLOB NOT NULL,
  job_name BLOB, UNIQUE(cluster, key)) STRICT;
CREATE INDEX line_by_age ON line(last_ms);
CREATE TABLE run(
  line INTEGER NOT NULL, seq INTEGER NOT NULL, job_id BLOB NOT NULL, start_ms INTEGER NOT NULL,
  with_state INTEGER NOT NULL, PRIMARY KEY(line, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE subject(
  line INTEGER NOT NULL, vertex BLOB NOT NULL, entry BLOB NOT NULL, no INTEGER NOT NULL,
  PRIMARY KEY(line, vertex, entry)) STRICT, WITHOUT ROWID;
CREATE TABLE point(
  line INTEGER NOT NULL, t_ms INTEGER NOT NULL, subject INTEGER NOT NULL, mid REAL NOT NULL,
  low REAL, weight INTEGER, PRIMARY KEY(line, t_ms, subject)) STRICT, WITHOUT ROWID;
CREATE TABLE savepoint(
  line INTEGER NOT NULL, t_ms INTEGER NOT NULL, job_id BLOB NOT NULL, id INTEGER NOT NULL,
  bytes INTEGER NOT NULL, PRIMARY KEY(line, t_ms, job_id, id)) STRICT, WITHOUT ROWID;
CREATE TABLE finding(
  cluster INTEGER NOT NULL, place BLOB NOT NULL, first_seen_ms INTEGER NOT NULL,
  PRIMARY KEY(cluster, place)) STRICT, WITHOUT ROWID;
)";

enum class Content { kNothing, kHistory, kOther };

std::uint32_t BigEndian(const std::string& bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    number = number << 8U | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

// Another application's database by its header alone. To ask it with SQL could already change it:
// SQLite rolls back what a crashed writer left. A history has its mark before anything else: it is
// begun without a -wal file.
bool HeaderIsForeign(const std::string& header) {
  constexpr std::size_t kHeaderBytes = 100;
  constexpr std::size_t kSchemaCookieAt = 40;
  constexpr std::size_t kApplicationIdAt = 68;
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  if (header.size() < kHeaderBytes || !std::string_view(header).starts_with(kMagic)) {
    return false;  // SQLite tells better what it is
  }
  const std::uint32_t id = BigEndian(header, kApplicationIdAt);
  return id != kApplicationId && (id != 0 || BigEndian(header, kSchemaCookieAt) != 0);
}

void FailForeign(SqliteDb* db) {
  db->Fail(ErrorCode::kMalformed, "is another application's SQLite database, not a history");
}

Content LookInside(SqliteDb* db) {
  const std::int64_t id = db->Number("PRAGMA application_id");
  const std::int64_t version = db->Number("PRAGMA user_version");
  if (id == kApplicationId) {
    if (version == kSchemaVersion) return Content::kHistory;
    db->Fail(ErrorCode::kMalformed,
             "has schema " + std::to_string(version) + ", this program knows only " +
                 std::to_string(kSchemaVersion) +
                 (version > kSchemaVersion ? ": a newer program wrote it" : ""));
    return Content::kOther;
  }
  const bool empty =
      id == 0 && version == 0 && db->Number("SELECT count(*) FROM sqlite_schema") == 0;
  if (empty && db->ok()) return Content::kNothing;
  if (db->ok()) FailForeign(db);
  return Content::kOther;
}

void Begin(SqliteDb* db) {
  if (db->read_only()) {
    db->Fail(ErrorCode::kIo, "is empty and cannot be written to");
    return;
  }
  db->Exec("PRAGMA auto_vacuum = INCREMENTAL");  // must be before the first table
  SqliteTransaction transaction(db, SqliteTransaction::Kind::kWrite);
  if (LookInside(db) != Content::kNothing) return;  // another process was faster
  db->Exec(kSchema);
  db->Exec("PRAGMA application_id = " + std::to_string(kApplicationId));
  db->Exec("PRAGMA user_version = " + std::to_string(kSchemaVersion));
  transaction.Commit();
}

std::unique_ptr<SqliteDb> OpenChecked(const std::string& path, SqliteDb::Mode mode) {
  std::unique_ptr<SqliteDb> db = SqliteDb::Open(path, mode);
  if (!db->ok()) return db;
  if (HeaderIsForeign(db->RawHeader())) {
    FailForeign(db.get());
    return db;
  }
  if (LookInside(db.get()) == Content::kNothing) Begin(db.get());
  return db;
}

}  // namespace

std::unique_ptr<SqliteDb> OpenHistory(const std::string& path) {
  std::unique_ptr<SqliteDb> db = OpenChecked(path, SqliteDb::Mode::kReadWrite);
  // A folder that is read-only: SQLite cannot make the -wal file, not even to read. When there is
  // none, nobody writes, and the file alone is all there is.
  if (db->cannot_make_files() && db->FileExists(path) && !db->FileExists(path + "-wal")) {
    std::unique_ptr<SqliteDb> only_read = OpenChecked(path, SqliteDb::Mode::kImmutable);
    if (only_read->ok()) db = std::move(only_read);
  }
  if (!db->ok()) return db;
  if (!db->read_only()) {
    // Readers and a writer do not wait for each other. Where the file system cannot share memory
    // the mode stays as it is, and they do wait.
    db->Exec("PRAGMA journal_mode = WAL");
    // What a killed process wrote is there; what was written in the last seconds before the
    // machine lost power may not be, but the file is whole.
    db->Exec("PRAGMA synchronous = NORMAL");
    db->Exec("PRAGMA journal_size_limit = 8388608");
    db->Exec("PRAGMA secure_delete = OFF");
    db->KeepTidy(true);
  }
  db->Exec("PRAGMA cache_size = -8192");
  return db;
}

}  // namespace fss
