// health: asks a running sidecar whether it is well, for an image without a client in it.
#include <array>
#include <iostream>

#include "collectors/curl_rest_client.h"
#include "sidecar/app/flags.h"
#include "sidecar/app/verbs/verbs.h"

namespace fss {
namespace {

constexpr int kHttpOk = 200;
// /readyz and /healthz answer a word.
constexpr std::size_t kMaxBodyBytes = 64U << 10U;

// Not kExitUsage: who asks so was right to ask, and a health check knows 0 and 1 alone.
int Unwell(const std::string& url, const std::string& reason) {
  std::cerr << "flink-state-sidecar: " << url << ": " << reason << "\n";
  return kExitFindings;
}

int RunHealth(const std::vector<std::string>& arguments) {
  if (!arguments.empty()) return UsageError("health takes no argument: '" + arguments[0] + "'");
  const auto timeout = DurationFlag("request_timeout", FLAGS_request_timeout);
  if (!timeout.ok()) return UsageError(timeout.error().ToString());
  RestClientOptions options;
  options.request_timeout = *timeout;
  options.max_body_bytes = kMaxBodyBytes;
  const auto client = NewCurlRestClient(FLAGS_url, options);
  if (!client.ok()) return UsageError("--url: " + client.error().ToString());

  const Result<RestAnswer> answer = (*client)->Get("");
  if (!answer.ok()) return Unwell((*client)->url(), answer.error().ToString());
  if (answer->status != kHttpOk) {
    return Unwell((*client)->url(), "answers " + std::to_string(answer->status));
  }
  return kExitClean;
}

constexpr auto kHealthFlags =
    std::to_array<std::string_view>({"url", "request_timeout", "log_format", "log_level"});

}  // namespace

const Verb kHealthVerb = {"health", "[flags]",
                          "Asks a sidecar that runs: 0 when it answers 200, else 1.", kHealthFlags,
                          RunHealth};

}  // namespace fss
