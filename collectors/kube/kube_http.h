// Requests to the Kubernetes API server, over libcurl: the only ones that are not GET, and never to
// a JobManager (docs/adr/0011).
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/kube/kube_access.h"
#include "sidecar/base/result.h"

namespace fss {

struct KubeRequest {
  std::string method = "GET";  // GET, POST, PUT, PATCH
  std::string path;            // below the server, with its query; URL-encoded
  std::string content_type;    // of the body; empty: there is none
  std::string body;
  std::chrono::milliseconds timeout{15'000};
  // Of the answer; of a watch, of one line.
  std::size_t max_bytes = 64U << 20U;
  bool watch = false;  // the answer is a stream of lines
};

struct KubeAnswer {
  int status = 0;
  std::string body;                 // of a watch that began: empty
  std::int64_t retry_after_ms = 0;  // what the server asked for
};

// Called by Run, on its thread.
struct KubeHandler {
  // Of a watch: it has begun (status 200).
  std::function<void()> on_open = [] {};
  // Of a watch, line by line. False ends it.
  std::function<bool(std::string_view line)> on_line = [](std::string_view) { return true; };
  // Exactly once, after all others. Any status is an answer; kUnreachable, kTimeout, kTooLarge, or
  // what KubeAccess::Token says.
  std::function<void(Result<KubeAnswer>)> on_done;
};

// Several requests at once on one thread. Not thread safe but for Cancel.
class KubeHttp {
 public:
  virtual ~KubeHttp() = default;

  // Begins a request with the token as it is now.
  virtual void Start(const KubeRequest& request, KubeHandler handler) = 0;
  // Goes on with all, calls what there is to be called; returns after `wait` or when something was.
  virtual void Run(std::chrono::milliseconds wait) = 0;
  // Every request ends with an error from now on. From any thread.
  virtual void Cancel() = 0;

  // One request, waited for.
  Result<KubeAnswer> Send(const KubeRequest& request);
};

// kIo when libcurl4 is missing, kInvalidArgument for a CA file that cannot be read.
Result<std::unique_ptr<KubeHttp>> NewKubeHttp(const KubeAccess& access);

}  // namespace fss
