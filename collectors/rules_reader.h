// The rules file (--rules_file): its text as Rules. Its shape: docs/user/rules.md.
#pragma once

#include <string>
#include <string_view>

#include "collectors/rules_limits.h"
#include "sidecar/base/result.h"
#include "sidecar/model/rules.h"

namespace fss {

// The rules of `yaml`; no rules in an empty text. `file` is the name to show. kMalformed for
// whatever would not do what its author meant: an unknown key, a wrong type, a date that is none, a
// critical threshold that a warning never reaches; kTooLarge above the limits. The error names file
// and line as its context, list item and key in its message: "rules.yaml:7: acknowledge[0]: until:
// '2026-02-30' is no date". The first error ends the reading. Safe from any thread.
Result<Rules> ReadRules(std::string_view yaml, const std::string& file);

}  // namespace fss
