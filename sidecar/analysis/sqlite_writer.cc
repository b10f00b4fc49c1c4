#include "sidecar/analysis/sqlite_writer.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sidecar/analysis/sqlite_point.h"
#include "sidecar/analysis/sqlite_schema.h"

namespace fss {
namespace {

constexpr char kNewCluster[] = "INSERT INTO cluster(name) VALUES(?)";
constexpr char kNewLine[] = "INSERT INTO line(cluster, key, last_ms) VALUES(?, ?, ?)";
constexpr char kSetLine[] = "UPDATE line SET last_ms = ?2, job_name = ?3 WHERE id = ?1";
// Most records come because last_ms moved: runs that are as they were cost no write.
constexpr char kSetRun[] =
    "INSERT INTO run(line, seq, job_id, start_ms, with_state) VALUES(?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET job_id = excluded.job_id, start_ms = excluded.start_ms, "
    "with_state = excluded.with_state WHERE job_id <> excluded.job_id OR "
    "start_ms <> excluded.start_ms OR with_state <> excluded.with_state";
constexpr char kCutRuns[] = "DELETE FROM run WHERE line = ? AND seq >= ?";
constexpr char kSubject[] = "SELECT no FROM subject WHERE line = ? AND vertex = ? AND entry = ?";
constexpr char kLastSubject[] = "SELECT max(no) FROM subject WHERE line = ?";
constexpr char kNewSubject[] = "INSERT INTO subject(line, vertex, entry, no) VALUES(?, ?, ?, ?)";
constexpr char kDropSubject[] = "DELETE FROM subject WHERE line = ? AND vertex = ? AND entry = ?";
constexpr char kPointKeys[] =
    "SELECT t_ms, subject FROM point WHERE line = ?1 AND (t_ms, subject) > (?2, ?3) "
    "ORDER BY t_ms, subject LIMIT 10000";
constexpr char kDropPiece[] =
    "DELETE FROM point WHERE line = ?1 AND (t_ms, subject) > (?2, ?3) AND "
    "(t_ms, subject) <= (?4, ?5)";
constexpr char kSavepoint[] =
    "INSERT INTO savepoint(line, t_ms, job_id, id, bytes) VALUES(?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET bytes = excluded.bytes";
constexpr char kEnded[] = "DELETE FROM finding WHERE cluster = ? AND place = ?";
constexpr char kBegun[] =
    "INSERT INTO finding(cluster, place, first_seen_ms) VALUES(?, ?, ?) "
    "ON CONFLICT DO UPDATE SET first_seen_ms = excluded.first_seen_ms";
constexpr char kLastId[] = "SELECT last_insert_rowid()";

// Numbers are looked up anew in each transaction: another process may have pruned what they named.
class Writer {
 public:
  Writer(SqliteDb* db, const std::string& cluster) : db_(db) {
    cluster_ = db_->Number(kClusterSql, cluster);
    if (cluster_ == 0) {
      db_->Run(kNewCluster, cluster);
      cluster_ = db_->Number(kLastId);
    }
  }

  void SetLine(const LineRecord& record) {
    const std::int64_t line = LineFor(record.key, record.last_ms).id;
    db_->Run(kSetLine, line, record.last_ms, record.job_name);
    std::int64_t seq = 0;
    for (const RunRecord& run : record.runs) {
      db_->Run(kSetRun, line, seq++, run.job_id, run.start_ms, run.with_state);
    }
    db_->Run(kCutRuns, line, seq);
  }

  void Replace(const std::vector<HistoryChanges::Replace>& replaced) {
    // One pass over a line's points for all of its subjects. Of one subject the last word counts.
    std::map<std::int64_t, std::map<std::int64_t, const HistoryChanges::Replace*>> by_line;
    for (const HistoryChanges::Replace& replace : replaced) {
      const bool forget = replace.points.empty();
      Line* line =
          forget ? FindLine(replace.line) : &LineFor(replace.line, replace.points.back().t_ms());
      if (line == nullptr) continue;
      const std::int64_t subject = SubjectFor(line, replace.subject, !forget);
      if (subject != 0) by_line[line->id][subject] = &replace;
    }
    for (const auto& [line, subjects] : by_line) {
      DropPoints(line, subjects);
      for (const auto& [subject, replace] : subjects) {
        for (const SizePoint& point : replace->points) InsertPoint(db_, line, subject, point);
        if (!replace->points.empty()) continue;
        db_->Run(kDropSubject, line, replace->subject.vertex_id, replace->subject.entry);
      }
    }
  }

  void Append(const HistoryChanges::Append& append) {
    Line& line = LineFor(append.line, append.t_ms);
    const std::int64_t subject = SubjectFor(&line, append.subject, true);
    const auto size = static_cast<float>(std::max<std::int64_t>(append.bytes, 0));
    InsertPoint(db_, line.id, subject, {append.t_ms, size, size});
  }

  void Savepoint(const HistoryChanges::Savepoint& savepoint) {
    const std::int64_t line = LineFor(savepoint.line, savepoint.t_ms).id;
    db_->Run(kSavepoint, line, savepoint.t_ms, savepoint.job_id, savepoint.id, savepoint.bytes);
  }

  void End(const std::string& place) { db_->Run(kEnded, cluster_, place); }
  void Begin(const HistoryChanges::FirstSeen& finding) {
    db_->Run(kBegun, cluster_, finding.place, finding.first_seen_ms);
  }

 private:
  struct Line {
    std::int64_t id = 0;
    std::int64_t last_subject = -1;  // -1: not asked yet
  };

  Line* FindLine(std::string_view key) {
    const auto known = lines_.find(key);
    if (known != lines_.end()) return &known->second;
    const std::int64_t id = db_->Number(kLineSql, cluster_, key);
    return id == 0 ? nullptr : &lines_.emplace(std::string(key), Line{id, -1}).first->second;
  }

  // Made when it is not there.
  Line& LineFor(std::string_view key, std::int64_t seen_ms) {
    if (Line* known = FindLine(key)) return *known;
    db_->Run(kNewLine, cluster_, key, seen_ms);
    return lines_.emplace(std::string(key), Line{db_->Number(kLastId), -1}).first->second;
  }

  // 0 when it is not there and not to be made.
  std::int64_t SubjectFor(Line* line, const SubjectView& key, bool make) {
    std::int64_t number = db_->Number(kSubject, line->id, key.vertex_id, key.entry);
    if (number != 0 || !make) return number;
    if (line->last_subject < 0) {
      // Only a broken file has other numbers.
      line->last_subject = std::clamp<std::int64_t>(db_->Number(kLastSubject, line->id), 0,
                                                    std::numeric_limits<std::int32_t>::max());
    }
    number = ++line->last_subject;
    db_->Run(kNewSubject, line->id, key.vertex_id, key.entry, number);
    return number;
  }

  template <typename Map>
  void DropPoints(std::int64_t line, const Map& subjects) {
    constexpr std::int64_t kStart = std::numeric_limits<std::int64_t>::min();
    std::pair<std::int64_t, std::int64_t> last{kStart, kStart};
    std::vector<std::pair<std::int64_t, std::int64_t>> doomed;
    for (std::size_t seen = 1; seen > 0 && db_->ok();) {
      seen = 0;
      doomed.clear();
      const std::pair<std::int64_t, std::int64_t> from = last;
      {
        SqliteQuery rows = db_->Query(kPointKeys, line, from.first, from.second);
        while (rows.Next()) {
          const std::pair<std::int64_t, std::int64_t> key{rows.Int(0), rows.Int(1)};
          if (key <= last) db_->Fail(ErrorCode::kMalformed, "is broken: points out of order");
          ++seen;
          last = key;
          if (subjects.count(key.second) > 0) doomed.push_back(key);
        }
      }
      if (doomed.size() == seen) {
        db_->Run(kDropPiece, line, from.first, from.second, last.first, last.second);
        continue;
      }
      for (const auto& [t_ms, subject] : doomed) db_->Run(kDropPointSql, line, t_ms, subject);
    }
  }

  SqliteDb* db_;
  std::int64_t cluster_ = 0;
  std::map<std::string, Line, std::less<>> lines_;  // pointers into it stay
};

}  // namespace

void WriteChanges(SqliteDb* db, const std::string& cluster, const HistoryChanges& changes) {
  SqliteTransaction transaction(db, SqliteTransaction::Kind::kWrite);
  if (!db->ok()) return;
  Writer writer(db, cluster);
  for (const LineRecord& line : changes.lines) writer.SetLine(line);
  writer.Replace(changes.replaced);
  for (const HistoryChanges::Append& append : changes.appended) writer.Append(append);
  for (const HistoryChanges::Savepoint& savepoint : changes.savepoints) {
    writer.Savepoint(savepoint);
  }
  for (const std::string& place : changes.ended) writer.End(place);
  for (const HistoryChanges::FirstSeen& finding : changes.begun) writer.Begin(finding);
  transaction.Commit();
}

}  // namespace fss
