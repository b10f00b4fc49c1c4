// What was seen before: the sizes of every job over time, over restarts of the job and of the
// sidecar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sidecar/analysis/finding_ages.h"
#include "sidecar/analysis/history_store.h"
#include "sidecar/analysis/job_sizes.h"
#include "sidecar/analysis/line_book.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/report.h"

namespace fss {

// Per poll: Begin, Observe for every job that runs, Stamp, Commit. Not thread safe.
//
// All of it is held in memory; the store only has to give it back after a restart. Trouble with the
// store is remembered (trouble()), everything goes on, and what could not be written is written
// when the store works again.
class StateHistory {
 public:
  // `store` may be nullptr: then a restart forgets.
  explicit StateHistory(std::unique_ptr<HistoryStore> store);

  // Finds each running job's line.
  void Begin(const ClusterSnapshot& snapshot);

  // Adds what the poll learnt of job `index` of Begin's snapshot, and puts trends and live figures
  // into `operators`, which are that job's.
  void Observe(std::size_t index, std::vector<OperatorReport>* operators);

  // The sizes over time of job `index`, once observed; nullptr where there are none yet.
  const JobSizes* SizesOf(std::size_t index) const;

  // Sets the findings' first_seen_ms.
  void Stamp(std::vector<Finding>* findings);

  // Writes what is new.
  void Commit();

  // One line about the store; empty: all is well, or there is none.
  const std::string& trouble() const { return trouble_; }

 private:
  struct Line {
    JobSizes sizes;
    bool loaded = false;  // what the store has of it is in `sizes`
  };

  void LoadRecords();
  void Learn(const std::vector<LineRecord>& records);
  Line& Open(const std::string& key);
  void ForgetIdle();
  Status WriteAll();
  void Note(const Error& error) { trouble_ = error.ToString(); }

  std::unique_ptr<HistoryStore> store_;
  bool records_loaded_ = false;
  bool all_unwritten_ = false;  // the store missed something: it gets everything again
  bool load_failed_ = false;    // in this poll, of a line that the store may know
  std::int64_t polls_ = 0;
  int polls_since_prune_ = 0;
  LineBook book_;
  FindingAges ages_;
  std::map<std::string, Line> lines_;  // by key
  const ClusterSnapshot* snapshot_ = nullptr;
  std::vector<LineBook::Place> places_;  // of snapshot_->jobs
  HistoryChanges changes_;
  std::string trouble_;
};

}  // namespace fss
