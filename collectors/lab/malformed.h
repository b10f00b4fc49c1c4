// How the readers of the lab's files refuse what they cannot read.
#pragma once

#include <string>
#include <utility>

#include "sidecar/base/result.h"

namespace fss {

inline Error MalformedLab(std::string message) {
  return {ErrorCode::kMalformed, std::move(message), ""};
}

// `line` counts from 1.
inline Error MalformedLab(int line, const std::string& message) {
  return MalformedLab("line " + std::to_string(line) + ": " + message);
}

}  // namespace fss
