// The reading half of SqliteHistoryStore. Errors are in db->status(); what is returned then is to
// be thrown away. Memory is bounded whatever the file holds.
#pragma once

#include <string>
#include <vector>

#include "sidecar/analysis/history_store.h"
#include "sidecar/analysis/sqlite_db.h"

namespace fss {

// Of a subject with more points only the newest are read.
inline constexpr std::size_t kMaxReadPoints = 4096;

// Lines without a record are left out.
std::vector<LineRecord> ReadLines(SqliteDb* db, const std::string& cluster);

// Sorted by key; without those that have no points.
std::vector<SubjectRecord> ReadSubjects(SqliteDb* db, const std::string& cluster,
                                        const std::string& line);

std::vector<HistoryChanges::FirstSeen> ReadFindings(SqliteDb* db, const std::string& cluster);

}  // namespace fss
