// What a history file looks like inside, and how one is opened or begun.
//
// Texts from outside are blobs: they are kept as they are, with any byte. Numbers that name
// something (line.id, subject.no) mean nothing outside of the file.
#pragma once

#include <memory>
#include <string>

#include "sidecar/analysis/sqlite_db.h"

namespace fss {

// The ids of a cluster by its name, and of a line by its cluster's id and its key.
inline constexpr char kClusterSql[] = "SELECT id FROM cluster WHERE name = ?";
inline constexpr char kLineSql[] = "SELECT id FROM line WHERE cluster = ? AND key = ?";

// Opens the history at `path`, or begins one where there is no file or an empty one. Never null;
// status() has the error. A file that is broken, another application's or a newer version's is left
// exactly as it is (kMalformed). Where the file may only be read, read_only() is true.
std::unique_ptr<SqliteDb> OpenHistory(const std::string& path);

}  // namespace fss
