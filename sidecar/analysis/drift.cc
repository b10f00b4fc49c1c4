#include "sidecar/analysis/drift.h"

#include <algorithm>
#include <tuple>

#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxDetails = 8;        // a message for people; the rest is counted
constexpr std::size_t kMaxDescription = 160;  // bytes of a description within one

std::string LabelOf(const JobUnits& job, const JobUnit& unit) {
  const JobOperator& op = job.operators[unit.operators.front()];
  return OneLine(job.graph->vertices[op.vertex].chain[op.chain].Label(), kMaxDescription);
}

std::string Shorten(std::string_view description) { return OneLine(description, kMaxDescription); }

std::string MisfitLine(const JobUnits& job, const JobUnit& unit, const PlanFacts& plan,
                       const std::vector<bool>& used) {
  const std::string label = LabelOf(job, unit);
  if (unit.id) {
    const auto node = plan.graph.IndexOf(*unit.id);
    if (node && !used[*node]) {
      return label + " runs as " + Shorten(unit.text) + ", the plan has " +
             Shorten(plan.graph.node(*node).description);
    }
  }
  return label + " runs, the plan has no such operator: " + Shorten(unit.text);
}

}  // namespace

const Fit* FindDrift(const JobUnits& job, const std::vector<Fit>& fits,
                     const std::function<bool(std::uint32_t)>& fits_another_job) {
  const Fit* best = nullptr;
  for (const Fit& fit : fits) {
    // Where names carry no ids, hashes have to stand for them.
    const bool half = fit.by_id * 2 >= job.sql || (fit.uid_proofs > 0 && fit.linked * 2 >= job.sql);
    if (!half || fit.proofs == 0 || !fit.sinks_agree || fits_another_job(fit.plan)) continue;
    const auto rank = [](const Fit& f) { return std::tuple(f.linked, f.proofs); };
    if (best == nullptr || rank(*best) < rank(fit)) best = &fit;
  }
  return best;
}

std::vector<std::string> DriftDetails(const JobUnits& job, const PlanFacts& plan, const Fit& fit) {
  std::vector<bool> used(plan.nodes.size(), false);
  for (std::int32_t node : fit.node) {
    if (node != kNoNode) used[static_cast<std::size_t>(node)] = true;
  }
  std::vector<std::uint32_t> misfits = fit.misfits;
  std::stable_partition(misfits.begin(), misfits.end(),
                        [&](std::uint32_t u) { return job.units[u].keyed; });
  std::vector<std::string> details;
  details.reserve(misfits.size() + fit.unused.size());
  for (std::uint32_t u : misfits) details.push_back(MisfitLine(job, job.units[u], plan, used));
  for (std::uint32_t n : fit.unused) {
    details.push_back(NodeLabel(plan.graph.node(n)) + " of the plan does not run in the job: " +
                      Shorten(plan.graph.node(n).description));
  }
  if (details.size() > kMaxDetails) {
    const std::size_t more = details.size() - kMaxDetails;
    details.resize(kMaxDetails);
    details.push_back("and " + std::to_string(more) + " more");
  }
  return details;
}

}  // namespace fss
