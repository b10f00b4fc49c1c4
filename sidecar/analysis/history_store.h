// Where the lines of sizes outlive the process. An interface: the analysis runs on it, on a file
// or on nothing.
//
// A line is a job's identity: all its runs (deployments, restores, restarts under another id) one
// after the other. A subject is what has a size over time: an operator of the line, or one of its
// state entries.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/analysis/size_line.h"
#include "sidecar/base/result.h"

namespace fss {

// One deployment of a job. Ids are reused: the start time tells deployments apart.
struct RunRecord {
  std::string job_id;
  std::int64_t start_ms = 0;
  bool with_state = false;  // began from a savepoint or checkpoint

  bool operator==(const RunRecord&) const = default;
};

struct LineRecord {
  // "<job id>@<start ms>" of the line's first run: unique in its cluster.
  std::string key;
  std::string job_name;
  std::vector<RunRecord> runs;  // oldest first, never empty
  std::int64_t last_ms = 0;     // when it was last seen, our clock
};

struct SubjectKey {
  std::string vertex_id;
  std::string entry;  // "leftState"; empty: the operator as a whole

  bool operator==(const SubjectKey&) const = default;
};

// A key that somebody else holds: for lookups, of which a poll has thousands.
struct SubjectView {
  std::string_view vertex_id;
  std::string_view entry;

  explicit SubjectView(std::string_view vertex) : vertex_id(vertex) {}
  SubjectView(std::string_view vertex, std::string_view its_entry)
      : vertex_id(vertex), entry(its_entry) {}
  SubjectView(const SubjectKey& key)  // NOLINT(google-explicit-constructor)
      : vertex_id(key.vertex_id), entry(key.entry) {}

  bool operator==(const SubjectView&) const = default;
};

struct SubjectOrder {
  using is_transparent = void;
  bool operator()(const SubjectView& a, const SubjectView& b) const {
    const int order = a.vertex_id.compare(b.vertex_id);
    return order != 0 ? order < 0 : a.entry < b.entry;
  }
};

struct SubjectRecord {
  SubjectKey key;
  std::vector<SizePoint> points;  // ascending in time
};

// What a poll adds. The store keeps no pointer into it.
struct HistoryChanges {
  // Its texts are views: they are good until the poll's changes are written.
  struct Append {
    std::string_view line;
    SubjectView subject;
    std::int64_t t_ms = 0;
    std::int64_t checkpoint_id = 0;  // 0 for RocksDB's figures, which belong to none
    std::int64_t bytes = 0;
  };
  struct Replace {
    std::string line;
    SubjectKey subject;
    std::vector<SizePoint> points;  // instead of all that is held; empty: forget them
  };
  struct Savepoint {
    std::string line;
    std::string job_id;
    std::int64_t id = 0;
    std::int64_t t_ms = 0;
    std::int64_t bytes = 0;
  };
  // A finding that stands, since when. The place is an opaque text.
  struct FirstSeen {
    std::string place;
    std::int64_t first_seen_ms = 0;
  };

  std::vector<LineRecord> lines;  // new ones and those whose record changed
  std::vector<Replace> replaced;  // done before the appends
  std::vector<Append> appended;
  std::vector<Savepoint> savepoints;
  std::vector<FirstSeen> begun;    // findings that stand now and did not before
  std::vector<std::string> ended;  // places of findings that are over

  bool empty() const {
    return lines.empty() && replaced.empty() && appended.empty() && savepoints.empty() &&
           begun.empty() && ended.empty();
  }
};

// One cluster's history. Not thread safe: the poll loop owns it. Errors are kIo (the file
// is locked, the disk is full: may pass) or kMalformed (the file is broken or not ours); after one
// the store can be asked again.
class HistoryStore {
 public:
  virtual ~HistoryStore() = default;

  // The records of all lines, by key.
  virtual Result<std::vector<LineRecord>> Lines() = 0;
  // The sizes of one line; none for a line that it does not hold.
  virtual Result<std::vector<SubjectRecord>> Subjects(const std::string& line) = 0;
  // The findings that stood when last written.
  virtual Result<std::vector<HistoryChanges::FirstSeen>> Findings() = 0;

  // All or nothing; on disk when it returns. A process that is killed meanwhile leaves the state
  // of before or after. Appending a point that is held already changes nothing.
  virtual Status Write(const HistoryChanges& changes) = 0;

  // Forgets what is older than the bounds the store was made with.
  virtual Status Prune(std::int64_t now_ms) = 0;
};

}  // namespace fss
