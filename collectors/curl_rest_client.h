// RestClient over libcurl, for many clusters in one process (docs/adr/0010).
#pragma once

#include <memory>
#include <string>

#include "collectors/rest_client.h"
#include "sidecar/base/result.h"

namespace fss {

// As NewCppRestClient; GET alone, redirects are answers, proxies of the environment are not used.
// Calls of several clients may go on in several threads. Connections belong to the calling thread,
// which keeps a few of them for whichever client it serves next. kIo when libcurl4 is missing.
Result<std::unique_ptr<RestClient>> NewCurlRestClient(const std::string& base_url,
                                                      const RestClientOptions& options);

}  // namespace fss
