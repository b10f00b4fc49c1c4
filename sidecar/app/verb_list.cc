#include <array>
#include <iostream>

#include "sidecar/app/verbs/verbs.h"

namespace fss {

std::span<const Verb> AllVerbs() {
  static const std::array verbs = {kServeVerb, kScanVerb,       kLintVerb,
                                   kDiffVerb,  kCheckpointVerb, kReportVerb,
                                   kGradeVerb, kReplayVerb,     kHealthVerb};
  return verbs;
}

int UsageError(const std::string& line) {
  std::cerr << "flink-state-sidecar: " << line << "\n";
  return kExitUsage;
}

}  // namespace fss
