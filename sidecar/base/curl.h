// libcurl, loaded when it is first needed (docs/adr/0009-libcurl-when-needed.md).
//
// The program is not linked with libcurl: with the libraries it needs it takes 3.6 MiB of every
// process, and few processes talk to Alertmanagers or object storage. This header is the one way to
// it, for exporters and collectors alike.
//
// Thread safety: LoadCurl and Curl may be called from any thread; handles as libcurl has it, one
// thread at a time each, CurlMulti's wakeup apart.
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <string>

#include "sidecar/base/result.h"

namespace fss {

// What a message shows of what libcurl, or the server it talked to, gives as the reason.
inline constexpr std::size_t kShownReasonBytes = 200;

// The functions in use; libcurl's names without "curl_".
struct CurlFunctions {
  decltype(&curl_global_init) global_init = nullptr;
  decltype(&curl_version_info) version_info = nullptr;
  decltype(&curl_free) free = nullptr;
  decltype(&curl_easy_init) easy_init = nullptr;
  decltype(&curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&curl_easy_setopt) easy_setopt = nullptr;
  decltype(&curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&curl_easy_pause) easy_pause = nullptr;
  decltype(&curl_easy_strerror) easy_strerror = nullptr;
  decltype(&curl_multi_init) multi_init = nullptr;
  decltype(&curl_multi_cleanup) multi_cleanup = nullptr;
  decltype(&curl_multi_setopt) multi_setopt = nullptr;
  decltype(&curl_multi_add_handle) multi_add_handle = nullptr;
  decltype(&curl_multi_remove_handle) multi_remove_handle = nullptr;
  decltype(&curl_multi_perform) multi_perform = nullptr;
  decltype(&curl_multi_poll) multi_poll = nullptr;
  decltype(&curl_multi_wakeup) multi_wakeup = nullptr;
  decltype(&curl_multi_info_read) multi_info_read = nullptr;
  decltype(&curl_slist_append) slist_append = nullptr;
  decltype(&curl_slist_free_all) slist_free_all = nullptr;
  decltype(&curl_url) url = nullptr;
  decltype(&curl_url_cleanup) url_cleanup = nullptr;
  decltype(&curl_url_get) url_get = nullptr;
  decltype(&curl_url_set) url_set = nullptr;
};

// Loads libcurl and sets it up, the first time; later calls give the same answer. It stays loaded
// for the life of the process. kIo, in one line, when libcurl4 is not installed or too old.
Status LoadCurl();

// libcurl. Only after LoadCurl() was good.
const CurlFunctions& Curl();

// Finds the functions in `library`, a file as dlopen takes it, and checks its version; sets nothing
// up. For LoadCurl and its test.
Result<CurlFunctions> FindCurlFunctions(const std::string& library);

// libcurl's CURL and CURLM are both void: each owner says how it is freed.
template <auto kFree>
struct FreeByCurl {
  template <typename T>
  void operator()(T* thing) const {
    (Curl().*kFree)(thing);
  }
};
using CurlEasy = std::unique_ptr<CURL, FreeByCurl<&CurlFunctions::easy_cleanup>>;
using CurlMulti = std::unique_ptr<CURLM, FreeByCurl<&CurlFunctions::multi_cleanup>>;
using CurlUrl = std::unique_ptr<CURLU, FreeByCurl<&CurlFunctions::url_cleanup>>;
using CurlSlist = std::unique_ptr<curl_slist, FreeByCurl<&CurlFunctions::slist_free_all>>;

// What all requests of this program have in common: http and https alone, version 1.1, paths as
// they are, no proxy out of the environment, no signals, no wait for a resolver that hangs, and
// `ca_file` in the place of the system's authorities where it is not empty.
void SetUsualOptions(CURL* easy, const std::string& ca_file);

}  // namespace fss
