// A history store in memory that can be made to fail: what the analysis must survive.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sidecar/analysis/history_store.h"

namespace fss {

class MemoryHistoryStore : public HistoryStore {
 public:
  // What is held; shared with the test, and with the store after a "restart".
  struct Held {
    std::map<std::string, LineRecord> lines;
    std::map<std::string, std::map<SubjectKey, std::map<std::int64_t, SizePoint>, SubjectOrder>>
        points;
    std::vector<HistoryChanges::Savepoint> savepoints;
    std::map<std::string, std::int64_t> findings;
    bool reads_fail = false;
    bool writes_fail = false;
    int writes = 0;
  };

  explicit MemoryHistoryStore(Held* held) : held_(held) {}

  Result<std::vector<LineRecord>> Lines() override {
    if (held_->reads_fail) return Failure();
    std::vector<LineRecord> lines;
    for (const auto& [key, line] : held_->lines) lines.push_back(line);
    return lines;
  }

  Result<std::vector<SubjectRecord>> Subjects(const std::string& line) override {
    if (held_->reads_fail) return Failure();
    std::vector<SubjectRecord> subjects;
    for (const auto& [key, points] : held_->points[line]) {
      SubjectRecord& subject = subjects.emplace_back();
      subject.key = key;
      for (const auto& [t_ms, point] : points) subject.points.push_back(point);
    }
    return subjects;
  }

  Result<std::vector<HistoryChanges::FirstSeen>> Findings() override {
    if (held_->reads_fail) return Failure();
    std::vector<HistoryChanges::FirstSeen> findings;
    for (const auto& [place, first_seen_ms] : held_->findings) {
      findings.push_back({place, first_seen_ms});
    }
    return findings;
  }

  Status Write(const HistoryChanges& changes) override {
    if (held_->writes_fail) return Failure();
    ++held_->writes;
    for (const LineRecord& line : changes.lines) held_->lines[line.key] = line;
    for (const auto& replace : changes.replaced) {
      auto& points = held_->points[replace.line][replace.subject];
      points.clear();
      for (const SizePoint& point : replace.points) points[point.t_ms()] = point;
    }
    for (const auto& append : changes.appended) {
      const auto bytes = static_cast<float>(append.bytes);
      const SubjectKey key{std::string(append.subject.vertex_id),
                           std::string(append.subject.entry)};
      held_->points[std::string(append.line)][key].try_emplace(
          append.t_ms, SizePoint(append.t_ms, bytes, bytes));
    }
    for (const auto& savepoint : changes.savepoints) held_->savepoints.push_back(savepoint);
    for (const auto& begun : changes.begun) held_->findings[begun.place] = begun.first_seen_ms;
    for (const std::string& place : changes.ended) held_->findings.erase(place);
    return OkStatus();
  }

  Status Prune(std::int64_t /*now_ms*/) override { return OkStatus(); }

 private:
  static Error Failure() { return {ErrorCode::kIo, "the disk is full", "history.db"}; }

  Held* held_;
};

}  // namespace fss
