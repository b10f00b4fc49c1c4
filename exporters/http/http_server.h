// The HTTP server of `serve` (civetweb): /metrics, /healthz, /readyz, /api/v1/….
//
// It only sends what was published: no request waits for Flink or for a render.
#pragma once

#include <memory>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

class HttpServer {
 public:
  virtual ~HttpServer() = default;  // stops serving, waits for its threads

  // Renders every body once and swaps them in together. Call from one thread; readers on others
  // see the old or the new set, never a mixture. `ready`: the first poll is done, whatever its
  // outcome.
  virtual void Publish(std::shared_ptr<const Report> report, const SidecarStats& stats,
                       bool ready) = 0;

  // The port that is listened on (the picked one for port 0).
  virtual int port() const = 0;
};

// Listens on "host:port", "[::1]:port" or ":port". Until the first Publish, /metrics shows the
// sidecar's own series alone and /readyz answers 503. kInvalidArgument for an address that cannot
// be parsed, kIo when it cannot be listened on; one line each.
Result<std::unique_ptr<HttpServer>> NewHttpServer(const std::string& listen);

}  // namespace fss
