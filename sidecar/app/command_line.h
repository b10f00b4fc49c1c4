// From argv to a verb: parsing, --help and --version.
#pragma once

namespace fss {

// Runs the verb that the command line names and returns the process' exit code. Call once.
int RunCommandLine(int argc, char** argv);

}  // namespace fss
