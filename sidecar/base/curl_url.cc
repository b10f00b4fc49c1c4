#include "sidecar/base/curl_url.h"

namespace fss {

CurlUrlParts::CurlUrlParts(const std::string& url) : handle_(Curl().url()) {
  good_ = Curl().url_set(handle_.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
}

std::string CurlUrlParts::Get(CURLUPart part, unsigned flags) const {
  char* text = nullptr;
  if (Curl().url_get(handle_.get(), part, &text, flags) != CURLUE_OK) return "";
  std::string copy(text);
  Curl().free(text);
  return copy;
}

void CurlUrlParts::Set(CURLUPart part, const char* value) {
  Curl().url_set(handle_.get(), part, value, 0);
}

}  // namespace fss
