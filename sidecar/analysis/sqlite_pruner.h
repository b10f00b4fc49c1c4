// Keeps a history file within its bounds, a piece at a time.
//
// The bounds are the file's: lines of all of its clusters are subject to them. Not thread safe.
#pragma once

#include <cstdint>

#include "sidecar/analysis/sqlite_db.h"
#include "sidecar/analysis/sqlite_thinning.h"

namespace fss {

struct PruneBounds {
  std::int64_t retention_ms = 0;
  std::int64_t max_bytes = 0;
};

class SqlitePruner {
 public:
  explicit SqlitePruner(PruneBounds bounds) : bounds_(bounds) {}

  // Does some tenths of a second of work; what is left is for the next call. In this order: lines
  // not seen within the retention, older points and savepoints of the others, then, while the file
  // is too large, whole lines (those not seen for longest, never those of the last hour) and in the
  // end every other old point of those that live. Gives space back to the file system. Each step is
  // a transaction of its own. Errors are in db->status().
  void Prune(SqliteDb* db, std::int64_t now_ms);

 private:
  void DropLinesBefore(SqliteDb* db, std::int64_t before_ms, bool only_while_too_large);
  bool DropPartOfLine(SqliteDb* db, std::int64_t before_ms);
  void DropPointsBefore(SqliteDb* db, std::int64_t before_ms);
  void DropFrom(SqliteDb* db, std::int64_t line, std::int64_t before_ms);
  void DropEmptySubjects(SqliteDb* db);
  void DropFindings(SqliteDb* db, std::int64_t before_ms);
  bool TooLarge(SqliteDb* db) const;

  PruneBounds bounds_;
  std::int64_t work_left_ = 0;   // rows, of this call
  std::int64_t aged_line_ = 0;   // the last line whose old points were looked for
  std::int64_t swept_line_ = 0;  // the last line whose subjects were looked through
  SqliteThinning thinning_;
};

}  // namespace fss
