#include "sidecar/base/curl.h"

#include <dlfcn.h>

#include <cstddef>
#include <utility>

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr const char* kLibrary = "libcurl.so.4";
// Of CURLOPT_QUICK_EXIT and of the signatures for object storage.
constexpr unsigned kLeastVersion = 0x075700;
constexpr const char* kLeastVersionText = "7.87";

Error CannotLoad(std::string message) { return {ErrorCode::kIo, std::move(message), ""}; }

// Takes functions out of a library, and remembers the first that is not in it.
class Finder {
 public:
  explicit Finder(void* library) : library_(library) {}

  template <typename Function>
  void Find(const char* name, Function** function) {
    *function = reinterpret_cast<Function*>(dlsym(library_, name));
    if (*function == nullptr && missing_ == nullptr) missing_ = name;
  }
  const char* missing() const { return missing_; }

 private:
  void* library_;
  const char* missing_ = nullptr;
};

struct Loaded {
  CurlFunctions functions;
  Status status = OkStatus();
};

Loaded LoadOnce() {
  Result<CurlFunctions> found = FindCurlFunctions(kLibrary);
  if (!found.ok()) return {{}, found.error()};
  const CURLcode code = found->global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) {
    return {{}, CannotLoad(std::string("libcurl4: ") + found->easy_strerror(code))};
  }
  return {*found, OkStatus()};
}

const Loaded& TheCurl() {
  // Never undone, and without a destructor: a thread that a hanging poll left behind may use it
  // while the process ends.
  static const Loaded& loaded = *new Loaded(LoadOnce());
  return loaded;
}

}  // namespace

Result<CurlFunctions> FindCurlFunctions(const std::string& library) {
  // Not closed again: libcurl's own libraries do not bear it.
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    // Each thread has its own answer of dlerror. NOLINTNEXTLINE(concurrency-mt-unsafe)
    const char* reason = dlerror();
    return CannotLoad("libcurl4 is not installed: " +
                      OneLine(reason == nullptr ? library : reason, kShownReasonBytes));
  }
  CurlFunctions f;
  Finder finder(handle);
  finder.Find("curl_global_init", &f.global_init);
  finder.Find("curl_version_info", &f.version_info);
  finder.Find("curl_free", &f.free);
  finder.Find("curl_easy_init", &f.easy_init);
  finder.Find("curl_easy_cleanup", &f.easy_cleanup);
  finder.Find("curl_easy_setopt", &f.easy_setopt);
  finder.Find("curl_easy_getinfo", &f.easy_getinfo);
  finder.Find("curl_easy_pause", &f.easy_pause);
  finder.Find("curl_easy_strerror", &f.easy_strerror);
  finder.Find("curl_multi_init", &f.multi_init);
  finder.Find("curl_multi_cleanup", &f.multi_cleanup);
  finder.Find("curl_multi_setopt", &f.multi_setopt);
  finder.Find("curl_multi_add_handle", &f.multi_add_handle);
  finder.Find("curl_multi_remove_handle", &f.multi_remove_handle);
  finder.Find("curl_multi_perform", &f.multi_perform);
  finder.Find("curl_multi_poll", &f.multi_poll);
  finder.Find("curl_multi_wakeup", &f.multi_wakeup);
  finder.Find("curl_multi_info_read", &f.multi_info_read);
  finder.Find("curl_slist_append", &f.slist_append);
  finder.Find("curl_slist_free_all", &f.slist_free_all);
  finder.Find("curl_url", &f.url);
  finder.Find("curl_url_cleanup", &f.url_cleanup);
  finder.Find("curl_url_get", &f.url_get);
  finder.Find("curl_url_set", &f.url_set);
  const std::string shown = OneLine(library, kShownReasonBytes);
  if (finder.missing() != nullptr) {
    return CannotLoad(shown + " is no libcurl that can be used: it has no " + finder.missing());
  }
  const curl_version_info_data* version = f.version_info(CURLVERSION_NOW);
  if (version->version_num < kLeastVersion) {
    return CannotLoad(shown + " is libcurl " + version->version + ", and " + kLeastVersionText +
                      " or later is needed");
  }
  return f;
}

Status LoadCurl() { return TheCurl().status; }

const CurlFunctions& Curl() { return TheCurl().functions; }

void SetUsualOptions(CURL* easy, const std::string& ca_file) {
  const auto set = [easy](CURLoption option, auto value) {
    Curl().easy_setopt(easy, option, value);
  };
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_PATH_AS_IS, 1L);  // what is signed is what is sent
  set(CURLOPT_PROXY, "");
  set(CURLOPT_USERAGENT, "flink-state-sidecar/" FSS_VERSION);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_QUICK_EXIT, 1L);  // a resolver that hangs must not hold up others, nor the end
  if (!ca_file.empty()) {
    set(CURLOPT_CAINFO, ca_file.c_str());
    set(CURLOPT_CAPATH, static_cast<char*>(nullptr));  // instead of the system's, not beside them
  }
}

}  // namespace fss
