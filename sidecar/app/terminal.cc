#include "sidecar/app/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "sidecar/app/verb.h"

namespace fss {

TextOptions TerminalOptions() {
  // Below this the operator table is unreadable; above it sentences are.
  constexpr std::size_t kNarrowest = 60;
  constexpr std::size_t kWidest = 140;
  TextOptions options;
  if (isatty(STDOUT_FILENO) == 0) return options;
  options.color = std::getenv("NO_COLOR") == nullptr;  // NOLINT(concurrency-mt-unsafe)
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) {
    options.width = std::clamp<std::size_t>(window.ws_col, kNarrowest, kWidest);
  }
  return options;
}

bool Fails(const Finding& finding, std::optional<Severity> fail_on) {
  return fail_on && !finding.acknowledged && finding.severity >= *fail_on;
}

int FindingsExitCode(const std::vector<Finding>& findings, std::optional<Severity> fail_on) {
  const bool failing = std::ranges::any_of(
      findings, [&](const Finding& finding) { return Fails(finding, fail_on); });
  return failing ? kExitFindings : kExitClean;
}

}  // namespace fss
