// What the server answers at which path.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "exporters/http/reply.h"
#include "sidecar/model/fleet.h"

namespace fss {

inline constexpr std::string_view kMetricsPath = "/metrics";

// The body of /metrics, rendered and compressed once. A long page is kept compressed only, and is
// never in memory as a whole: its text would be the largest thing there, for the rare client that
// takes no gzip.
class MetricsBody {
 public:
  explicit MetricsBody(const Fleet& fleet);

  void SendTo(Reply* reply, bool accepts_gzip) const;

 private:
  std::size_t plain_size_ = 0;
  std::string gzip_;
  std::string plain_;  // empty when only the compressed form is kept
};

// All that is published at one moment. Immutable.
struct Publication {
  std::shared_ptr<const Fleet> fleet;  // nullptr before the first poll
  std::shared_ptr<const MetricsBody> metrics;
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
