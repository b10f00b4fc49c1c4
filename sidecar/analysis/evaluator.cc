#include "sidecar/analysis/evaluator.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "sidecar/analysis/correlator.h"
#include "sidecar/analysis/fills_first.h"
#include "sidecar/analysis/finding_order.h"
#include "sidecar/analysis/operator_edges.h"
#include "sidecar/analysis/operator_reports.h"
#include "sidecar/analysis/restore_advice.h"
#include "sidecar/analysis/size_pictures.h"

namespace fss {
namespace {

// How often a job's pictures are drawn anew: a point more or less is not seen in them, and the
// newest size stands beside. Jobs take turns.
constexpr std::size_t kPollsPerPicture = 4;

void Acknowledge(const Rules& rules, std::int64_t now_ms, std::vector<Finding>* findings) {
  for (Finding& finding : *findings) {
    const Acknowledgement* known = rules.AcknowledgementOf(finding, now_ms);
    if (known == nullptr) continue;
    finding.acknowledged = true;
    finding.acknowledged_reason = known->reason;
    finding.acknowledged_until_ms = known->until_ms;
  }
}

// Findings that say of a TTL that it is not what was meant.
bool DoubtsTtl(const Finding& finding) {
  return finding.code == "ttl-from-job-default" || finding.code == "ttl-mismatch";
}

// Seen from sizes: a checkpoint that wrote less than it holds. Equal sizes prove nothing: files
// below state.storage.fs.memory-threshold are written anew each time. Heap state without a
// changelog has no increments at all.
std::optional<bool> SeenIncremental(const JobSnapshot& job) {
  const auto wrote_less = [](const CompletedCheckpoint& checkpoint) {
    return !checkpoint.savepoint && checkpoint.checkpointed_size &&
           *checkpoint.checkpointed_size < checkpoint.state_size;
  };
  if (job.latest && wrote_less(*job.latest)) return true;
  if (std::ranges::any_of(job.history, wrote_less)) return true;
  const bool heap = BackendFamilyOf(job.config) == BackendFamily::kHashMap;
  if (heap && job.config->changelog == false) return false;
  return std::nullopt;
}

std::optional<std::int64_t> AgeOfCheckpoint(const JobSnapshot& job) {
  if (!job.latest || !job.jobmanager_now_ms) return std::nullopt;
  const std::int64_t at = job.latest->completed_ms.value_or(job.latest->trigger_ms);
  if (at < 0) return std::nullopt;
  return std::max<std::int64_t>(0, *job.jobmanager_now_ms - at);
}

JobReport DescribeJob(const ClusterSnapshot& snapshot, const JobSnapshot& job) {
  JobReport report;
  report.cluster = snapshot.cluster;
  report.id = job.id;
  report.name = job.name;
  report.state = job.state;
  report.start_ms = job.start_ms;
  report.flink_version = snapshot.flink_version;
  report.terminal = job.Terminal();
  report.config = job.config;
  if (report.terminal) return report;
  report.counts = job.counts;
  report.tasks_total = job.tasks_total;
  report.tasks_running = job.tasks_running;
  if (job.latest) {
    report.checkpoint_id = job.latest->id;
    report.checkpoint_trigger_ms = job.latest->trigger_ms;
    report.checkpoint_state_size = job.latest->state_size;
    report.checkpoint_age_ms = AgeOfCheckpoint(job);
  }
  return report;
}

// One poll: what lives only as long as it.
class Poll {
 public:
  Poll(const ClusterSnapshot& snapshot, const PlanLibrary& library, const EvaluatorOptions& options,
       const std::vector<std::unique_ptr<JobDetector>>& job_detectors, PlanFindings* plan_findings)
      : snapshot_(snapshot),
        options_(options),
        job_detectors_(job_detectors),
        plan_findings_(*plan_findings) {
    for (const CompiledPlan& plan : library.plans) plans_.emplace(plan.file, &plan);
  }

  // The job's operators; its findings come when all jobs have theirs. `before` is the same run with
  // the same plan in the poll before, whose `places` are kept; nullptr: there is none.
  void Describe(const JobSnapshot& job, const JobLink& link, const JobReport* before,
                NodePlaces* places, JobReport* job_report) {
    const CompiledPlan* plan = PlanOf(link);
    if (before != nullptr) {
      job_report->operators = SameOperators(before->operators);
      job_report->edges = before->edges;
    } else {
      OperatorReports made = MakeOperatorReports(job, link, plan, &names_);
      job_report->operators = std::move(made.operators);
      *places = std::move(made.places);
      job_report->edges = EdgesOf(job.graph, job_report->operators, plan);
    }
    FillSizes(job, &job_report->operators);
    const bool one_plan = link.outcome != JobLink::Outcome::kAmbiguous || link.candidates_agree;
    if (plan != nullptr && one_plan) {
      job_report->plan = plan->file;
      job_report->plan_matched_by = link.how;
    }
  }

  void Judge(const JobSnapshot& job, const JobLink& link, const NodePlaces& places,
             const Thresholds& thresholds, JobReport* job_report, std::vector<Finding>* all) {
    const JobContext context{
        job,         link,      PlanOf(link), snapshot_.flink_version, options_.plans_configured,
        *job_report, thresholds};
    std::vector<Finding> findings;
    if (context.plan != nullptr) AddPlanFindings(context, places, job_report, &findings);
    for (const auto& detector : job_detectors_) detector->Inspect(context, &findings);
    MarkDrift(findings, job_report);
    for (Finding& finding : findings) {
      finding.job = job.name;
      finding.job_id = job.id;
      all->push_back(std::move(finding));
    }
  }

 private:
  const CompiledPlan* PlanOf(const JobLink& link) const {
    if (link.outcome == JobLink::Outcome::kNoPlan) return nullptr;
    const auto found = plans_.find(link.plan_file);
    return found == plans_.end() ? nullptr : found->second;
  }

  // The entries whose TTL is not what the plan says.
  static void MarkDrift(const std::vector<Finding>& findings, JobReport* job_report) {
    for (const Finding& finding : findings) {
      if (finding.code != "ttl-drift") continue;
      for (OperatorReport& op : job_report->operators) {
        if (op.vertex_id != finding.vertex_id || op.label != finding.operator_label) continue;
        for (EntryReport& entry : op.state) {
          entry.suspicious_ttl = entry.suspicious_ttl || entry.name == finding.state;
        }
      }
    }
  }

  // The plan's findings, for the nodes that run in this job.
  void AddPlanFindings(const JobContext& context, const NodePlaces& places, JobReport* job_report,
                       std::vector<Finding>* findings) {
    const JobSnapshot& job = context.job;
    const std::string backend = job.config ? job.config->state_backend : std::string();
    for (const auto& [detector, of_plan] :
         plan_findings_.Of(*context.plan, backend, places.running_id)) {
      if (!of_plan.node_id) continue;
      const auto found = places.by_node.find(*of_plan.node_id);
      if (found == places.by_node.end()) continue;
      OperatorReport& op = job_report->operators[found->second];
      Finding& finding = findings->emplace_back(of_plan);
      finding.vertex_id = op.vertex_id;
      finding.operator_label = op.label;
      detector->Refine(context, op, &finding);
      if (!DoubtsTtl(finding)) continue;
      for (EntryReport& entry : op.state) {
        if (entry.name == finding.state) entry.suspicious_ttl = true;
      }
    }
  }

  const ClusterSnapshot& snapshot_;
  const EvaluatorOptions& options_;
  const std::vector<std::unique_ptr<JobDetector>>& job_detectors_;
  PlanFindings& plan_findings_;
  std::unordered_map<std::string_view, const CompiledPlan*> plans_;
  KindNames names_;
};

}  // namespace

Evaluator::Evaluator(EvaluatorOptions options, std::unique_ptr<HistoryStore> store)
    : options_(std::move(options)), job_detectors_(AllJobDetectors()), history_(std::move(store)) {
  if (options_.uid_formats.empty()) options_.uid_formats = DefaultUidFormats();
}

Evaluator::LinkBasis Evaluator::BasisOf(const ClusterSnapshot& snapshot, const PlanLibrary& library,
                                        const CheckpointLibrary& checkpoints) {
  LinkBasis basis{library.generation, snapshot.flink_version, {}};
  basis.jobs.reserve(snapshot.jobs.size());
  for (const JobSnapshot& job : snapshot.jobs) {
    basis.jobs.emplace_back(job.id, job.start_ms, job.state, job.graph.vertices.size(),
                            checkpoints.Of(job) != nullptr);
  }
  return basis;
}

// Jobs and plans change rarely, and a job's graph never after its start: most polls keep the links,
// and with them all that is said of operators beside their sizes.
void Evaluator::Relink(const ClusterSnapshot& snapshot, const PlanLibrary& library,
                       const CheckpointLibrary& checkpoints) {
  LinkBasis basis = BasisOf(snapshot, library, checkpoints);
  const bool counted = library.generation != 0 || library.plans.empty();
  if (counted && links_.size() == snapshot.jobs.size() && basis == basis_) return;
  last_.reset();
  places_.assign(snapshot.jobs.size(), {});
  links_ =
      Correlate(snapshot.jobs, library, options_.uid_formats, snapshot.flink_version, checkpoints);
  basis_ = std::move(basis);
}

// Once seen it stays: a restore makes Flink's history forget it.
void Evaluator::RememberIncremental(const ClusterSnapshot& snapshot, Report* report) {
  std::set<std::pair<std::string, std::int64_t>> incremental;
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobSnapshot& job = snapshot.jobs[j];
    JobReport& job_report = report->jobs[j];
    if (job_report.terminal) continue;
    const std::pair<std::string, std::int64_t> run{job.id, job.start_ms};
    job_report.incremental = SeenIncremental(job);
    if (incremental_.contains(run)) job_report.incremental = true;
    if (job_report.incremental == true) incremental.insert(run);
  }
  incremental_ = std::move(incremental);
}

void Evaluator::AddPictures(Report* report) {
  std::size_t sized = 0;
  for (const JobReport& job : report->jobs) {
    sized += static_cast<std::size_t>(std::ranges::count_if(
        job.operators, [](const OperatorReport& op) { return op.size_bytes.has_value(); }));
  }
  const Pictures which = sized <= kMostPictures ? Pictures::kAll : Pictures::kMovingOnly;
  ++polls_;
  for (std::size_t j = 0; j < report->jobs.size(); ++j) {
    JobReport& job = report->jobs[j];
    if (job.terminal) continue;
    job.fills_first = FillsFirst(job.operators);
    if (last_) job.size_history = last_->jobs[j].size_history;
    if (job.size_history != nullptr && (polls_ + j) % kPollsPerPicture != 0) continue;
    const JobSizes* sizes = history_.SizesOf(j);
    job.size_history = sizes == nullptr ? nullptr : PicturesOf(*sizes, job.operators, which);
  }
}

std::shared_ptr<Report> Evaluator::Evaluate(const ClusterSnapshot& snapshot,
                                            const PlanLibrary& library,
                                            const Surroundings& surroundings,
                                            const CheckpointLibrary& checkpoints) {
  const Rules& rules = surroundings.rules;
  auto made = std::make_shared<Report>();
  Report& report = *made;
  report.cluster = snapshot.cluster;
  report.flink_version = snapshot.flink_version;
  report.taken_ms = snapshot.taken_ms;
  report.plans_loaded = library.plans.size();
  report.plans_unreadable = library.unreadable.size();
  Relink(snapshot, library, checkpoints);
  history_.Begin(snapshot);
  heap_.Observe(snapshot);

  plan_findings_.Begin(library, snapshot.flink_version);
  Poll poll(snapshot, library, options_, job_detectors_, &plan_findings_);
  const std::size_t count = snapshot.jobs.size();
  std::vector<JobRules> job_rules(count);
  report.jobs.reserve(count);
  for (std::size_t j = 0; j < count; ++j) {
    JobReport& job_report = report.jobs.emplace_back(DescribeJob(snapshot, snapshot.jobs[j]));
    if (job_report.terminal) continue;
    job_rules[j] = rules.For(job_report.name);
    job_report.state_limit_bytes = job_rules[j].state_limit_bytes;
    poll.Describe(snapshot.jobs[j], links_[j], last_ ? &last_->jobs[j] : nullptr, &places_[j],
                  &job_report);
    if (const CheckpointMetadata* checkpoint = checkpoints.Of(snapshot.jobs[j])) {
      FillFromCheckpoint(*checkpoint, &job_report);
    }
    history_.Observe(j, &job_report.operators);
  }
  RememberIncremental(snapshot, &report);
  ApplyCapacity(heap_, surroundings.disk, &report.jobs);
  AddPictures(&report);
  report.findings.reserve(findings_before_);
  for (std::size_t j = 0; j < count; ++j) {
    if (report.jobs[j].terminal) continue;
    poll.Judge(snapshot.jobs[j], links_[j], places_[j], job_rules[j].thresholds, &report.jobs[j],
               &report.findings);
  }
  plan_findings_.End();
  findings_before_ = report.findings.size();
  SortAndDedupe(&report.findings);
  Acknowledge(rules, snapshot.taken_ms, &report.findings);
  history_.Stamp(&report.findings);
  history_.Commit();
  last_ = made;
  return made;
}

}  // namespace fss
