// Detectors: each finds one kind of trouble, in its own file, and is listed in detector_list.cc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/model/cluster_snapshot.h"
#include "sidecar/model/compiled_plan.h"
#include "sidecar/model/finding.h"
#include "sidecar/model/operator_link.h"
#include "sidecar/model/report.h"
#include "sidecar/model/rules.h"

namespace fss {

// A plan, and where it runs or will run: advice differs by version and backend.
struct PlanContext {
  const CompiledPlan& plan;
  std::string flink_version;  // the job's ("2.3.0"), else the plan's ("2.3"); may be empty
  std::string state_backend;  // "EmbeddedRocksDBStateBackend"; empty when not known (plan time)
  bool running = false;       // a running job's plan
};

struct JobContext;

// Finds trouble that the plan alone shows. It fills code, severity, node_id, operator_label,
// state, message and advice; the evaluator adds job and vertex. Stateless; safe from any thread.
class PlanDetector {
 public:
  virtual ~PlanDetector() = default;
  virtual void Inspect(const PlanContext& context, std::vector<Finding>* findings) const = 0;
  // What a running job adds to a finding of Inspect's: severity and numbers by its sizes. `op` runs
  // the finding's node. Nothing, unless a detector says otherwise.
  virtual void Refine(const JobContext& /*context*/, const OperatorReport& /*op*/,
                      Finding* /*finding*/) const {}
};

// A running job beside what it was matched with.
struct JobContext {
  const JobSnapshot& job;
  const JobLink& link;
  const CompiledPlan* plan = nullptr;  // the matched (or drifted) plan; nullptr: none
  std::string flink_version;
  bool plans_configured = false;  // a plan folder was given at all
  const JobReport& report;        // its operators with their sizes, trends and times until full
  const Thresholds& thresholds;   // as the rules file has them for this job
};

// Finds trouble of a running job. The same rules; it also fills vertex_id where it knows it, the
// evaluator adds job and job_id. `findings` has those of the job's plan already.
class JobDetector {
 public:
  virtual ~JobDetector() = default;
  virtual void Inspect(const JobContext& context, std::vector<Finding>* findings) const = 0;
};

// All detectors, in the order they run. One line each in detector_list.cc.
std::vector<std::unique_ptr<PlanDetector>> AllPlanDetectors();
std::vector<std::unique_ptr<JobDetector>> AllJobDetectors();

}  // namespace fss
