// The JUnit XML of `lint`: what CI systems show as tests.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "sidecar/model/linted_plan.h"

namespace fss {

// A <testsuite> for each plan, in the order given. Its first <testcase> is that the file can be
// read (an <error> where not); then one for each operator that keeps state or has a finding, in the
// order of the file, and last one for findings about no operator that is known. Findings of which
// `fails` is true are its <failure>, all in one, for readers that take only the first; others are
// its <system-out>, so that a test without a failure passes. Times are left out: nothing ran. Pure;
// safe from any thread. XML 1.0 in UTF-8 whatever came in.
std::string LintJunit(std::span<const LintedPlan> plans,
                      const std::function<bool(const Finding&)>& fails);

}  // namespace fss
