// Halves the resolution of the older half of each line's points, line after line.
#pragma once

#include <cstdint>

#include "sidecar/analysis/sqlite_db.h"

namespace fss {

// Remembers between calls where it was. Not thread safe.
class SqliteThinning {
 public:
  // Thins a bounded piece of a line in a transaction of its own and takes what it cost, in rows,
  // from `work_left`. False when the last line has been done: the next call begins again with the
  // first.
  bool Step(SqliteDb* db, std::int64_t* work_left);

 private:
  bool NextLine(SqliteDb* db, std::int64_t* work_left);
  bool ThinPiece(SqliteDb* db, std::int64_t* work_left);

  std::int64_t line_ = 0;
  bool in_line_ = false;
  bool at_start_ = false;     // of the line: each subject's first point stays alone
  std::int64_t done_ms_ = 0;  // up to and including this time and subject
  std::int64_t done_subject_ = 0;
  std::int64_t until_ms_ = 0;  // where the line's newer half begins
};

}  // namespace fss
