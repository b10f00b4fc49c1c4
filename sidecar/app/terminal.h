// Where text goes: how wide it may be, whether it may be coloured, and what the exit code says.
#pragma once

#include <optional>
#include <vector>

#include "exporters/text/report_text.h"
#include "sidecar/model/finding.h"

namespace fss {

// A terminal's own width and colours (unless NO_COLOR is set); 100 columns without colours in a
// pipe or file.
TextOptions TerminalOptions();

// Whether the finding is not acknowledged and at or above `fail_on`.
bool Fails(const Finding& finding, std::optional<Severity> fail_on);

// kExitFindings when one that is not acknowledged is at or above `fail_on`, else kExitClean.
int FindingsExitCode(const std::vector<Finding>& findings, std::optional<Severity> fail_on);

}  // namespace fss
