// The evaluator: one poll's numbers, joined with the plans, become the Report.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sidecar/analysis/capacity.h"
#include "sidecar/analysis/detector.h"
#include "sidecar/analysis/heap_watch.h"
#include "sidecar/analysis/history_store.h"
#include "sidecar/analysis/operator_reports.h"
#include "sidecar/analysis/plan_findings.h"
#include "sidecar/analysis/state_history.h"
#include "sidecar/model/checkpoint_library.h"
#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/report.h"
#include "sidecar/model/rules.h"

namespace fss {

struct EvaluatorOptions {
  std::vector<std::string> uid_formats;
  bool plans_configured = false;
};

// What a poll is judged by beside the cluster and the plans.
struct Surroundings {
  Rules rules;
  DiskSpace disk;
};

// Keeps from poll to poll the history of sizes and heaps, and a job's observed traits.
// Not thread safe: the poll loop owns it.
class Evaluator {
 public:
  // `store` outlives restarts; nullptr: memory alone.
  explicit Evaluator(EvaluatorOptions options, std::unique_ptr<HistoryStore> store = nullptr);
  // A report without PollHealth, which is the poll loop's to fill in. The evaluator keeps it until
  // the next one: jobs and findings are not to be changed. `snapshot.taken_ms` is "now" for
  // first-seen times and acknowledgements. Every checkpoint of JobSnapshot::fresh must come here
  // once, polls in the order of time.
  std::shared_ptr<Report> Evaluate(const ClusterSnapshot& snapshot, const PlanLibrary& library,
                                   const Surroundings& surroundings = {},
                                   const CheckpointLibrary& checkpoints = {});

  // From the next Evaluate on; plans may come and go.
  void SetPlansConfigured(bool configured) { options_.plans_configured = configured; }

  // One line about the history's store; empty: all is well.
  const std::string& history_trouble() const { return history_.trouble(); }

 private:
  // What links depend on: the plans, and which jobs with which graphs there are. The ids that a
  // job's checkpoints tell stay the same as long as it runs.
  struct LinkBasis {
    std::uint64_t generation = 0;
    std::string flink_version;
    // Id, start, state, vertices, and whether a checkpoint of it was read.
    std::vector<std::tuple<std::string, std::int64_t, std::string, std::size_t, bool>> jobs;
    bool operator==(const LinkBasis&) const = default;
  };
  static LinkBasis BasisOf(const ClusterSnapshot& snapshot, const PlanLibrary& library,
                           const CheckpointLibrary& checkpoints);
  void RememberIncremental(const ClusterSnapshot& snapshot, Report* report);
  void AddPictures(Report* report);
  void Relink(const ClusterSnapshot& snapshot, const PlanLibrary& library,
              const CheckpointLibrary& checkpoints);

  EvaluatorOptions options_;
  std::vector<std::unique_ptr<JobDetector>> job_detectors_;
  LinkBasis basis_;
  std::vector<JobLink> links_;          // as of basis_
  std::vector<NodePlaces> places_;      // as of basis_, like last_
  std::shared_ptr<const Report> last_;  // of the poll before; nullptr when basis_ was another then
  PlanFindings plan_findings_;
  std::size_t polls_ = 0;
  std::size_t findings_before_ = 0;  // in the poll before: about as many come again
  StateHistory history_;
  HeapWatch heap_;
  std::set<std::pair<std::string, std::int64_t>> incremental_;  // jobs (id, start) seen to be so
};

}  // namespace fss
