#include "sidecar/app/terminal.h"

#include <gtest/gtest.h>

#include "sidecar/app/verb.h"

namespace fss {
namespace {

std::vector<Finding> OneOf(Severity severity, bool acknowledged = false) {
  Finding finding;
  finding.severity = severity;
  finding.acknowledged = acknowledged;
  return {finding};
}

TEST(FindingsExitCode, FailsAtOrAboveTheGivenSeverity) {
  EXPECT_EQ(FindingsExitCode({}, Severity::kInfo), kExitClean);
  EXPECT_EQ(FindingsExitCode(OneOf(Severity::kInfo), Severity::kWarning), kExitClean);
  EXPECT_EQ(FindingsExitCode(OneOf(Severity::kWarning), Severity::kWarning), kExitFindings);
  EXPECT_EQ(FindingsExitCode(OneOf(Severity::kCritical), Severity::kWarning), kExitFindings);
}

TEST(FindingsExitCode, NeverFailsWhenAskedNotToOrAcknowledged) {
  EXPECT_EQ(FindingsExitCode(OneOf(Severity::kCritical), std::nullopt), kExitClean);
  EXPECT_EQ(FindingsExitCode(OneOf(Severity::kCritical, true), Severity::kInfo), kExitClean);
}

TEST(TerminalOptions, APipeHasNoColours) {
  testing::internal::CaptureStdout();  // standard output is now a file
  EXPECT_FALSE(TerminalOptions().color);
  testing::internal::GetCapturedStdout();
}

}  // namespace
}  // namespace fss
