// One poll, end to end: plans, JobManager, analysis, Report.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "collectors/checkpoint_contents.h"
#include "collectors/counting_client.h"
#include "collectors/flink_collector.h"
#include "collectors/plan_folder.h"
#include "collectors/recorder.h"
#include "collectors/rules_file.h"
#include "sidecar/analysis/evaluator.h"
#include "sidecar/app/fleet/fleet_services.h"
#include "sidecar/app/log.h"
#include "sidecar/base/clock.h"
#include "sidecar/base/result.h"
#include "sidecar/model/cluster_target.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// Not thread safe: one thread polls. The reports it returns are immutable and may be shared.
class PollLoop {
 public:
  // Wires what the flags ask for. kInvalidArgument names the flag.
  static Result<std::unique_ptr<PollLoop>> FromFlags(const Clock& clock);

  // One of many clusters, which share `services`; what flags say of a cluster is the target's.
  // `clock` and `services` outlive it. kInvalidArgument for a URL that is none, or names the flag.
  static Result<std::unique_ptr<PollLoop>> ForTarget(const ClusterTarget& target,
                                                     const FleetServices& services,
                                                     const Clock& clock);

  // Polls once. Trouble is no error here: an unreachable JobManager gives the last numbers again,
  // with health.up false and health.stale true.
  std::shared_ptr<const Report> PollOnce();

  // Ends a read of object storage that is under way, for the shutdown: from any thread.
  void CancelReads();

  // As of the last poll.
  const SidecarStats& stats() const { return stats_; }

 private:
  PollLoop(const Clock& clock, Evaluator evaluator, const std::string& cluster,
           const FleetServices* services);

  Status TakeInterval();
  Status OpenCheckpoints();
  void TakeShared();

  void RefreshPlans();
  void RefreshRules();
  void LookAtDisk();
  const CheckpointLibrary& ReadCheckpoints(const ClusterSnapshot& snapshot);
  void NoteHistory();
  void RecordJobs(const ClusterSnapshot& snapshot, const Report& report);
  void CountPoll(std::int64_t millis);

  const Clock& clock_;
  const FleetServices* const services_;  // nullptr: this is the only cluster
  RestCounters counters_;                // outlives the collector's clients
  std::unique_ptr<Recorder> recorder_;   // none without --record_dir; outlives the collector
  std::unique_ptr<FlinkCollector> collector_;
  std::unique_ptr<PlanFolder> plans_;                // none without --plan_dir
  std::unique_ptr<RulesFile> rules_file_;            // none without --rules_file
  std::unique_ptr<CheckpointContents> checkpoints_;  // none without --checkpoint_root
  Evaluator evaluator_;
  std::shared_ptr<const PlanLibrary> library_;
  std::shared_ptr<const Rules> rules_;  // what surroundings_ has
  Surroundings surroundings_;
  std::shared_ptr<const Report> last_;  // never null; its jobs are of the last poll that answered
  PollHealth health_;
  SidecarStats stats_;
  TroubleLog poll_trouble_;
  TroubleLog plan_trouble_{"reading --plan_dir"};
  TroubleLog rules_trouble_{"reading --rules_file"};
  TroubleLog history_trouble_{"keeping --history_file"};
  TroubleLog disk_trouble_{"looking at --state_disk_path"};
  TroubleLog checkpoint_trouble_{"reading checkpoints below --checkpoint_root"};
  TroubleLog record_trouble_{"writing --record_dir"};
};

}  // namespace fss
