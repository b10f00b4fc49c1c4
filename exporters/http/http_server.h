// The HTTP server of `serve` (civetweb): /metrics, /healthz, /readyz, /api/v1/…, and
// the page at "/".
//
// It only sends what was published: no request waits for Flink.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sidecar/base/result.h"
#include "sidecar/model/fleet.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

class HttpServer {
 public:
  virtual ~HttpServer() = default;  // stops serving, waits for its threads

  // Renders /metrics once and swaps it in together with the report, from which the API's answers
  // are written as they are sent. Call from one thread; readers on others see the old or the new
  // set, never a mixture. `report` may be nullptr: nothing is known yet. `ready`: the first poll
  // is done, whatever its outcome.
  virtual void Publish(std::shared_ptr<const Report> report, const SidecarStats& stats,
                       bool ready) = 0;

  // The same for many clusters that are each polled at their own time: this comes often, and
  // rendering the page of all takes long. It is rendered when it is asked for, and kept for a
  // while: at most a tenth of the time goes into it, however many ask. Until `ready` the API
  // answers 503. Never nullptr. From any thread.
  virtual void PublishFleet(std::shared_ptr<const Fleet> fleet, bool ready) = 0;

  // The port that is listened on (the picked one for port 0).
  virtual int port() const = 0;
};

// One line about trouble with a connection, for the log. Called from the server's threads; the
// text may hold what a client sent, cleaned of control characters.
using HttpErrorLog = std::function<void(const std::string& line)>;

// Listens on "host:port", "[::1]:port" or ":port". Until the first Publish, /metrics shows the
// sidecar's own series alone, /readyz and the API answer 503. kInvalidArgument for an address that
// cannot be parsed, kIo when it cannot be listened on; one line each.
Result<std::unique_ptr<HttpServer>> NewHttpServer(const std::string& listen,
                                                  HttpErrorLog log = nullptr);

}  // namespace fss
