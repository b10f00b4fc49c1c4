#include "collectors/kube/kube_http.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <optional>
#include <utility>

#include "collectors/kube/line_splitter.h"
#include "sidecar/base/curl.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::size_t kMaxHeadBytes = 256U << 10U;
// Of the body of an answer to a watch that did not begin.
constexpr std::size_t kMaxRefusalBytes = 64U << 10U;
constexpr long kConnectMillis = 10'000;
constexpr long kKeepAliveIdleSeconds = 30;
constexpr long kKeepAliveEverySeconds = 10;
constexpr std::int64_t kMaxRetryAfterSeconds = 300;

bool HeaderIs(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(), [](char want, char have) {
           return want == std::tolower(static_cast<unsigned char>(have));
         });
}

std::int64_t RetryAfterMillis(std::string_view value) {
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || end == value.data() || seconds < 0) return 0;
  return std::min(seconds, kMaxRetryAfterSeconds) * 1000;
}

class Transfer {
 public:
  Transfer(const KubeRequest& request, KubeHandler handler)
      : request_(request), handler_(std::move(handler)), lines_(request.max_bytes) {}

  bool Start(const KubeAccess& access, const std::string& token, CURLM* multi) {
    easy_.reset(Curl().easy_init());
    if (easy_ == nullptr || !SetHeaders(token)) return false;
    const std::string url = access.server + request_.path;
    const auto timeout = static_cast<long>(request_.timeout.count());
    SetUsualOptions(easy_.get(), access.ca_file);
    Set(CURLOPT_URL, url.c_str());
    Set(CURLOPT_CUSTOMREQUEST, request_.method.c_str());
    if (!request_.content_type.empty()) {
      Set(CURLOPT_POSTFIELDS, request_.body.data());  // not copied: it outlives the transfer
      Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    }
    Set(CURLOPT_HTTPHEADER, headers_.get());
    Set(CURLOPT_TIMEOUT_MS, timeout);
    Set(CURLOPT_CONNECTTIMEOUT_MS, std::min(timeout, kConnectMillis));
    // A watch is silent for minutes: a connection that is dead has to be noticed without traffic.
    Set(CURLOPT_TCP_KEEPALIVE, 1L);
    Set(CURLOPT_TCP_KEEPIDLE, kKeepAliveIdleSeconds);
    Set(CURLOPT_TCP_KEEPINTVL, kKeepAliveEverySeconds);
    Set(CURLOPT_HEADERFUNCTION, &Transfer::ReceiveHeader);
    Set(CURLOPT_HEADERDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &Transfer::Receive);
    Set(CURLOPT_WRITEDATA, this);
    Set(CURLOPT_ERRORBUFFER, error_.data());
    return Curl().multi_add_handle(multi, easy_.get()) == CURLM_OK;
  }

  void Remove(CURLM* multi) { Curl().multi_remove_handle(multi, easy_.get()); }

  Result<KubeAnswer> Outcome(CURLcode code) {
    if (failure_) return *failure_;
    long status = 0;
    Curl().easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    // A watch that its reader ended did begin.
    if (code != CURLE_OK && !ended_by_reader_) {
      const std::string reason = error_[0] != '\0' ? error_.data() : Curl().easy_strerror(code);
      const bool late = code == CURLE_OPERATION_TIMEDOUT;
      return Error{late ? ErrorCode::kTimeout : ErrorCode::kUnreachable,
                   OneLine(reason, kShownReasonBytes), ""};
    }
    return KubeAnswer{static_cast<int>(status), std::move(body_), retry_after_ms_};
  }

  KubeHandler& handler() { return handler_; }
  const CURL* easy() const { return easy_.get(); }

 private:
  template <typename Value>
  void Set(CURLoption option, Value value) {
    Curl().easy_setopt(easy_.get(), option, value);
  }

  bool SetHeaders(const std::string& token) {
    headers_.reset(Curl().slist_append(nullptr, "Accept: application/json"));
    if (headers_ == nullptr) return false;
    const auto add = [this](const std::string& line) {
      return Curl().slist_append(headers_.get(), line.c_str()) != nullptr;
    };
    const bool typed =
        request_.content_type.empty() || add("Content-Type: " + request_.content_type);
    // Without it libcurl asks first whether a body is welcome.
    return typed && add("Expect:") && (token.empty() || add("Authorization: Bearer " + token));
  }

  static std::size_t ReceiveHeader(const char* bytes, std::size_t size, std::size_t count,
                                   void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    const std::string_view line(bytes, size * count);
    transfer->head_bytes_ += line.size();
    if (transfer->head_bytes_ > kMaxHeadBytes) return transfer->Fail("headers without end");
    constexpr std::string_view kRetryAfter = "retry-after";
    if (HeaderIs(line, kRetryAfter)) {
      transfer->retry_after_ms_ = RetryAfterMillis(line.substr(kRetryAfter.size() + 1));
    }
    if (line == "\r\n" || line == "\n") transfer->HeadEnded();
    return line.size();
  }

  void HeadEnded() {
    long status = 0;
    Curl().easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (!request_.watch || streams_ || status != 200) return;
    streams_ = true;
    handler_.on_open();
  }

  static std::size_t Receive(const char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    const std::string_view piece(bytes, size * count);
    if (transfer->streams_) return transfer->ReceiveLines(piece);
    const std::size_t limit =
        transfer->request_.watch ? kMaxRefusalBytes : transfer->request_.max_bytes;
    if (piece.size() > limit - std::min(limit, transfer->body_.size())) {
      return transfer->Fail("answer above the size limit");
    }
    transfer->body_.append(piece);
    return piece.size();
  }

  std::size_t ReceiveLines(std::string_view piece) {
    const bool fits = lines_.Add(piece, [this](std::string_view line) {
      ended_by_reader_ = ended_by_reader_ || !handler_.on_line(line);
      return !ended_by_reader_;
    });
    if (ended_by_reader_) return 0;
    return fits ? piece.size() : Fail("a line above the size limit");
  }

  std::size_t Fail(const char* why) {
    failure_ = Error{ErrorCode::kTooLarge, why, ""};
    return 0;  // ends the transfer
  }

  const KubeRequest request_;
  KubeHandler handler_;
  LineSplitter lines_;
  CurlSlist headers_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  CurlEasy easy_;  // after what it points to
  std::string body_;
  std::size_t head_bytes_ = 0;
  std::int64_t retry_after_ms_ = 0;
  bool streams_ = false;
  bool ended_by_reader_ = false;
  std::optional<Error> failure_;
};

class Client final : public KubeHttp {
 public:
  explicit Client(KubeAccess access) : access_(std::move(access)) {}
  ~Client() override {
    for (const auto& transfer : transfers_) transfer->Remove(multi_.get());
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Start(const KubeRequest& request, KubeHandler handler) override {
    const Result<std::string> token = access_.Token();
    if (!token.ok()) {
      failed_.emplace_back(std::move(handler), token.error());
      return;
    }
    auto transfer = std::make_unique<Transfer>(request, std::move(handler));
    if (multi_ == nullptr || !transfer->Start(access_, *token, multi_.get())) {
      failed_.emplace_back(std::move(transfer->handler()),
                           Error{ErrorCode::kIo, "libcurl could not be set up", ""});
      return;
    }
    transfers_.push_back(std::move(transfer));
  }

  void Run(std::chrono::milliseconds wait) override {
    int running = 0;
    Curl().multi_perform(multi_.get(), &running);
    if (cancelled_) GiveUp();
    bool called = !failed_.empty();
    for (auto& [handler, error] : std::exchange(failed_, {})) handler.on_done(error);
    called = TakeFinished() || called;
    if (called || cancelled_) return;
    Curl().multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait.count()), nullptr);
  }

  void Cancel() override {
    cancelled_ = true;
    Curl().multi_wakeup(multi_.get());
  }

 private:
  bool TakeFinished() {
    bool any = false;
    int left = 0;
    while (const CURLMsg* message = Curl().multi_info_read(multi_.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const CURL* easy = message->easy_handle;
      const auto found = std::find_if(transfers_.begin(), transfers_.end(),
                                      [&](const auto& t) { return t->easy() == easy; });
      if (found == transfers_.end()) continue;
      const std::unique_ptr<Transfer> transfer = std::move(*found);
      transfers_.erase(found);
      transfer->Remove(multi_.get());
      any = true;
      transfer->handler().on_done(transfer->Outcome(code));
    }
    return any;
  }

  void GiveUp() {
    for (const auto& transfer : std::exchange(transfers_, {})) {
      transfer->Remove(multi_.get());
      failed_.emplace_back(std::move(transfer->handler()),
                           Error{ErrorCode::kTimeout, "broken off", ""});
    }
  }

  const KubeAccess access_;
  const CurlMulti multi_{Curl().multi_init()};
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<std::pair<KubeHandler, Error>> failed_;  // before they began
  std::atomic<bool> cancelled_{false};
};

}  // namespace

Result<KubeAnswer> KubeHttp::Send(const KubeRequest& request) {
  std::optional<Result<KubeAnswer>> outcome;
  KubeHandler handler;
  handler.on_done = [&outcome](Result<KubeAnswer> answer) { outcome = std::move(answer); };
  Start(request, std::move(handler));
  while (!outcome) Run(std::chrono::milliseconds(1000));
  return *std::move(outcome);
}

Result<std::unique_ptr<KubeHttp>> NewKubeHttp(const KubeAccess& access) {
  const Status loaded = LoadCurl();
  if (!loaded.ok()) return loaded.error();
  // libcurl reads it at the first connection, when it is too late to end the start.
  if (!access.ca_file.empty() && !std::ifstream(access.ca_file).good()) {
    return Error{ErrorCode::kInvalidArgument, "cannot be read", access.ca_file};
  }
  return std::unique_ptr<KubeHttp>(std::make_unique<Client>(access));
}

}  // namespace fss
