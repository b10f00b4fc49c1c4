// Which job is the same job: runs (deployments) of one identity, one after the other.
//
// A redeployment has a new job id, an application with HA the same id (all zero) with another start
// time, a restore may carry another name. What they share: the savepoint they come from, the id, or
// else the name in a cluster where no other job of that name is running on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/analysis/history_store.h"
#include "sidecar/model/cluster_snapshot.h"

namespace fss {

// Not thread safe. No I/O.
class LineBook {
 public:
  // What a poll says of one job of the snapshot.
  struct Place {
    std::string key;     // of the line; empty: nothing is known of the job's start yet
    bool began = false;  // a run that was not known before
    bool anew = false;   // … and it began without the state of the runs before
  };

  // Records from a store. Where the store knows a run that has a line here already, that line goes
  // on as the store's: pairs of the key it had and the key it has now.
  std::vector<std::pair<std::string, std::string>> Learn(const std::vector<LineRecord>& records);

  // Per job of the snapshot, in its order. Ended jobs have no place.
  std::vector<Place> Assign(const ClusterSnapshot& snapshot);

  const LineRecord& record(const std::string& key) const { return records_.at(key); }
  // When the state that the line holds at `t_ms` began to fill: the start of the run at that time.
  static std::int64_t RunStartAt(const LineRecord& record, std::int64_t t_ms);

  // Forgets a line: it was not seen for too long.
  void Forget(const std::string& key);
  // Keys of the lines that no job of the last snapshot is on, longest unseen first.
  std::vector<std::string> Idle() const;
  std::size_t size() const { return records_.size(); }

 private:
  using Run = std::pair<std::string, std::int64_t>;  // job id, start

  const LineRecord* Predecessor(const JobSnapshot& job) const;
  void AddRun(LineRecord* record, const JobSnapshot& job, bool with_state);

  std::map<std::string, LineRecord> records_;  // by key
  std::map<Run, std::string> by_run_;
  std::set<std::string> claimed_;  // keys of the lines that a job of the snapshot is on
};

}  // namespace fss
