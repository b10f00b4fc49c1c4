#include "sidecar/analysis/correlator.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "sidecar/analysis/checkpoint_ids.h"
#include "sidecar/analysis/drift.h"
#include "sidecar/analysis/job_units.h"
#include "sidecar/analysis/plan_fit.h"
#include "sidecar/analysis/plan_index.h"

namespace fss {
namespace {

// A job is laid over at most so many plans, those that share most texts with it first. More than a
// handful of plans with equal texts are copies of one statement: which of them it is, nobody can
// tell, and 1,000 jobs times 300 copies must not cost a poll.
constexpr std::size_t kMaxCandidates = 16;

// "agg" of "lab/agg.json".
std::string_view StemOf(std::string_view file) {
  const auto slash = file.rfind('/');
  if (slash != std::string_view::npos) file.remove_prefix(slash + 1);
  return file.substr(0, file.rfind('.'));
}

// "2.3" of "2.3.0".
std::string_view MinorVersion(std::string_view version) {
  const auto first = version.find('.');
  if (first == std::string_view::npos) return version;
  return version.substr(0, version.find('.', first + 1));
}

// What is known of one job after the first pass.
struct Work {
  JobUnits units;
  std::vector<Fit> best;     // fits that are equally good; empty: none
  std::vector<Fit> partway;  // plans that share ids and texts with it, for drift
};

class Correlation {
 public:
  Correlation(const std::vector<JobSnapshot>& jobs, const PlanLibrary& library,
              const std::vector<std::string>& uid_formats, std::string_view flink_version,
              const CheckpointLibrary& checkpoints)
      : jobs_(jobs),
        checkpoints_(checkpoints),
        index_(library, uid_formats),
        fitter_(index_),
        version_(MinorVersion(flink_version)),
        tally_(index_.size(), 0),
        claimed_by_uid_(index_.size(), 0),
        matched_(index_.size(), false) {}

  std::vector<JobLink> Run() {
    std::vector<Work> works(jobs_.size());
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (!jobs_[j].Terminal()) FindFits(jobs_[j], &works[j]);
    }
    // What other jobs claim is known only now.
    for (const Work& work : works) NoteClaims(work);
    std::vector<JobLink> links;
    links.reserve(jobs_.size());
    for (std::size_t j = 0; j < jobs_.size(); ++j) links.push_back(Decide(jobs_[j], &works[j]));
    return links;
  }

 private:
  void FindFits(const JobSnapshot& job, Work* work) {
    work->units = MakeUnits(job.graph, index_, &names_);
    for (const auto& [plan, shared] : Candidates(job, work->units)) {
      if (!work->best.empty() && shared < work->best.front().linked) break;
      Consider(work, plan);
    }
    if (work->best.empty()) FindByShape(work);
  }

  // Plans by how many units they share a text with, most first.
  std::vector<std::pair<std::uint32_t, std::size_t>> Candidates(const JobSnapshot& job,
                                                                const JobUnits& units) {
    std::vector<std::uint32_t> touched;
    for (const JobUnit& unit : units.units) {
      if (unit.sql) Count(index_.ByLabel(unit.label), &touched);
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> candidates;
    candidates.reserve(touched.size());
    for (std::uint32_t plan : touched) {
      candidates.emplace_back(plan, std::exchange(tally_[plan], 0));
    }
    const auto order = [&](const auto& candidate) {
      const auto& [plan, shared] = candidate;
      const bool named = StemOf(index_.plan(plan).plan->file) == job.name;
      return std::tuple(~shared, !UidHit(units, plan), !named, plan);
    };
    const std::size_t kept = std::min(candidates.size(), kMaxCandidates);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept),
                      candidates.end(),
                      [&](const auto& a, const auto& b) { return order(a) < order(b); });
    candidates.resize(kept);
    return candidates;
  }

  // One for each plan of `refs`, which are sorted by plan.
  void Count(std::span<const NodeRef> refs, std::vector<std::uint32_t>* touched) {
    std::uint32_t last = kNoLabel;
    for (const NodeRef& ref : refs) {
      if (ref.plan == last) continue;
      last = ref.plan;
      if (tally_[ref.plan]++ == 0) touched->push_back(ref.plan);
    }
  }

  // Whether a keyed operator's vertex has the id of a uid of this plan.
  bool UidHit(const JobUnits& units, std::uint32_t plan) const {
    for (const JobOperator& op : units.operators) {
      if (op.chain != 0 || !units.units[op.unit].keyed) continue;
      for (const NodeRef& ref : units.uid_refs[op.vertex]) {
        if (ref.plan == plan && index_.plan(plan).nodes[ref.node].keyed) return true;
      }
    }
    return false;
  }

  void Consider(Work* work, std::uint32_t plan) {
    Fit by_uid = fitter_.ByUid(work->units, plan);
    const bool proved = by_uid.strength != MatchedBy::kNone;
    if (proved && by_uid.linked == work->units.sql) {
      Keep(std::move(by_uid), work);
      return;
    }
    // Texts cannot beat the uid proof that another plan has.
    if (!proved && !work->best.empty() && work->best.front().strength == MatchedBy::kUid) return;
    Fit by_text = fitter_.ByText(work->units, plan);
    // Started from a plan with these uids, it would run all of it: this plan has more now.
    if (by_text.partial && by_uid.uid_proofs > 0) by_text.strength = MatchedBy::kNone;
    if (proved) {
      FillIn(by_text, &by_uid);
      Keep(std::move(by_uid), work);
    } else if (by_text.strength != MatchedBy::kNone) {
      Keep(std::move(by_text), work);
    } else {
      work->partway.push_back(std::move(by_uid));
    }
  }

  // Names without ids (simplified names switched off) leave the middle of chains to the texts.
  static void FillIn(const Fit& by_text, Fit* fit) {
    for (std::size_t u = 0; u < fit->node.size(); ++u) {
      const std::int32_t node = by_text.node[u];
      if (fit->node[u] != kNoNode || node == kNoNode) continue;
      if (std::find(fit->node.begin(), fit->node.end(), node) != fit->node.end()) continue;
      fit->node[u] = node;
      fit->how[u] = MatchedBy::kDescription;
      ++fit->linked;
    }
  }

  // Smaller is better: the stronger proof, the whole plan, the most that fits, the least left over.
  auto Rank(const Fit& fit) const {
    const std::size_t visible = index_.plan(fit.plan).visible;
    const std::size_t left_over = visible > fit.linked ? visible - fit.linked : 0;
    return std::tuple(fit.strength, fit.partial, ~fit.linked, left_over);
  }

  void Keep(Fit fit, Work* work) const {
    if (!work->best.empty() && Rank(work->best.front()) < Rank(fit)) return;
    if (!work->best.empty() && Rank(fit) < Rank(work->best.front())) work->best.clear();
    work->best.push_back(std::move(fit));
  }

  void FindByShape(Work* work) {
    const bool texts = std::any_of(work->units.units.begin(), work->units.units.end(),
                                   [](const JobUnit& unit) { return unit.comparable; });
    if (!work->units.any_keyed || index_.size() == 0 || (texts && version_.empty())) return;
    if (shapes_.empty()) {
      for (std::uint32_t p = 0; p < index_.size(); ++p) {
        shapes_[ShapeOfPlan(index_.plan(p))].push_back(p);
      }
    }
    const auto found = shapes_.find(ShapeOfJob(work->units));
    if (found == shapes_.end()) return;
    for (std::uint32_t plan : found->second) {
      if (work->best.size() >= kMaxCandidates) break;
      // Texts of one version can be compared, and have been: they differ.
      const std::string_view compiled = MinorVersion(index_.plan(plan).plan->flink_version);
      if (texts && (compiled.empty() || compiled == version_)) continue;
      Fit fit = fitter_.ByTopology(work->units, plan);
      if (fit.strength != MatchedBy::kNone) Keep(std::move(fit), work);
    }
  }

  void NoteClaims(const Work& work) {
    for (const Fit& fit : work.best) {
      matched_[fit.plan] = true;
      if (fit.strength == MatchedBy::kUid) ++claimed_by_uid_[fit.plan];
    }
  }

  JobLink Decide(const JobSnapshot& job, Work* work) const {
    const CheckpointIds ids = IdsOf(job);
    if (work->best.empty()) return Drifted(*work, ids);
    Prefer(work, [&](const Fit& fit) {
      // A plan that another job runs by uid is less likely the source of a plain INSERT.
      return fit.strength == MatchedBy::kUid || claimed_by_uid_[fit.plan] == 0;
    });
    // The last word: a plan called after the job. Nothing proves it, but it is how an owner of two
    // plans with equal texts can say which is which, and docs/findings.md says so.
    Prefer(work,
           [&](const Fit& fit) { return StemOf(index_.plan(fit.plan).plan->file) == job.name; });
    const Fit& fit = work->best.front();
    JobLink link = LinkOf(*work, fit, JobLink::Outcome::kMatched, ids);
    if (work->best.size() > 1) MarkAmbiguous(*work, &link);
    return link;
  }

  // Keeps the fits that `likely` holds for, unless that is none of them.
  template <typename Likely>
  static void Prefer(Work* work, Likely likely) {
    if (std::none_of(work->best.begin(), work->best.end(), likely)) return;
    std::erase_if(work->best, [&](const Fit& fit) { return !likely(fit); });
  }

  // Several plans fit: where they say the same TTLs nothing is lost; where they do not, the
  // operator keeps its kind alone, and no TTL is shown.
  void MarkAmbiguous(const Work& work, JobLink* link) const {
    link->outcome = JobLink::Outcome::kAmbiguous;
    link->candidates_agree = true;
    for (const Fit& fit : work.best) link->candidates.push_back(index_.plan(fit.plan).plan->file);
    for (std::size_t u = 0; u < work.units.units.size(); ++u) {
      if (AllAgree(work.best, u)) continue;
      link->candidates_agree = false;
      for (std::uint32_t place : work.units.units[u].operators) {
        OperatorLink& op = link->links[place];
        op.node_id.reset();
        op.how = work.units.units[u].kind != nullptr ? MatchedBy::kName : MatchedBy::kNone;
      }
    }
  }

  bool AllAgree(const std::vector<Fit>& fits, std::size_t unit) const {
    const PlanNode* first = NodeOf(fits.front(), unit);
    return std::all_of(fits.begin() + 1, fits.end(), [&](const Fit& fit) {
      const PlanNode* node = NodeOf(fit, unit);
      if (first == nullptr || node == nullptr) return first == node;
      return SameTtls(*first, *node);
    });
  }

  const PlanNode* NodeOf(const Fit& fit, std::size_t unit) const {
    if (fit.node[unit] == kNoNode) return nullptr;
    return &index_.plan(fit.plan).plan->nodes[static_cast<std::size_t>(fit.node[unit])];
  }

  CheckpointIds IdsOf(const JobSnapshot& job) const { return {checkpoints_.Of(job), index_}; }

  JobLink Drifted(const Work& work, const CheckpointIds& ids) const {
    const Fit* fit =
        FindDrift(work.units, work.partway, [&](std::uint32_t plan) { return matched_[plan]; });
    if (fit == nullptr) return LinkOf(work, Fit{}, JobLink::Outcome::kNoPlan, ids);
    JobLink link = LinkOf(work, *fit, JobLink::Outcome::kDrifted, ids);
    link.details = DriftDetails(work.units, index_.plan(fit->plan), *fit);
    return link;
  }

  // A fit without nodes links nothing: kinds by name alone.
  JobLink LinkOf(const Work& work, const Fit& fit, JobLink::Outcome outcome,
                 const CheckpointIds& ids) const {
    JobLink link;
    link.outcome = outcome;
    if (outcome != JobLink::Outcome::kNoPlan) link.plan_file = index_.plan(fit.plan).plan->file;
    link.links.reserve(work.units.operators.size());
    for (const JobOperator& op : work.units.operators) {
      link.links.push_back(LinkOperator(work.units, op, fit));
      AddId(op, fit, ids, work.units, &link.links.back());
      link.how = std::min(link.how, link.links.back().how);
    }
    return link;
  }

  OperatorLink LinkOperator(const JobUnits& units, const JobOperator& op, const Fit& fit) const {
    OperatorLink link;
    const JobVertex& vertex = units.graph->vertices[op.vertex];
    link.vertex_id = vertex.id;
    link.chain_index = op.chain;
    if (fit.node.empty() || fit.node[op.unit] == kNoNode) {
      const auto* kind = names_.Known(vertex.chain[op.chain].name);
      link.how = kind != nullptr ? MatchedBy::kName : MatchedBy::kNone;
      return link;
    }
    const auto node = static_cast<std::uint32_t>(fit.node[op.unit]);
    link.node_id = index_.plan(fit.plan).plan->nodes[node].id;
    link.how = fit.how[op.unit];
    if (link.how == MatchedBy::kUid && !HashedTo(units, op, fit.plan, node)) {
      link.how = MatchedBy::kDescription;  // not this vertex' head: its text or its id said so
    }
    return link;
  }

  // The node of the nearest operator before `op` in its chain that has one.
  static std::optional<NodeRef> FeederOf(const JobOperator& op, const Fit& fit,
                                         const JobUnits& units) {
    const std::vector<ChainOperator>& chain = units.graph->vertices[op.vertex].chain;
    const JobOperator* head = &op - op.chain;  // a chain's operators stand side by side
    for (auto parent = chain[op.chain].parent; parent; parent = chain[*parent].parent) {
      const std::int32_t node = fit.node[head[*parent].unit];
      if (node != kNoNode) return NodeRef{fit.plan, static_cast<std::uint32_t>(node)};
    }
    return std::nullopt;
  }

  // Inside a chain the checkpoint has the ids that REST does not tell.
  void AddId(const JobOperator& op, const Fit& fit, const CheckpointIds& ids, const JobUnits& units,
             OperatorLink* link) const {
    const JobVertex& vertex = units.graph->vertices[op.vertex];
    if (op.chain == 0) {
      link->operator_id = vertex.id;
      return;
    }
    const ChainOperator& chained = vertex.chain[op.chain];
    if (fit.node.empty()) {
      link->operator_id = ids.IdOf(chained, nullptr, nullptr);
      return;
    }
    const PlanFacts& plan = index_.plan(fit.plan);
    const bool linked = fit.node[op.unit] != kNoNode;
    const NodeRef node{fit.plan, linked ? static_cast<std::uint32_t>(fit.node[op.unit]) : 0};
    link->operator_id = ids.IdOf(chained, &plan, linked ? &node : nullptr);
    if (link->operator_id.empty() && !linked) {
      if (const auto feeder = FeederOf(op, fit, units)) {
        link->operator_id = ids.Behind(chained, plan, *feeder).id;
      }
    }
    const NodeRef* hashed = ids.NodeOf(link->operator_id, fit.plan);
    if (hashed == nullptr || (linked && hashed->node != node.node)) return;
    link->node_id = plan.plan->nodes[hashed->node].id;
    link->how = MatchedBy::kUid;
  }

  static bool HashedTo(const JobUnits& units, const JobOperator& op, std::uint32_t plan,
                       std::uint32_t node) {
    const auto& refs = units.uid_refs[op.vertex];
    return op.chain == 0 && std::any_of(refs.begin(), refs.end(), [&](const NodeRef& ref) {
             return ref.plan == plan && ref.node == node;
           });
  }

  const std::vector<JobSnapshot>& jobs_;
  const CheckpointLibrary& checkpoints_;
  PlanIndex index_;
  PlanFitter fitter_;
  KindNames names_;
  std::string_view version_;
  std::vector<std::size_t> tally_;  // per plan; all zero between jobs
  std::vector<int> claimed_by_uid_;
  std::vector<bool> matched_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> shapes_;  // filled when needed
};

}  // namespace

std::vector<std::string> DefaultUidFormats() {
  return {
      "<id>_<transformation>",                   // the default since 1.16
      "<id>_<type>_<version>_<transformation>",  // the default of 1.15, which old jobs still carry
      "<id>_<type>_<transformation>",
      "<type>_<id>_<transformation>",
  };
}

std::vector<JobLink> Correlate(const std::vector<JobSnapshot>& jobs, const PlanLibrary& library,
                               const std::vector<std::string>& uid_formats,
                               const std::string& flink_version,
                               const CheckpointLibrary& checkpoints) {
  return Correlation(jobs, library, uid_formats, flink_version, checkpoints).Run();
}

}  // namespace fss
