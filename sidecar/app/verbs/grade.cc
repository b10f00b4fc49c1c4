// grade: judges a folder with the lab's artefacts, step by step, without asking any cluster.
#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "collectors/lab/lab_folder.h"
#include "exporters/json/lab_json.h"
#include "exporters/text/lab_text.h"
#include "sidecar/analysis/lab/lab_grade.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/terminal.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

int RunGrade(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) return UsageError("grade takes one folder");
  const auto format = FormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  if (FLAGS_data.empty()) return UsageError("--data: name the folder with state_orders.csv");
  std::error_code error;
  if (!std::filesystem::is_directory(arguments[0], error)) {
    return UsageError(arguments[0] + ": not a folder");
  }
  const Result<std::vector<LabOrder>> orders = ReadLabOrders(FLAGS_data);
  if (!orders.ok()) return UsageError(orders.error().ToString());

  const std::vector<LabStep> steps = GradeLab(ReadLabFolder(arguments[0]), *orders);
  std::cout << (*format == OutputFormat::kJson ? LabGradeJson(steps) + "\n"
                                               : LabGradeText(steps, TerminalOptions()));
  std::cout.flush();
  return std::ranges::all_of(steps, &LabStep::passed) ? kExitClean : kExitFindings;
}

constexpr auto kGradeFlags =
    std::to_array<std::string_view>({"data", "format", "log_format", "log_level"});

}  // namespace

const Verb kGradeVerb = {"grade", "DIR --data=DIR [flags]",
                         "Judges the lab's artefacts step by step: 0 when all pass, else 1.",
                         kGradeFlags, RunGrade};

}  // namespace fss
