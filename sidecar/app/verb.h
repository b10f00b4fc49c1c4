// A verb of the command line: "serve", "scan", "lint", …; one file each in verbs/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fss {

// Exit codes of every verb.
inline constexpr int kExitClean = 0;     // nothing at or above --fail_on
inline constexpr int kExitFindings = 1;  // findings at or above it
inline constexpr int kExitUsage = 2;     // bad usage or unreadable input, one line on stderr

struct Verb {
  std::string_view name;
  std::string_view usage;                   // what follows the name: "[flags]", "PLAN.json…"
  std::string_view summary;                 // one line
  std::span<const std::string_view> flags;  // names of its flags
  // `arguments` are what is left of the command line. Returns the exit code.
  int (*run)(const std::vector<std::string>& arguments);
};

// All verbs, in the order of --help. The first is run when none is named.
std::span<const Verb> AllVerbs();

// "flink-state-sidecar: <line>" on stderr; returns kExitUsage.
int UsageError(const std::string& line);

}  // namespace fss
