#include "sidecar/base/result.h"

#include <algorithm>

namespace fss {

const char* ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid-argument";
    case ErrorCode::kMalformed:
      return "malformed";
    case ErrorCode::kNotFound:
      return "not-found";
    case ErrorCode::kUnreachable:
      return "unreachable";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kTooLarge:
      return "too-large";
    case ErrorCode::kHttpStatus:
      return "http-status";
    case ErrorCode::kIo:
      return "io";
  }
  return "unknown";
}

std::string Error::ToString() const {
  std::string line = context.empty() ? message : context + ": " + message;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

}  // namespace fss
