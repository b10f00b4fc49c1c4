// The policy file (lint --policy): its text as a Policy. Its shape: docs/user/policy.md.
#pragma once

#include <string>
#include <string_view>

#include "sidecar/base/result.h"
#include "sidecar/model/policy.h"

namespace fss {

// The policy of `yaml`; an empty text allows what is allowed without one. `file` is the name to
// show. Errors as ReadRules has them. Safe from any thread.
Result<Policy> ReadPolicy(std::string_view yaml, const std::string& file);

// Of the file at `path`. kNotFound, kIo: it cannot be read.
Result<Policy> ReadPolicyFile(const std::string& path);

}  // namespace fss
