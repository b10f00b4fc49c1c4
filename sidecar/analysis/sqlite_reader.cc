#include "sidecar/analysis/sqlite_reader.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "sidecar/analysis/sqlite_point.h"
#include "sidecar/analysis/sqlite_schema.h"

namespace fss {
namespace {

constexpr char kLines[] =
    "SELECT id, key, last_ms, job_name FROM line WHERE cluster = ? AND job_name IS NOT NULL "
    "ORDER BY key";
constexpr char kRuns[] = "SELECT job_id, start_ms, with_state FROM run WHERE line = ? ORDER BY seq";
constexpr char kSubjects[] =
    "SELECT no, vertex, entry FROM subject WHERE line = ? ORDER BY vertex, entry";
constexpr char kPoints[] =
    "SELECT t_ms, subject, mid, low, weight FROM point WHERE line = ? "
    "ORDER BY t_ms DESC, subject DESC LIMIT 2000000";
constexpr char kFindings[] = "SELECT place, first_seen_ms FROM finding WHERE cluster = ?";

// What one call may return. A broken file can say the same bytes again and again.
constexpr std::size_t kMaxReadBytes = std::size_t{256} << 20U;

class Budget {
 public:
  explicit Budget(SqliteDb* db) : db_(db) {}
  bool Take(std::size_t bytes) {
    constexpr std::size_t kOverhead = 64;  // a row in memory beside its texts
    used_ += bytes + kOverhead;
    if (used_ > kMaxReadBytes) db_->Fail(ErrorCode::kMalformed, "is broken: holds far too much");
    return db_->ok();
  }

 private:
  SqliteDb* db_;
  std::size_t used_ = 0;
};

std::vector<RunRecord> ReadRuns(SqliteDb* db, std::int64_t line, Budget* budget) {
  std::vector<RunRecord> runs;
  SqliteQuery rows = db->Query(kRuns, line);
  while (rows.Next()) {
    RunRecord& run = runs.emplace_back();
    run.job_id = rows.Bytes(0);
    run.start_ms = rows.Int(1);
    run.with_state = rows.Int(2) != 0;
    if (!budget->Take(run.job_id.size())) break;
  }
  return runs;
}

// The newest points of each of `subjects`, which `by_number` finds.
void ReadPoints(SqliteDb* db, std::int64_t line,
                const std::unordered_map<std::int64_t, std::size_t>& by_number,
                std::vector<SubjectRecord>* subjects) {
  std::size_t full = 0;
  SqliteQuery rows = db->Query(kPoints, line);
  while (full < subjects->size() && rows.Next()) {
    const auto found = by_number.find(rows.Int(1));
    if (found == by_number.end()) continue;
    std::vector<SizePoint>& points = (*subjects)[found->second].points;
    if (points.size() >= kMaxReadPoints) continue;
    const std::optional<SizePoint> point = PointOf(rows);
    // The order of a broken file is not to be trusted.
    if (!point || (!points.empty() && point->t_ms() >= points.back().t_ms())) continue;
    points.push_back(*point);
    if (points.size() == kMaxReadPoints) ++full;
  }
  for (SubjectRecord& subject : *subjects) {
    std::reverse(subject.points.begin(), subject.points.end());
  }
}

}  // namespace

std::vector<LineRecord> ReadLines(SqliteDb* db, const std::string& cluster) {
  SqliteTransaction one_state(db, SqliteTransaction::Kind::kRead);
  std::vector<LineRecord> lines;
  Budget budget(db);
  const std::int64_t cluster_id = db->Number(kClusterSql, cluster);
  SqliteQuery rows = db->Query(kLines, cluster_id);
  while (rows.Next()) {
    LineRecord line;
    line.key = rows.Bytes(1);
    line.last_ms = rows.Int(2);
    line.job_name = rows.Bytes(3);
    if (!budget.Take(line.key.size() + line.job_name.size())) break;
    line.runs = ReadRuns(db, rows.Int(0), &budget);
    if (!line.runs.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<SubjectRecord> ReadSubjects(SqliteDb* db, const std::string& cluster,
                                        const std::string& line) {
  SqliteTransaction one_state(db, SqliteTransaction::Kind::kRead);
  std::vector<SubjectRecord> subjects;
  const std::int64_t line_id = db->Number(kLineSql, db->Number(kClusterSql, cluster), line);
  std::unordered_map<std::int64_t, std::size_t> by_number;
  Budget budget(db);
  {
    SqliteQuery rows = db->Query(kSubjects, line_id);
    while (rows.Next()) {
      SubjectRecord& subject = subjects.emplace_back();
      subject.key = {rows.Bytes(1), rows.Bytes(2)};
      by_number.emplace(rows.Int(0), subjects.size() - 1);
      if (!budget.Take(subject.key.vertex_id.size() + subject.key.entry.size())) break;
    }
  }
  ReadPoints(db, line_id, by_number, &subjects);
  std::erase_if(subjects, [](const SubjectRecord& subject) { return subject.points.empty(); });
  return subjects;
}

std::vector<HistoryChanges::FirstSeen> ReadFindings(SqliteDb* db, const std::string& cluster) {
  SqliteTransaction one_state(db, SqliteTransaction::Kind::kRead);
  std::vector<HistoryChanges::FirstSeen> findings;
  Budget budget(db);
  SqliteQuery rows = db->Query(kFindings, db->Number(kClusterSql, cluster));
  while (rows.Next()) {
    HistoryChanges::FirstSeen& finding = findings.emplace_back();
    finding.place = rows.Bytes(0);
    finding.first_seen_ms = rows.Int(1);
    if (!budget.Take(finding.place.size())) break;
  }
  return findings;
}

}  // namespace fss
