#include "collectors/http_failure.h"

#include <array>

#include "sidecar/base/text.h"

namespace fss {
namespace {

struct FailureText {
  std::string_view begins;
  ErrorCode code;
  const char* message;
};
constexpr std::array kFailureTexts = {
    FailureText{"Failed to connect", ErrorCode::kUnreachable, "cannot connect"},
    FailureText{"Error resolving", ErrorCode::kUnreachable, "the host name does not resolve"},
    FailureText{"Failed to resolve", ErrorCode::kUnreachable, "the host name does not resolve"},
    FailureText{"Error in SSL handshake", ErrorCode::kUnreachable, "the TLS handshake failed"},
    FailureText{"Failed to write", ErrorCode::kUnreachable, "the connection broke"},
    FailureText{"Failed to read HTTP status", ErrorCode::kUnreachable,
                "the connection was closed without an answer"},
    FailureText{"Invalid HTTP status", ErrorCode::kMalformed, "not an HTTP answer"},
    FailureText{"Failed to read response body", ErrorCode::kMalformed, "the answer was cut short"},
    FailureText{"Failed to read chunked", ErrorCode::kMalformed, "the answer was cut short"},
    FailureText{"Retrieving message chunk", ErrorCode::kMalformed, "the answer was cut short"},
    FailureText{"Invalid chunked", ErrorCode::kMalformed, "not an HTTP answer"},
};

}  // namespace

Error ErrorFromHttpFailure(std::string_view text, bool timed_out) {
  if (timed_out) return Error{ErrorCode::kTimeout, "no answer in time", ""};
  for (const FailureText& known : kFailureTexts) {
    if (text.substr(0, known.begins.size()) == known.begins) {
      return Error{known.code, known.message, ""};
    }
  }
  return Error{ErrorCode::kUnreachable, OneLine(text, kMaxErrorBytes), ""};
}

}  // namespace fss
