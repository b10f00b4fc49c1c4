#include "exporters/alertmanager/alertmanager_client.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <fstream>
#include <string_view>
#include <utility>

#include "sidecar/base/curl.h"
#include "sidecar/base/curl_url.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr const char* kPath = "/api/v2/alerts";
// How much of an answer an error shows, and how much of it is read at all.
constexpr std::size_t kMaxAnswerBytes = 64UL * 1024;
constexpr int kPollMillis = 100;

struct Address {
  std::string url;    // of the POST, without credentials
  std::string shown;  // the base URL, without credentials
  std::string user;
  std::string password;
};

// What may be shown of a URL that could not be used: nothing before an '@'.
std::string Shown(std::string_view url) {
  const auto at = url.rfind('@');
  const std::string_view rest = at == std::string_view::npos ? url : url.substr(at);
  return OneLine((at == std::string_view::npos ? "" : "…") + std::string(rest), kShownReasonBytes);
}

Result<Address> ParseAddress(const std::string& url) {
  const auto refuse = [&](const char* why) {
    return Error{ErrorCode::kInvalidArgument, why, Shown(url)};
  };
  CurlUrlParts parts(url);
  if (!parts.good()) return refuse("not an http:// or https:// URL");
  const std::string scheme = parts.Get(CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return refuse("not an http:// or https:// URL");
  if (!parts.Get(CURLUPART_QUERY).empty() || !parts.Get(CURLUPART_FRAGMENT).empty()) {
    return refuse("a base URL has no query and no fragment");
  }
  Address address;
  address.user = parts.Get(CURLUPART_USER, CURLU_URLDECODE);
  address.password = parts.Get(CURLUPART_PASSWORD, CURLU_URLDECODE);
  parts.Set(CURLUPART_USER, nullptr);
  parts.Set(CURLUPART_PASSWORD, nullptr);
  address.shown = parts.Get(CURLUPART_URL);
  while (!address.shown.empty() && address.shown.back() == '/') address.shown.pop_back();
  address.url = address.shown + kPath;
  return address;
}

ErrorCode CodeOf(CURLcode code) {
  return code == CURLE_OPERATION_TIMEDOUT ? ErrorCode::kTimeout : ErrorCode::kUnreachable;
}

// One Alertmanager and its progress through the bodies of one Post.
class Target {
 public:
  explicit Target(Address address) : address_(std::move(address)) {}

  bool Init(const AlertmanagerOptions& options) {
    easy_.reset(Curl().easy_init());
    headers_.reset(Curl().slist_append(nullptr, "Content-Type: application/json"));
    if (easy_ == nullptr || headers_ == nullptr) return false;
    SetUsualOptions(easy_.get(), options.ca_file);
    Set(CURLOPT_URL, address_.url.c_str());
    Set(CURLOPT_HTTPHEADER, headers_.get());
    Set(CURLOPT_TIMEOUT_MS, static_cast<long>(options.timeout.count()));
    Set(CURLOPT_WRITEFUNCTION, &Target::Receive);
    Set(CURLOPT_WRITEDATA, this);
    Set(CURLOPT_ERRORBUFFER, error_.data());
    Set(CURLOPT_PRIVATE, this);
    if (!address_.user.empty() || !address_.password.empty()) {
      Set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
      Set(CURLOPT_USERNAME, address_.user.c_str());
      Set(CURLOPT_PASSWORD, address_.password.c_str());
    }
    return true;
  }

  void Begin() {
    next_ = 0;
    outcome_ = OkStatus();
  }

  // Starts the next body's POST; false when there is none.
  bool StartNext(std::span<const std::string> bodies, CURLM* multi) {
    if (next_ == bodies.size()) return false;
    const std::string& body = bodies[next_++];
    answer_.clear();
    received_ = 0;
    error_[0] = '\0';
    Set(CURLOPT_POSTFIELDS, body.data());  // not copied: it outlives the transfer
    Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    return Curl().multi_add_handle(multi, easy_.get()) == CURLM_OK;
  }

  // Takes the outcome of the transfer that ended; false when this target's turn is over.
  bool Finish(CURLcode code, CURLM* multi) {
    Curl().multi_remove_handle(multi, easy_.get());
    if (code != CURLE_OK) {
      const std::string reason = error_[0] != '\0' ? error_.data() : Curl().easy_strerror(code);
      Fail(CodeOf(code), OneLine(reason, kShownReasonBytes));
      return false;
    }
    long status = 0;
    Curl().easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status < 200 || status > 299) {
      std::string message = "HTTP status " + std::to_string(status);
      if (!answer_.empty()) message += ": " + OneLine(answer_, kShownReasonBytes);
      Fail(ErrorCode::kHttpStatus, std::move(message));
    }
    return true;
  }

  void Abort(CURLM* multi) {
    Curl().multi_remove_handle(multi, easy_.get());
    Fail(ErrorCode::kTimeout, "broken off");
  }

  PostOutcome outcome() const { return {address_.shown, outcome_}; }
  CURL* easy() const { return easy_.get(); }

 private:
  template <typename Value>
  void Set(CURLoption option, Value value) {
    Curl().easy_setopt(easy_.get(), option, value);
  }

  void Fail(ErrorCode code, std::string message) {
    if (outcome_.ok()) outcome_ = Error{code, std::move(message), address_.shown};
  }

  static std::size_t Receive(const char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* target = static_cast<Target*>(self);
    const std::size_t length = size * count;
    target->answer_.append(bytes, std::min(length, kShownReasonBytes - target->answer_.size()));
    target->received_ += length;
    return target->received_ > kMaxAnswerBytes ? 0 : length;  // 0 ends the transfer
  }

  Address address_;
  CurlEasy easy_;
  CurlSlist headers_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  std::string answer_;
  std::size_t received_ = 0;
  std::size_t next_ = 0;
  Status outcome_ = OkStatus();
};

class Client : public AlertPoster {
 public:
  explicit Client(std::vector<std::unique_ptr<Target>> targets) : targets_(std::move(targets)) {}

  std::vector<PostOutcome> Post(std::span<const std::string> bodies) override {
    std::vector<Target*> busy;
    for (const auto& target : targets_) {
      target->Begin();
      if (target->StartNext(bodies, multi_.get())) busy.push_back(target.get());
    }
    while (!busy.empty() && !cancelled_) {
      int running = 0;
      Curl().multi_perform(multi_.get(), &running);
      TakeFinished(bodies, &busy);
      if (!busy.empty()) Curl().multi_poll(multi_.get(), nullptr, 0, kPollMillis, nullptr);
    }
    for (Target* target : busy) target->Abort(multi_.get());
    std::vector<PostOutcome> outcomes;
    for (const auto& target : targets_) outcomes.push_back(target->outcome());
    return outcomes;
  }

  void Cancel() override {
    cancelled_ = true;
    Curl().multi_wakeup(multi_.get());
  }

 private:
  void TakeFinished(std::span<const std::string> bodies, std::vector<Target*>* busy) {
    int left = 0;
    while (const CURLMsg* message = Curl().multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const CURL* easy = message->easy_handle;  // `message` is gone after Finish
      const auto target = std::find_if(busy->begin(), busy->end(),
                                       [&](const Target* t) { return t->easy() == easy; });
      if (target == busy->end()) continue;
      if (!(*target)->Finish(code, multi_.get()) || !(*target)->StartNext(bodies, multi_.get())) {
        busy->erase(target);
      }
    }
  }

  const CurlMulti multi_{Curl().multi_init()};
  std::vector<std::unique_ptr<Target>> targets_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace

Result<std::unique_ptr<AlertPoster>> NewAlertmanagerClient(const AlertmanagerOptions& options) {
  const Status loaded = LoadCurl();
  if (!loaded.ok()) return loaded.error();
  // libcurl reads it at the first connection, when it is too late to end the start.
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file).good()) {
    return Error{ErrorCode::kInvalidArgument, "cannot be read", options.ca_file};
  }
  std::vector<std::unique_ptr<Target>> targets;
  for (const std::string& url : options.urls) {
    Result<Address> address = ParseAddress(url);
    if (!address.ok()) return address.error();
    targets.push_back(std::make_unique<Target>(*std::move(address)));
    if (!targets.back()->Init(options)) {
      return Error{ErrorCode::kIo, "libcurl could not be set up", ""};
    }
  }
  return std::unique_ptr<AlertPoster>(std::make_unique<Client>(std::move(targets)));
}

}  // namespace fss
