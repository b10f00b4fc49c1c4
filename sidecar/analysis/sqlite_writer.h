// The writing half of SqliteHistoryStore.
#pragma once

#include <string>

#include "sidecar/analysis/history_store.h"
#include "sidecar/analysis/sqlite_db.h"

namespace fss {

// All of `changes` or, with an error in db->status(), nothing of it. What belongs to a line that
// the file does not know is kept; the line shows in Lines() when its record comes.
void WriteChanges(SqliteDb* db, const std::string& cluster, const HistoryChanges& changes);

}  // namespace fss
