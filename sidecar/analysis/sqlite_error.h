// What an SQLite error means, in one line for people.
#pragma once

#include "sidecar/base/result.h"

struct sqlite3;

namespace fss {

// The error of `db`'s last call, which returned `code` (not SQLITE_OK). Without the file's name:
// context is empty. `db` may be null.
Error SqliteError(sqlite3* db, int code);

}  // namespace fss
