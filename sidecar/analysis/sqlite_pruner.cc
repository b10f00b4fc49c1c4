#include "sidecar/analysis/sqlite_pruner.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace fss {
namespace {

constexpr char kOldest[] = "SELECT id FROM line WHERE last_ms < ? ORDER BY last_ms LIMIT 1";
constexpr char kSomeLines[] = "SELECT id FROM line WHERE id > ? ORDER BY id LIMIT ?";
constexpr char kFirstTime[] = "SELECT t_ms FROM point WHERE line = ? ORDER BY t_ms LIMIT 1";
constexpr char kTimeAt[] =
    "SELECT t_ms FROM point WHERE line = ? AND t_ms < ? ORDER BY t_ms LIMIT 1 OFFSET ?";
constexpr char kDropPointsTo[] = "DELETE FROM point WHERE line = ? AND t_ms <= ?";
constexpr char kDropPointsBefore[] = "DELETE FROM point WHERE line = ? AND t_ms < ?";
constexpr char kDropPoints[] = "DELETE FROM point WHERE line = ?";
constexpr char kDropSavepointsBefore[] = "DELETE FROM savepoint WHERE line = ? AND t_ms < ?";
constexpr char kDropSavepoints[] = "DELETE FROM savepoint WHERE line = ?";
constexpr char kDropSubjects[] = "DELETE FROM subject WHERE line = ?";
constexpr char kDropRuns[] = "DELETE FROM run WHERE line = ?";
constexpr char kDropLine[] = "DELETE FROM line WHERE id = ?";
constexpr char kHasSavepoint[] = "SELECT count(*) FROM savepoint WHERE line = ? AND t_ms < ?";
constexpr char kDropEmptySubjects[] =
    "DELETE FROM subject WHERE line = ?1 AND "
    "no NOT IN (SELECT subject FROM point WHERE line = ?1)";
constexpr char kDropFindings[] =
    "DELETE FROM finding WHERE first_seen_ms < ? AND cluster NOT IN (SELECT cluster FROM line)";

constexpr std::int64_t kWorkPerCall = 100'000;  // rows changed
constexpr std::int64_t kStepRows = 10'000;      // in one transaction: others get their turn
constexpr std::int64_t kLinesPerQuery = 256;
constexpr std::int64_t kSweptPerCall = 16;
constexpr std::int64_t kLivingMillis = 3'600'000;
// Free pages kept for what comes next, and what is given back in one call: each page given back
// may move another one.
constexpr std::int64_t kKeptPages = 256;
constexpr std::int64_t kGivenPages = 4096;

std::int64_t Before(std::int64_t now_ms, std::int64_t span_ms) {
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const std::int64_t span = std::max<std::int64_t>(span_ms, 0);
  return now_ms < kLeast + span ? kLeast : now_ms - span;
}

std::vector<std::int64_t> LinesAfter(SqliteDb* db, std::int64_t line, std::int64_t count) {
  std::vector<std::int64_t> ids;
  SqliteQuery rows = db->Query(kSomeLines, line, count);
  while (rows.Next()) ids.push_back(rows.Int(0));
  return ids;
}

void GiveSpaceBack(SqliteDb* db) {
  const std::int64_t spare = db->Number("PRAGMA freelist_count") - kKeptPages;
  if (spare <= 0) return;
  db->Exec("PRAGMA incremental_vacuum(" + std::to_string(std::min(spare, kGivenPages)) + ")");
}

}  // namespace

void SqlitePruner::Prune(SqliteDb* db, std::int64_t now_ms) {
  work_left_ = kWorkPerCall;
  db->StartCount();
  const std::int64_t retained_from = Before(now_ms, bounds_.retention_ms);
  DropLinesBefore(db, retained_from, /*only_while_too_large=*/false);
  DropPointsBefore(db, retained_from);
  DropEmptySubjects(db);
  DropFindings(db, retained_from);
  DropLinesBefore(db, Before(now_ms, kLivingMillis), /*only_while_too_large=*/true);
  while (work_left_ > 0 && TooLarge(db) && thinning_.Step(db, &work_left_)) {
  }
  GiveSpaceBack(db);
  db->Checkpoint();
}

bool SqlitePruner::TooLarge(SqliteDb* db) const {
  const std::int64_t used = db->Number("PRAGMA page_count") - db->Number("PRAGMA freelist_count");
  return db->ok() &&
         used > bounds_.max_bytes / std::max<std::int64_t>(db->Number("PRAGMA page_size"), 1);
}

void SqlitePruner::DropLinesBefore(SqliteDb* db, std::int64_t before_ms,
                                   bool only_while_too_large) {
  while (work_left_ > 0 && (!only_while_too_large || TooLarge(db))) {
    if (!DropPartOfLine(db, before_ms)) return;
  }
}

// Chosen in the same transaction: a line may be seen again at any time. Its oldest points go first,
// so that one which comes back half dropped has lost no more than its past. False: none is left.
bool SqlitePruner::DropPartOfLine(SqliteDb* db, std::int64_t before_ms) {
  SqliteTransaction transaction(db, SqliteTransaction::Kind::kWrite);
  const std::int64_t line = db->Number(kOldest, before_ms);
  if (line == 0) return false;
  constexpr std::int64_t kEver = std::numeric_limits<std::int64_t>::max();
  bool whole = false;
  std::int64_t piece_end = 0;
  {
    SqliteQuery rows = db->Query(kTimeAt, line, kEver, kStepRows);
    whole = !rows.Next();
    if (!whole) piece_end = rows.Int(0);
  }
  if (whole) {
    for (const char* drop : {kDropPoints, kDropSavepoints, kDropSubjects, kDropRuns, kDropLine}) {
      work_left_ -= db->Run(drop, line);
    }
  } else {
    work_left_ -= db->Run(kDropPointsTo, line, piece_end);
  }
  return transaction.Commit();
}

void SqlitePruner::DropPointsBefore(SqliteDb* db, std::int64_t before_ms) {
  while (work_left_ > 0 && db->ok()) {
    const std::vector<std::int64_t> lines = LinesAfter(db, aged_line_, kLinesPerQuery);
    for (const std::int64_t line : lines) {
      if (work_left_ <= 0) return;
      DropFrom(db, line, before_ms);
      if (work_left_ > 0) aged_line_ = line;  // otherwise it goes on with this one
    }
    if (lines.empty()) {
      aged_line_ = 0;
      return;
    }
  }
}

void SqlitePruner::DropFrom(SqliteDb* db, std::int64_t line, std::int64_t before_ms) {
  constexpr std::int64_t kLook = 3;  // as much work as changing so many rows
  work_left_ -= kLook;
  for (bool more = true; more && work_left_ > 0 && db->ok();) {
    {
      SqliteQuery first = db->Query(kFirstTime, line);
      more = first.Next() && first.Int(0) < before_ms;
    }
    if (!more) break;
    SqliteTransaction transaction(db, SqliteTransaction::Kind::kWrite);
    std::int64_t piece_end = 0;
    {
      SqliteQuery rows = db->Query(kTimeAt, line, before_ms, kStepRows);
      more = rows.Next();
      if (more) piece_end = rows.Int(0);
    }
    work_left_ -= more ? db->Run(kDropPointsTo, line, piece_end)
                       : db->Run(kDropPointsBefore, line, before_ms);
    transaction.Commit();
  }
  if (db->Number(kHasSavepoint, line, before_ms) > 0) {
    work_left_ -= db->Run(kDropSavepointsBefore, line, before_ms);
  }
}

// Needs to pass by all of a line's points: some lines a call. Subjects of operators that went with
// a new plan are few.
void SqlitePruner::DropEmptySubjects(SqliteDb* db) {
  if (work_left_ <= 0) return;
  const std::vector<std::int64_t> lines = LinesAfter(db, swept_line_, kSweptPerCall);
  for (const std::int64_t line : lines) work_left_ -= 1 + db->Run(kDropEmptySubjects, line);
  swept_line_ = lines.empty() ? 0 : lines.back();
}

// A finding is over when its process says so. A cluster without any line has none that will.
void SqlitePruner::DropFindings(SqliteDb* db, std::int64_t before_ms) {
  work_left_ -= db->Run(kDropFindings, before_ms);
}

}  // namespace fss
