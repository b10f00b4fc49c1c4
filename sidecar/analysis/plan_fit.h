// Laying one job over one plan: which unit is which node, and whether the plan is the job's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sidecar/analysis/job_units.h"
#include "sidecar/analysis/plan_index.h"
#include "sidecar/model/operator_link.h"

namespace fss {

inline constexpr std::int32_t kNoNode = -1;

struct Fit {
  std::uint32_t plan = 0;
  // How well the plan as a whole is proved to be the job's: kUid, kDescription, kTopology; kNone
  // when something that must fit does not.
  MatchedBy strength = MatchedBy::kNone;
  // The job runs a part of the plan's statements: text and edges fit, the rest is not there.
  bool partial = false;
  std::vector<std::int32_t> node;  // per unit
  std::vector<MatchedBy> how;      // per unit; kNone where node is kNoNode
  std::size_t by_id = 0;           // units whose id and text are a node's
  std::size_t linked = 0;          // units with a node
  std::size_t proofs = 0;          // keyed units that point to this plan, by text or by uid hash
  std::size_t uid_proofs = 0;      // keyed units linked by their uid's hash
  bool sinks_agree = false;        // a sink writes the plan's table, or the job shows no sink
  std::vector<std::uint32_t> misfits;  // units that should be in the plan and are not
  std::vector<std::uint32_t> unused;   // nodes with state entries that no unit is
};

// Whether two nodes hold the same state entries for the same times.
bool SameTtls(const PlanNode& a, const PlanNode& b);

// Not thread safe (it remembers colours of plans).
class PlanFitter {
 public:
  explicit PlanFitter(const PlanIndex& index) : index_(index), colors_(index.size()) {}

  // As a job started from this plan: ids and texts are the plan's own.
  Fit ByUid(const JobUnits& job, std::uint32_t plan) const;
  // As a job whose statement the plan was compiled from apart: texts are equal, ids are not.
  Fit ByText(const JobUnits& job, std::uint32_t plan);
  // As a job whose texts cannot be compared: equal shapes of operators of equal kinds over equal
  // tables. Only what stands in one place alone is linked.
  Fit ByTopology(const JobUnits& job, std::uint32_t plan) const;

 private:
  struct Group;

  void LinkGroup(const JobUnits& job, const Group& group, Fit* fit);
  void PairByColor(const JobUnits& job, Group* group, Fit* fit);

  const PlanIndex& index_;
  std::vector<std::vector<std::uint64_t>> colors_;  // by plan, of texts; empty: not yet known
};

// The shape of a job and of a plan by kinds and tables; equal for a job and its plan.
std::uint64_t ShapeOfJob(const JobUnits& job);
std::uint64_t ShapeOfPlan(const PlanFacts& plan);

}  // namespace fss
