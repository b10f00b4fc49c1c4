#include "sidecar/analysis/lab/lab_grade.h"

#include <string>
#include <utility>

#include "sidecar/analysis/lab/lab_report.h"
#include "sidecar/analysis/lab/plan_steps.h"
#include "sidecar/analysis/lab/result_steps.h"

namespace fss {
namespace {

Result<std::string> CheckWindow(const LabFolder& folder, std::span<const LabOrder> orders) {
  const Result<std::string> plan = CheckWindowPlan(folder);
  if (!plan.ok()) return plan.error();
  const Result<std::string> rows = CheckWindowRows(folder, orders);
  if (!rows.ok()) return rows.error();
  return *plan + "; " + *rows;
}

Result<std::string> CheckReport(const LabFolder& folder) {
  if (!folder.report.ok()) return folder.report.error();
  const Result<LabReport> facts = MakeLabReport(folder);
  if (!facts.ok()) {
    return Error{facts.error().code, "cannot be compared: " + facts.error().ToString(),
                 std::string(kLabReportFile)};
  }
  const Status claims = CheckClaims(*folder.report, *facts);
  if (!claims.ok()) {
    return Error{claims.error().code, claims.error().message, std::string(kLabReportFile)};
  }
  return std::string("report.json agrees with the artefacts");
}

}  // namespace

std::vector<LabStep> GradeLab(const LabFolder& folder, std::span<const LabOrder> orders) {
  std::vector<LabStep> steps;
  const auto add = [&](std::string name, const Result<std::string>& outcome) {
    steps.push_back({static_cast<int>(steps.size()) + 1, std::move(name), outcome.ok(),
                     outcome.ok() ? *outcome : outcome.error().ToString()});
  };
  add("filter", CheckFilter(folder));
  add("group-by", CheckGroupBy(folder));
  add("group-by-ttl", CheckGroupByTtl(folder));
  add("join-hints", CheckJoinHints(folder));
  add("cascade", CheckCascade(folder));
  add("window", CheckWindow(folder, orders));
  add("rocks", CheckRocks(folder, orders));
  add("report", CheckReport(folder));
  return steps;
}

}  // namespace fss
