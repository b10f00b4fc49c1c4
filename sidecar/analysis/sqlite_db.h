// One connection to an SQLite file, with prepared statements that are kept.
//
// The first error sticks: from then on no statement does anything and no row comes, so that a
// caller runs a whole batch and asks status() once at its end. A connection with an error is of no
// more use: destroy it and open another. Errors are kIo (locked, full, not writable, no such
// folder: may pass) or kMalformed (no SQLite file, or a broken one), with the file as context.
//
// Not thread safe.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace fss {

class SqliteDb;

// One use of a prepared statement; its end makes the statement free again. Bound bytes must
// outlive it. Columns count from 0, parameters from 1.
class SqliteQuery {
 public:
  SqliteQuery(SqliteDb* db, sqlite3_stmt* statement) : db_(db), statement_(statement) {}
  ~SqliteQuery();
  SqliteQuery(SqliteQuery&& other) noexcept
      : db_(other.db_), statement_(std::exchange(other.statement_, nullptr)) {}
  SqliteQuery(const SqliteQuery&) = delete;
  SqliteQuery& operator=(const SqliteQuery&) = delete;
  SqliteQuery& operator=(SqliteQuery&&) = delete;

  template <std::integral T>
  void Bind(int at, T value) {
    BindInt(at, static_cast<std::int64_t>(value));
  }
  void Bind(int at, double value);
  void Bind(int at, std::string_view bytes);
  // NULL when absent.
  template <typename T>
  void Bind(int at, const std::optional<T>& value) {
    if (value) Bind(at, *value);
  }

  // Steps to the next row. False: there is none, or an error came.
  bool Next();

  // Of the row. A broken file has any type anywhere: what does not fit is 0, "" or absent.
  std::int64_t Int(int column) const;
  std::optional<double> Real(int column) const;  // absent: NULL
  std::string Bytes(int column) const;
  bool Null(int column) const;

 private:
  void BindInt(int at, std::int64_t value);

  SqliteDb* db_;
  sqlite3_stmt* statement_;  // null after an error
};

class SqliteDb {
 public:
  enum class Mode {
    kReadWrite,  // made when it is not there; what may only be read is opened to be read
    kImmutable,  // only read, without locks: for a file that nobody can write to
  };

  // Never null; status() says whether it is open. Reads and changes nothing yet.
  static std::unique_ptr<SqliteDb> Open(const std::string& path, Mode mode);

  // Leaves -wal and -shm as they are unless KeepTidy() was called.
  ~SqliteDb();
  SqliteDb(const SqliteDb&) = delete;
  SqliteDb& operator=(const SqliteDb&) = delete;

  bool ok() const { return !error_.has_value(); }
  Status status() const;
  void Fail(ErrorCode code, std::string message);
  void FailWith(int sqlite_code);  // the error of the connection's last call
  // The error may come from what SQLite has to make beside the file, even to read it.
  bool cannot_make_files() const { return cannot_make_files_; }

  // `sql` must live for ever: statements are known by its address.
  template <typename... Args>
  SqliteQuery Query(const char* sql, const Args&... args) {
    SqliteQuery query(this, Prepared(sql));
    int at = 0;
    (query.Bind(++at, args), ...);
    return query;
  }

  // Runs to the end; returns how many rows it changed.
  template <typename... Args>
  std::int64_t Run(const char* sql, const Args&... args) {
    SqliteQuery query = Query(sql, args...);
    while (query.Next()) {
    }
    return ok() ? Changes() : 0;
  }

  // The first column of the first row; 0 without one.
  template <typename... Args>
  std::int64_t Number(const char* sql, const Args&... args) {
    SqliteQuery query = Query(sql, args...);
    return query.Next() ? query.Int(0) : 0;
  }

  // One or more statements without results, not kept.
  void Exec(const std::string& sql);

  // The first 100 bytes as they are on disk, without a lock; "" for a file without any.
  std::string RawHeader();
  bool FileExists(const std::string& path) const;
  // The file that was opened is no longer at its path.
  bool HasMoved() const;
  bool read_only() const;

  // Moves what the -wal file holds into the file and cuts it to nothing, unless a reader is in the
  // way; waits for none.
  void Checkpoint();
  // The last connection that closes does this too, and removes -wal and -shm.
  void KeepTidy(bool tidy);

  // How long a statement may take is counted from here.
  void StartCount() { ticks_ = 0; }

 private:
  friend class SqliteTransaction;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  struct Kept {
    const char* sql;
    std::unique_ptr<sqlite3_stmt, Finalizer> statement;
  };

  explicit SqliteDb(std::string path) : path_(std::move(path)) {}
  sqlite3_stmt* Prepared(const char* sql);
  std::int64_t Changes() const;
  void RollBack();

  std::string path_;
  sqlite3* db_ = nullptr;
  std::vector<Kept> kept_;
  std::optional<Error> error_;
  bool cannot_make_files_ = false;
  int ticks_ = 0;
};

// Rolled back at its end unless committed.
class SqliteTransaction {
 public:
  enum class Kind {
    kRead,   // one state of the file for several queries
    kWrite,  // waits for another writer at once, for about a second
  };
  SqliteTransaction(SqliteDb* db, Kind kind);
  ~SqliteTransaction();
  SqliteTransaction(const SqliteTransaction&) = delete;
  SqliteTransaction& operator=(const SqliteTransaction&) = delete;

  // False when it, or anything before it, failed.
  bool Commit();

 private:
  SqliteDb* db_;
  bool open_ = false;
};

}  // namespace fss
