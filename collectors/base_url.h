// The base URL of a JobManager, taken apart so that credentials never reach a log.
// Pure functions; safe from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sidecar/base/result.h"

namespace fss {

struct BaseUrl {
  std::string url;         // "https://host:8443/flink/ns": no credentials, no slash at the end
  std::string origin;      // "https://host:8443"
  std::string path;        // "/flink/ns", or empty
  std::uint16_t port = 0;  // the scheme's where the URL has none
  // Value of an Authorization header ("Basic …") where the URL had user:password@. Secret.
  std::string authorization;
};

// kInvalidArgument for what is not http:// or https:// with a host, or has a query or fragment,
// spaces or control characters, or an IPv6 address for a host (a name of it will do). The error
// never repeats credentials.
Result<BaseUrl> ParseBaseUrl(std::string_view text);

}  // namespace fss
