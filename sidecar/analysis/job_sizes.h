// The sizes of one job over time: a line per operator and per state entry, with their trends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sidecar/analysis/history_store.h"
#include "sidecar/analysis/trend.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/report.h"

namespace fss {

// Not thread safe. No I/O; about 2.4 KiB per operator.
class JobSizes {
 public:
  // `key` is the line's, as it goes into changes.
  explicit JobSizes(std::string key) : key_(std::move(key)) {}

  void Rename(std::string key) { key_ = std::move(key); }

  // Sizes that a store kept, older than all that is added afterwards; of what is held already the
  // newer points stay.
  void Load(const std::vector<SubjectRecord>& subjects);

  // The job began without its state: nothing of before counts.
  void Clear(HistoryChanges* changes);

  // Adds what a poll learnt (JobSnapshot::fresh, ::live), judges what has new points, and puts
  // trends and live figures into `operators`, which are this job's. `record` tells when runs began.
  // What is appended to `changes` points into this object: good until the next call.
  void Observe(const JobSnapshot& job, const LineRecord& record,
               std::vector<OperatorReport>* operators, HistoryChanges* changes);

  // All of it, as if nothing had ever been written.
  void DescribeAll(HistoryChanges* changes);

  // What is known of a vertex' size over time; empty where nothing is. Good until the next change.
  std::span<const SizePoint> PointsOf(const std::string& vertex_id) const;

  std::size_t subjects() const { return subjects_.size(); }

 private:
  struct Subject {
    // Others for other subjects, so that they do not all cost at once. `judging` must be the same
    // whenever the same sizes are judged: a replay comes to the verdicts of the day.
    Subject(std::size_t judging_turn, std::size_t rewriting_turn);

    TrendTracker tracker;
    std::int64_t loaded_until_ms = 0;  // a store has what is up to here, perhaps thinned
    bool fresh = false;                // has points that were not judged
    std::uint32_t appended;            // points written since the line was written as a whole
  };

  using Keyed = std::pair<const SubjectKey, Subject>;

  void Add(SubjectView key, std::int64_t t_ms, std::int64_t checkpoint_id, std::int64_t bytes,
           HistoryChanges* changes);
  void AddCheckpoints(const JobSnapshot& job, HistoryChanges* changes);
  void AddSavepoints(const JobSnapshot& job, HistoryChanges* changes);
  void AddLive(const JobSnapshot& job, const LiveSample& sample, bool alone, OperatorReport* op,
               HistoryChanges* changes);
  void JudgeEntries(const JobSnapshot& job, const LineRecord& record, OperatorReport* op);
  void JudgeVertex(const JobSnapshot& job, const LineRecord& record, const JobVertex& vertex,
                   std::vector<OperatorReport>* operators, std::size_t begin, std::size_t end);
  void JudgeWithoutEntries(const JobSnapshot& job, const LineRecord& record,
                           const JobVertex& vertex, const LiveSample& sample,
                           std::vector<OperatorReport>* operators, std::size_t begin,
                           std::size_t end, HistoryChanges* changes);
  TrendContext ContextOf(const JobSnapshot& job, const LineRecord& record, const Subject& subject,
                         std::optional<std::int64_t> ttl_ms) const;
  Subject* Find(SubjectView key);
  Keyed& FindOrAdd(SubjectView key);

  std::string key_;
  std::map<SubjectKey, Subject, SubjectOrder> subjects_;
  std::int64_t last_savepoint_ms_ = 0;
  std::size_t checkpoints_ = 0;  // seen since the start of the process
};

}  // namespace fss
