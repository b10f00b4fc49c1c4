// A RestClient that counts what passes through it, for the sidecar's own metrics.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "collectors/rest_client.h"

namespace fss {

// Not thread safe: written during GetEach, read between polls by the thread that polls.
struct RestCounters {
  // By outcome as SidecarStats::rest_requests: "2xx", "3xx", "4xx", "5xx", "timeout",
  // "unreachable", "too-large", "malformed".
  std::map<std::string, std::uint64_t> requests;
  std::uint64_t response_bytes = 0;  // bodies only
};

// `counters` outlives the client; several clients may share one.
std::unique_ptr<RestClient> NewCountingRestClient(std::unique_ptr<RestClient> client,
                                                  RestCounters* counters);

}  // namespace fss
