// RestClient: HTTP GET against one server. The one seam between the product and cpprestsdk.
//
// There is no other verb: nothing but GET can leave for a JobManager.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sidecar/base/result.h"

namespace fss {

struct RestAnswer {
  int status = 0;
  std::string content_type;
  std::string body;
};

// Thread safety: one call at a time per client.
class RestClient {
 public:
  virtual ~RestClient() = default;

  // The base URL without credentials, for logs.
  virtual const std::string& url() const = 0;

  // GETs every path (absolute below the base URL: "/jobs/overview", already URL-encoded), several
  // at once. `on_answer` is called exactly once per path, on the calling thread, one at a time, in
  // any order, as answers come; the call returns after the last. Any status is an answer; an
  // Error is kTimeout, kUnreachable, kTooLarge (body above the limit) or kMalformed (not HTTP, a
  // body cut short).
  using OnAnswer = std::function<void(std::size_t index, Result<RestAnswer> answer)>;
  virtual void GetEach(const std::vector<std::string>& paths, const OnAnswer& on_answer) = 0;

  // One path; the same outcomes.
  Result<RestAnswer> Get(const std::string& path);
};

struct RestClientOptions {
  std::chrono::milliseconds request_timeout{5000};
  // A /checkpoints answer is 6 KB, a plan of 1,000 vertices 2 MB; past this it is no JobManager.
  std::size_t max_body_bytes = 32U << 20U;
  std::size_t max_concurrency = 16;
  std::string ca_file;  // PEM; empty: the system's
  bool verify_tls = true;
};

// A client over cpprestsdk with kept-alive connections. `base_url` may have a path
// ("https://host/flink/ns/") and credentials (never logged). kInvalidArgument for a URL that is
// not http or https.
Result<std::unique_ptr<RestClient>> NewCppRestClient(const std::string& base_url,
                                                     const RestClientOptions& options);

}  // namespace fss
