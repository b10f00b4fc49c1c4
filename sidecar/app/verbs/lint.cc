// lint: judges compiled plans before they run.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "collectors/policy_reader.h"
#include "exporters/json/lint_json.h"
#include "exporters/junit/lint_junit.h"
#include "exporters/sarif/lint_sarif.h"
#include "exporters/text/lint_text.h"
#include "sidecar/analysis/plan_lint.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/log.h"
#include "sidecar/app/plan_input.h"
#include "sidecar/app/terminal.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

namespace fs = std::filesystem;

// The *.json files below `folder`, sorted; hidden names are left out, as a plan folder's are.
std::vector<std::string> PlansBelow(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied,
                                           error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    const fs::path& path = entries->path();
    if (path.filename().string().starts_with(".")) {
      entries.disable_recursion_pending();
    } else if (path.extension() == ".json" && entries->is_regular_file(error)) {
      files.push_back(path.string());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> FilesToJudge(const std::vector<std::string>& arguments) {
  std::vector<std::string> files;
  for (const std::string& argument : arguments) {
    std::error_code error;
    if (argument != kStandardInput && fs::is_directory(argument, error)) {
      std::ranges::move(PlansBelow(argument), std::back_inserter(files));
    } else {
      files.push_back(argument);
    }
  }
  return files;
}

LintedPlan Judge(const std::string& file, const Policy* policy) {
  const Result<CompiledPlan> plan = ReadNamedPlan(file);
  if (!plan.ok()) {
    LintedPlan broken;
    broken.file = file;
    broken.error = plan.error().message;
    return broken;
  }
  for (const std::string& problem : plan->problems) {
    Log(LogLevel::kWarn, "odd plan", {{"file", file}, {"problem", problem}});
  }
  return LintPlan(*plan, policy);
}

std::string Shown(const std::vector<LintedPlan>& plans, OutputFormat format,
                  const std::optional<Severity>& fail_on) {
  switch (format) {
    case OutputFormat::kText:
      return LintText(plans, TerminalOptions());
    case OutputFormat::kJson:
      return LintJson(plans) + "\n";
    case OutputFormat::kSarif:
      return LintSarif(plans) + "\n";
    case OutputFormat::kJunit:
      break;
  }
  // A test fails where the exit code would tell of it.
  return LintJunit(plans, [&fail_on](const Finding& finding) { return Fails(finding, fail_on); });
}

int RunLint(const std::vector<std::string>& arguments) {
  const auto format = LintFormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  const auto fail_on = FailOnFlag();
  if (!fail_on.ok()) return UsageError(fail_on.error().ToString());
  std::optional<Policy> policy;
  if (!FLAGS_policy.empty()) {
    Result<Policy> read = ReadPolicyFile(FLAGS_policy);
    if (!read.ok()) return UsageError("--policy: " + read.error().ToString());
    policy = *std::move(read);
  }
  const std::vector<std::string> files = FilesToJudge(arguments);
  if (files.empty()) return UsageError("no plan given: name files, folders or - (standard input)");

  std::vector<LintedPlan> plans;
  int exit_code = kExitClean;
  for (const std::string& file : files) {
    plans.push_back(Judge(file, policy ? &*policy : nullptr));
    exit_code = std::max(exit_code, FindingsExitCode(plans.back().findings, *fail_on));
  }
  std::cout << Shown(plans, *format, *fail_on);
  std::cout.flush();
  for (const LintedPlan& plan : plans) {
    if (!plan.error.empty()) exit_code = UsageError(plan.file + ": " + plan.error);
  }
  return exit_code;
}

constexpr auto kLintFlags =
    std::to_array<std::string_view>({"policy", "format", "fail_on", "log_format", "log_level"});

}  // namespace

const Verb kLintVerb = {"lint", "PLAN.json… [flags]",
                        "Judges compiled plans (files, folders, - for standard input) before they "
                        "run.",
                        kLintFlags, RunLint};

}  // namespace fss
