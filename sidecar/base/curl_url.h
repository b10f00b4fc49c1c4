// A URL taken apart by libcurl, so that its parts are those that libcurl will use. Only after
// LoadCurl() was good. Thread safety: none.
#pragma once

#include <string>

#include "sidecar/base/curl.h"

namespace fss {

class CurlUrlParts {
 public:
  explicit CurlUrlParts(const std::string& url);
  // False for what is no URL: then nothing of it may be asked for.
  [[nodiscard]] bool good() const { return good_; }
  // The part, empty where there is none. `flags` as of curl_url_get.
  [[nodiscard]] std::string Get(CURLUPart part, unsigned flags = 0) const;
  // nullptr takes the part away.
  void Set(CURLUPart part, const char* value);

 private:
  CurlUrl handle_;
  bool good_ = false;
};

}  // namespace fss
