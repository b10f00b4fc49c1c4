// report: the lab report, out of what a user saved with the SQL client and curl.
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "collectors/lab/lab_folder.h"
#include "exporters/json/lab_json.h"
#include "sidecar/analysis/lab/lab_report.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

int RunReport(const std::vector<std::string>& arguments) {
  if (arguments.size() != 1) return UsageError("report takes one folder");
  // The report is one JSON object in either format.
  const auto format = FormatFlag();
  if (!format.ok()) return UsageError(format.error().ToString());
  const Result<LabReport> report = MakeLabReport(ReadLabFolder(arguments[0]));
  if (!report.ok()) return UsageError(report.error().ToString());
  std::cout << LabReportJson(*report) << "\n";
  std::cout.flush();
  return kExitClean;
}

constexpr auto kReportFlags =
    std::to_array<std::string_view>({"format", "log_format", "log_level"});

}  // namespace

const Verb kReportVerb = {"report", "DIR [flags]",
                          "Prints the lab report, as JSON, of a folder with its artefacts.",
                          kReportFlags, RunReport};

}  // namespace fss
