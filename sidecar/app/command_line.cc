#include "sidecar/app/command_line.h"

#include <gflags/gflags.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/app/log.h"
#include "sidecar/app/verb.h"
#include "sidecar/base/text.h"

// gflags ends the process itself on a bad flag, with 1; ours means "findings". This hook is
// exported by the library (for its own tests) but stands in none of its headers.
namespace google {
extern void (*gflags_exitfunc)(int);  // NOLINT
}

namespace fss {
namespace {

constexpr std::string_view kProgram = "flink-state-sidecar";

// gflags' own flags that make sense for every verb.
constexpr std::string_view kEverywhere[] = {"flagfile", "fromenv", "tryfromenv",
                                            "undefok",  "help",    "version"};

void PrintFlag(std::string_view name) {
  gflags::CommandLineFlagInfo info;
  if (!gflags::GetCommandLineFlagInfo(std::string(name).c_str(), &info)) return;
  std::cout << "  --" << info.name << (info.type == "bool" ? "" : "=" + info.default_value) << "\n"
            << "      " << info.description << "\n";
}

void PrintVerbHelp(const Verb& verb) {
  std::cout << kProgram << " " << verb.name << " " << verb.usage << "\n\n"
            << verb.summary << "\n\nFlags (with their defaults):\n";
  for (const std::string_view flag : verb.flags) PrintFlag(flag);
  std::cout << "  --flagfile=FILE, --fromenv=NAMES\n"
            << "      Read flags from a file, or from environment variables FLAGS_<name>.\n";
}

void PrintProgramHelp() {
  std::cout << kProgram << " [verb] [flags]\n\n"
            << "Says which operator of which Flink SQL job keeps state, for how long, and what to "
               "change.\n\n";
  for (const Verb& verb : AllVerbs()) {
    std::cout << "  " << verb.name << " " << verb.usage << "\n      " << verb.summary << "\n";
  }
  std::cout << "\nWithout a verb: " << AllVerbs().front().name
            << ". The flags of a verb: " << kProgram << " VERB --help.\n"
            << "Exit codes: 0 nothing at or above --fail_on, 1 findings, 2 bad usage or unreadable "
               "input.\n";
}

// The name in "--name", "--name=value", "-name"; empty for what is no flag.
std::string_view FlagName(std::string_view argument) {
  if (argument.size() < 2 || argument[0] != '-') return {};
  argument.remove_prefix(argument[1] == '-' ? 2 : 1);
  return argument.substr(0, argument.find('='));
}

bool Belongs(std::string_view flag, const Verb& verb) {
  const auto listed = [&](std::string_view name) {
    return std::ranges::find(verb.flags, name) != verb.flags.end() ||
           std::ranges::find(kEverywhere, name) != std::end(kEverywhere);
  };
  return listed(flag) || (flag.starts_with("no") && listed(flag.substr(2)));
}

// Flags of another verb are refused where they stand on the command line itself; a flag file may
// serve several verbs.
std::string_view ForeignFlag(const std::vector<std::string>& arguments, const Verb& verb) {
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    const std::string_view flag = FlagName(argument);
    gflags::CommandLineFlagInfo info;
    const bool known =
        !flag.empty() && gflags::GetCommandLineFlagInfo(std::string(flag).c_str(), &info);
    if (known && !Belongs(flag, verb)) return flag;
  }
  return {};
}

bool Asked(const std::vector<std::string>& arguments, std::string_view flag) {
  return std::ranges::any_of(arguments, [&](const std::string& a) { return FlagName(a) == flag; });
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const Verb* verb = AllVerbs().data();
  const bool named = !arguments.empty() && !arguments.front().starts_with("-");
  if (named) {
    const auto found = std::ranges::find(AllVerbs(), arguments.front(), &Verb::name);
    if (found == AllVerbs().end()) {
      return UsageError("'" + OneLine(arguments.front(), 64) +
                        "' is no verb; see flink-state-sidecar --help");
    }
    verb = &*found;
    arguments.erase(arguments.begin());
  }
  if (Asked(arguments, "version")) {
    std::cout << kProgram << " " << FSS_VERSION << "\n";
    return kExitClean;
  }
  if (Asked(arguments, "help") || Asked(arguments, "h")) {
    named ? PrintVerbHelp(*verb) : PrintProgramHelp();
    return kExitClean;
  }
  if (const std::string_view foreign = ForeignFlag(arguments, *verb); !foreign.empty()) {
    return UsageError("--" + std::string(foreign) + " is no flag of " + std::string(verb->name));
  }

  google::gflags_exitfunc = [](int) { std::exit(kExitUsage); };  // NOLINT(concurrency-mt-unsafe)
  std::vector<char*> rest = {argv[0]};
  for (std::string& argument : arguments) rest.push_back(argument.data());
  rest.push_back(nullptr);
  int rest_count = static_cast<int>(rest.size()) - 1;
  char** rest_argv = rest.data();
  gflags::ParseCommandLineNonHelpFlags(&rest_count, &rest_argv, /*remove_flags=*/true);

  if (const Status log = InitLog(); !log.ok()) return UsageError(log.error().ToString());
  return verb->run(std::vector<std::string>(rest_argv + 1, rest_argv + rest_count));
}

}  // namespace fss
