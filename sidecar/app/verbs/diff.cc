// diff: what changed in state between two compiled plans, and what a restore does with it.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "exporters/json/diff_json.h"
#include "exporters/text/diff_text.h"
#include "sidecar/analysis/plan_diff.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/log.h"
#include "sidecar/app/plan_input.h"
#include "sidecar/app/terminal.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

Result<CompiledPlan> Read(const std::string& file) {
  Result<CompiledPlan> plan = ReadNamedPlan(file);
  if (!plan.ok()) return Error{plan.error().code, plan.error().message, file};
  for (const std::string& problem : plan->problems) {
    Log(LogLevel::kWarn, "odd plan", {{"file", file}, {"problem", problem}});
  }
  return plan;
}

// What the flags say of the Flink that restores.
Result<DiffOptions> OptionsOfFlags() {
  DiffOptions options;
  const Result<std::string> version = FlinkVersionFlag();
  if (!version.ok()) return version.error();
  const Result<std::string> backend = StateBackendFlag();
  if (!backend.ok()) return backend.error();
  options.flink_version = *version;
  options.state_backend = *backend;
  options.uid_format = FLAGS_uid_format;
  return options;
}

int RunDiff(const std::vector<std::string>& arguments) {
  if (arguments.size() != 2) return UsageError("diff takes two plans: OLD.json NEW.json");
  if (std::ranges::all_of(arguments, [](const auto& a) { return a == kStandardInput; })) {
    return UsageError("-: standard input can be one of the two plans, not both");
  }
  const auto format = FormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  const auto fail = FailOnIncompatibleFlag();
  if (!fail.ok()) return UsageError(fail.error().ToString());
  const auto options = OptionsOfFlags();
  if (!options.ok()) return UsageError(options.error().ToString());
  const Result<CompiledPlan> old_plan = Read(arguments[0]);
  if (!old_plan.ok()) return UsageError(old_plan.error().ToString());
  const Result<CompiledPlan> new_plan = Read(arguments[1]);
  if (!new_plan.ok()) return UsageError(new_plan.error().ToString());

  const PlanDiff diff = DiffPlans(*old_plan, *new_plan, *options);
  std::cout << (*format == OutputFormat::kJson ? DiffJson(diff) + "\n"
                                               : DiffText(diff, TerminalOptions()));
  std::cout.flush();
  const bool incompatible = std::ranges::any_of(
      diff.changes, [](const PlanChange& change) { return IsIncompatible(change.restore); });
  return *fail && incompatible ? kExitFindings : kExitClean;
}

constexpr auto kDiffFlags =
    std::to_array<std::string_view>({"flink_version", "state_backend", "uid_format", "format",
                                     "fail_on", "log_format", "log_level"});

}  // namespace

const Verb kDiffVerb = {"diff", "OLD.json NEW.json [flags]",
                        "Says what changed in state and TTL between two compiled plans, and what a "
                        "restore from the old job's savepoint does with it.",
                        kDiffFlags, RunDiff};

}  // namespace fss
