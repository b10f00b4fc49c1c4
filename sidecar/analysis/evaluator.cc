#include "sidecar/analysis/evaluator.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "sidecar/analysis/correlator.h"
#include "sidecar/analysis/operator_reports.h"
#include "sidecar/analysis/restore_advice.h"

namespace fss {
namespace {

// The fields of Finding::SamePlace as one text.
std::string PlaceOf(const Finding& finding) {
  std::string place;
  for (const std::string* field : {&finding.code, &finding.job_id, &finding.vertex_id,
                                   &finding.operator_label, &finding.state, &finding.plan}) {
    place += std::to_string(field->size());
    place += ':';
    place += *field;
  }
  if (finding.node_id) place += std::to_string(*finding.node_id);
  return place;
}

auto SortKey(const Finding& finding) {
  return std::tuple(-static_cast<int>(finding.severity), std::string_view(finding.job),
                    std::string_view(finding.operator_label), std::string_view(finding.state),
                    std::string_view(finding.code), std::string_view(finding.job_id),
                    std::string_view(finding.vertex_id), finding.node_id);
}

// Most severe first; of findings at one place the first.
void SortAndDedupe(std::vector<Finding>* findings) {
  std::stable_sort(findings->begin(), findings->end(),
                   [](const Finding& a, const Finding& b) { return SortKey(a) < SortKey(b); });
  const auto same = [](const Finding& a, const Finding& b) { return a.SamePlace(b); };
  findings->erase(std::unique(findings->begin(), findings->end(), same), findings->end());
}

std::vector<Finding> InspectPlan(const std::vector<std::unique_ptr<PlanDetector>>& detectors,
                                 const PlanContext& context) {
  std::vector<Finding> findings;
  for (const auto& detector : detectors) detector->Inspect(context, &findings);
  SortAndDedupe(&findings);
  return findings;
}

// Findings that say of a TTL that it is not what was meant.
bool DoubtsTtl(const Finding& finding) {
  return finding.code == "ttl-from-job-default" || finding.code == "ttl-mismatch";
}

// Texts about a plan name its operators: "Join[36]". People look for the running job's own numbers
// ("Join[52]") where those differ. "node 36 of the plan file" stays.
std::string WithRunningIds(const std::string& text,
                           const std::unordered_map<std::int64_t, std::int64_t>& running_id) {
  if (running_id.empty()) return text;
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '[') continue;
    std::int64_t id = 0;
    const char* begin = text.data() + i + 1;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), id);
    if (error != std::errc() || end == text.data() + text.size() || *end != ']') continue;
    const auto found = running_id.find(id);
    if (found == running_id.end()) continue;
    out += std::to_string(found->second);
    i += static_cast<std::size_t>(end - begin);
  }
  return out;
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
  const bool heap =
      job.config && BackendFamilyOf(job.config->state_backend) == BackendFamily::kHashMap;
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
       const std::vector<std::unique_ptr<PlanDetector>>& plan_detectors,
       const std::vector<std::unique_ptr<JobDetector>>& job_detectors)
      : snapshot_(snapshot),
        options_(options),
        plan_detectors_(plan_detectors),
        job_detectors_(job_detectors) {
    for (const CompiledPlan& plan : library.plans) plans_.emplace(plan.file, &plan);
  }

  void Add(const JobSnapshot& job, const JobLink& link, JobReport* job_report, Report* report) {
    const CompiledPlan* plan = PlanOf(link);
    OperatorReports operators = MakeOperatorReports(job, link, plan, &names_);
    const bool one_plan = link.outcome != JobLink::Outcome::kAmbiguous || link.candidates_agree;
    if (plan != nullptr && one_plan) {
      job_report->plan = plan->file;
      job_report->plan_matched_by = link.how;
    }
    std::vector<Finding> findings;
    if (plan != nullptr) AddPlanFindings(job, *plan, &operators, &findings);
    const JobContext context{job, link, plan, snapshot_.flink_version, options_.plans_configured};
    for (const auto& detector : job_detectors_) detector->Inspect(context, &findings);
    for (Finding& finding : findings) {
      finding.job = job.name;
      finding.job_id = job.id;
      report->findings.push_back(std::move(finding));
    }
    job_report->operators = std::move(operators.operators);
  }

 private:
  const CompiledPlan* PlanOf(const JobLink& link) const {
    if (link.outcome == JobLink::Outcome::kNoPlan) return nullptr;
    const auto found = plans_.find(link.plan_file);
    return found == plans_.end() ? nullptr : found->second;
  }

  // The plan's findings, for the nodes that run in this job.
  void AddPlanFindings(const JobSnapshot& job, const CompiledPlan& plan, OperatorReports* operators,
                       std::vector<Finding>* findings) {
    for (const Finding& of_plan : FindingsOf(job, plan)) {
      if (!of_plan.node_id) continue;
      const auto found = operators->by_node.find(*of_plan.node_id);
      if (found == operators->by_node.end()) continue;
      OperatorReport& op = operators->operators[found->second];
      Finding& finding = findings->emplace_back(of_plan);
      finding.vertex_id = op.vertex_id;
      finding.operator_label = op.label;
      finding.message = WithRunningIds(finding.message, operators->running_id);
      finding.advice = WithRunningIds(finding.advice, operators->running_id);
      if (!DoubtsTtl(finding)) continue;
      for (EntryReport& entry : op.state) {
        if (entry.name == finding.state) entry.suspicious_ttl = true;
      }
    }
  }

  // Jobs of one plan and backend have the same; thousands of jobs may run a few plans.
  const std::vector<Finding>& FindingsOf(const JobSnapshot& job, const CompiledPlan& plan) {
    const std::string backend = job.config ? job.config->state_backend : std::string();
    const auto [found, added] = findings_.try_emplace({&plan, backend});
    if (added) {
      const PlanContext context{
          plan, snapshot_.flink_version.empty() ? plan.flink_version : snapshot_.flink_version,
          backend, true};
      found->second = InspectPlan(plan_detectors_, context);
    }
    return found->second;
  }

  const ClusterSnapshot& snapshot_;
  const EvaluatorOptions& options_;
  const std::vector<std::unique_ptr<PlanDetector>>& plan_detectors_;
  const std::vector<std::unique_ptr<JobDetector>>& job_detectors_;
  std::unordered_map<std::string_view, const CompiledPlan*> plans_;
  std::map<std::pair<const CompiledPlan*, std::string>, std::vector<Finding>> findings_;
  KindNames names_;
};

}  // namespace

std::vector<Finding> EvaluatePlan(const CompiledPlan& plan) {
  const PlanContext context{plan, plan.flink_version, {}, false};
  return InspectPlan(AllPlanDetectors(), context);
}

Evaluator::Evaluator(EvaluatorOptions options)
    : options_(std::move(options)),
      plan_detectors_(AllPlanDetectors()),
      job_detectors_(AllJobDetectors()) {
  if (options_.uid_formats.empty()) options_.uid_formats = DefaultUidFormats();
}

Evaluator::LinkBasis Evaluator::BasisOf(const ClusterSnapshot& snapshot,
                                        const PlanLibrary& library) {
  LinkBasis basis{library.generation, snapshot.flink_version, {}};
  basis.jobs.reserve(snapshot.jobs.size());
  for (const JobSnapshot& job : snapshot.jobs) {
    basis.jobs.emplace_back(job.id, job.start_ms, job.state, job.graph.vertices.size());
  }
  return basis;
}

// Jobs and plans change rarely, and a job's graph never after its start: most polls keep the links.
void Evaluator::Relink(const ClusterSnapshot& snapshot, const PlanLibrary& library) {
  LinkBasis basis = BasisOf(snapshot, library);
  const bool counted = library.generation != 0 || library.plans.empty();
  if (counted && links_.size() == snapshot.jobs.size() && basis == basis_) return;
  links_ = Correlate(snapshot.jobs, library, options_.uid_formats, snapshot.flink_version);
  basis_ = std::move(basis);
}

Report Evaluator::Evaluate(const ClusterSnapshot& snapshot, const PlanLibrary& library) {
  Report report;
  report.cluster = snapshot.cluster;
  report.flink_version = snapshot.flink_version;
  report.taken_ms = snapshot.taken_ms;
  report.plans_loaded = library.plans.size();
  report.plans_unreadable = library.unreadable.size();
  Relink(snapshot, library);
  Poll poll(snapshot, library, options_, plan_detectors_, job_detectors_);
  std::set<std::pair<std::string, std::int64_t>> incremental;
  report.jobs.reserve(snapshot.jobs.size());
  for (std::size_t j = 0; j < snapshot.jobs.size(); ++j) {
    const JobSnapshot& job = snapshot.jobs[j];
    JobReport& job_report = report.jobs.emplace_back(DescribeJob(snapshot, job));
    if (job_report.terminal) continue;
    poll.Add(job, links_[j], &job_report, &report);
    const std::pair<std::string, std::int64_t> run{job.id, job.start_ms};
    job_report.incremental = SeenIncremental(job);
    // Once seen it stays: a restore makes Flink's history forget it.
    if (incremental_.contains(run)) job_report.incremental = true;
    if (job_report.incremental == true) incremental.insert(run);
  }
  incremental_ = std::move(incremental);
  SortAndDedupe(&report.findings);
  std::unordered_map<std::string, std::int64_t> first_seen;
  for (Finding& finding : report.findings) {
    std::string place = PlaceOf(finding);
    const auto before = first_seen_.find(place);
    finding.first_seen_ms = before == first_seen_.end() ? snapshot.taken_ms : before->second;
    first_seen.emplace(std::move(place), *finding.first_seen_ms);
  }
  first_seen_ = std::move(first_seen);
  return report;
}

}  // namespace fss
