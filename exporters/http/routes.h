// What the server answers at which path.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "exporters/http/reply.h"
#include "sidecar/model/report.h"
#include "sidecar/model/sidecar_stats.h"

namespace fss {

// The body of /metrics, rendered and compressed once. A long page is kept compressed only, and is
// never in memory as a whole: its text would be the largest thing there, for the rare client that
// takes no gzip.
class MetricsBody {
 public:
  MetricsBody(const Report& report, const SidecarStats& stats);

  void SendTo(Reply* reply, bool accepts_gzip) const;

 private:
  std::size_t plain_size_ = 0;
  std::string gzip_;
  std::string plain_;  // empty when only the compressed form is kept
};

// All that is published at one moment. Immutable.
struct Publication {
  std::shared_ptr<const Report> report;  // nullptr before the first poll
  MetricsBody metrics;
  bool ready = false;
};

struct Request {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // after "?", as it came
  std::string_view accept_encoding;
};

// Answers `request` out of `publication`, with an error answer where nothing else fits. Safe from
// any thread.
void Answer(const Request& request, const Publication& publication, Reply* reply);

}  // namespace fss
