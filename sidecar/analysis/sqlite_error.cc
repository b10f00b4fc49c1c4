#include "sidecar/analysis/sqlite_error.h"

#include <sqlite3.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxDetailBytes = 200;

int LastErrnoOf(sqlite3* db, int which) {
  sqlite3_file* file = nullptr;
  int number = 0;
  if (sqlite3_file_control(db, "main", which, &file) != SQLITE_OK || file == nullptr ||
      file->pMethods == nullptr ||
      file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) != SQLITE_OK) {
    return 0;
  }
  return number;
}

// The system's number for it. SQLite (3.40) forgets to note that of a failed commit; the files
// still know.
int SystemNumber(sqlite3* db, int code) {
  if (db == nullptr) return 0;
  int number = sqlite3_system_errno(db);
  if ((code & 0xff) != SQLITE_IOERR) return number;
  if (number == 0) number = LastErrnoOf(db, SQLITE_FCNTL_JOURNAL_POINTER);
  if (number == 0) number = LastErrnoOf(db, SQLITE_FCNTL_FILE_POINTER);
  return number;
}

// What the system said; "" when it said nothing.
std::string SystemText(int number) {
  return number == 0 ? std::string() : ": " + std::generic_category().message(number);
}

bool NoSpace(int number) { return number == ENOSPC || number == EFBIG || number == EDQUOT; }

Error CannotOpen(int number) {
  if (number == EISDIR) return {ErrorCode::kIo, "is a folder, not a file", ""};
  if (number == ENOENT || number == ENOTDIR) {
    return {ErrorCode::kIo, "its folder does not exist", ""};
  }
  return {ErrorCode::kIo, "cannot be opened" + SystemText(number), ""};
}

Error IoFailed(int code, int number) {
  if (code == SQLITE_IOERR_CORRUPTFS) return {ErrorCode::kMalformed, "is broken", ""};
  if (NoSpace(number)) {
    return {ErrorCode::kIo, "no room to write" + SystemText(number), ""};
  }
  return {ErrorCode::kIo, "cannot be read or written" + SystemText(number), ""};
}

}  // namespace

Error SqliteError(sqlite3* db, int code) {
  const int number = SystemNumber(db, code);
  const std::string detail =
      OneLine(db == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(db), kMaxDetailBytes);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {ErrorCode::kIo, "is locked by another process", ""};
    case SQLITE_FULL:
      return {ErrorCode::kIo, "no room to write: the disk is full", ""};
    case SQLITE_READONLY:
      if (code == SQLITE_READONLY_DBMOVED) {
        return {ErrorCode::kIo, "was moved or deleted while in use", ""};
      }
      return {ErrorCode::kIo, "cannot be written to: it or its folder is read-only", ""};
    case SQLITE_CANTOPEN:
      return CannotOpen(code == SQLITE_CANTOPEN_ISDIR ? EISDIR : number);
    case SQLITE_IOERR:
      return IoFailed(code, number);
    case SQLITE_NOTADB:
      return {ErrorCode::kMalformed, "is not an SQLite file", ""};
    case SQLITE_INTERRUPT:
      return {ErrorCode::kMalformed, "is broken: a query does not end", ""};
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // a table or a column that is not there
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_SCHEMA:
    case SQLITE_FORMAT:
    case SQLITE_TOOBIG:
      return {ErrorCode::kMalformed, "is broken: " + detail, ""};
    default:
      return {ErrorCode::kIo, detail, ""};
  }
}

}  // namespace fss
