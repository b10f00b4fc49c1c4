// Plans that were a job's once: evidence, and what no longer fits.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sidecar/analysis/job_units.h"
#include "sidecar/analysis/plan_fit.h"
#include "sidecar/analysis/plan_index.h"

namespace fss {

// The fit whose plan was evidently the job's, or nullptr: at least half of the job's operators
// agree by id and text (`fits` are PlanFitter::ByUid's), among them one that keeps state (by text,
// or by its uid's hash), and the job writes a table that the plan writes. Plans of fresh sessions
// share ids and, over the same source, the texts of the first operators: that alone is no evidence.
// Nor is a plan that fits another job.
const Fit* FindDrift(const JobUnits& job, const std::vector<Fit>& fits,
                     const std::function<bool(std::uint32_t)>& fits_another_job);

// A line per operator that does not fit, the stateful first; at most nine.
std::vector<std::string> DriftDetails(const JobUnits& job, const PlanFacts& plan, const Fit& fit);

}  // namespace fss
