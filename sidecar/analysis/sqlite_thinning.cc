#include "sidecar/analysis/sqlite_thinning.h"

#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sidecar/analysis/sqlite_point.h"

namespace fss {
namespace {

constexpr char kNextLine[] = "SELECT id FROM line WHERE id > ? ORDER BY id LIMIT 1";
constexpr char kCount[] = "SELECT count(*) FROM (SELECT 1 FROM point WHERE line = ? LIMIT 1000000)";
constexpr char kMiddleTime[] =
    "SELECT t_ms FROM point WHERE line = ? ORDER BY t_ms LIMIT 1 OFFSET ?";
constexpr char kPiece[] =
    "SELECT t_ms, subject, mid, low, weight FROM point "
    "WHERE line = ?1 AND (t_ms, subject) > (?2, ?3) AND t_ms < ?4 ORDER BY t_ms, subject LIMIT ?5";

constexpr std::int64_t kPieceRows = 10'000;
constexpr std::int64_t kLongAgo = std::numeric_limits<std::int64_t>::min();
// Passing by a row costs less than changing one.
constexpr std::int64_t kPassedPerWork = 20;

}  // namespace

bool SqliteThinning::Step(SqliteDb* db, std::int64_t* work_left) {
  if (!in_line_ && !NextLine(db, work_left)) return false;
  in_line_ = ThinPiece(db, work_left);
  return db->ok();
}

bool SqliteThinning::NextLine(SqliteDb* db, std::int64_t* work_left) {
  line_ = db->Number(kNextLine, line_);
  if (line_ == 0) return false;
  const std::int64_t points = db->Number(kCount, line_);
  *work_left -= 1 + points / kPassedPerWork;
  in_line_ = true;
  at_start_ = true;
  done_ms_ = done_subject_ = kLongAgo;
  until_ms_ = points < 2 ? kLongAgo : db->Number(kMiddleTime, line_, points / 2);
  return db->ok();
}

// False at the end of the line's older half.
bool SqliteThinning::ThinPiece(SqliteDb* db, std::int64_t* work_left) {
  SqliteTransaction transaction(db, SqliteTransaction::Kind::kWrite);
  std::map<std::int64_t, std::vector<SizePoint>> by_subject;
  std::int64_t rows_seen = 0;
  {
    SqliteQuery rows = db->Query(kPiece, line_, done_ms_, done_subject_, until_ms_, kPieceRows);
    while (rows.Next()) {
      const std::pair<std::int64_t, std::int64_t> key{rows.Int(0), rows.Int(1)};
      if (key <= std::pair{done_ms_, done_subject_}) {
        db->Fail(ErrorCode::kMalformed, "is broken: points out of order");
      }
      std::tie(done_ms_, done_subject_) = key;
      ++rows_seen;
      if (const std::optional<SizePoint> point = PointOf(rows)) {
        by_subject[key.second].push_back(*point);
      }
    }
  }
  for (const auto& [subject, points] : by_subject) {
    for (std::size_t i = at_start_ ? 1 : 0; i + 1 < points.size(); i += 2) {
      db->Run(kDropPointSql, line_, points[i].t_ms(), subject);
      db->Run(kDropPointSql, line_, points[i + 1].t_ms(), subject);
      InsertPoint(db, line_, subject, SizePoint::Merge(points[i], points[i + 1]));
      *work_left -= 3;
    }
  }
  *work_left -= 1 + rows_seen / kPassedPerWork;
  at_start_ = false;
  return transaction.Commit() && rows_seen == kPieceRows;
}

}  // namespace fss
