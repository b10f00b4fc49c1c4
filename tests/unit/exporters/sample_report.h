// Reports for the exporters' tests.
#pragma once

#include "sidecar/model/linted_plan.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// A cluster that has a bit of everything: a cascade with its plan, a window job, a job without a
// plan or checkpoint, an ended one; findings of each severity.
Report SampleReport();
SidecarStats SampleStats();
std::vector<LintedPlan> SampleLint();

// A job of one operator with a size and a state entry that is kept for ever.
JobReport OneOperatorJob(const std::string& name, const std::string& id);
// A report of an answered poll with these jobs.
Report ReportOf(std::vector<JobReport> jobs);

}  // namespace fss
