#include "collectors/store/http_client.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <fstream>
#include <string_view>
#include <utility>

#include "sidecar/base/curl.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxHeaderBytes = 200;  // of the two that are kept
// libcurl hands over at most 64 KiB at once; beyond this it is told to wait.
constexpr long kChunkBytes = 64L * 1024;
constexpr std::size_t kMaxBufferedBytes = 448UL * 1024;
constexpr int kPollMillis = 100;
constexpr std::int64_t kLeastBytesPerSecond = 16L * 1024;
constexpr int kMaxSpans = 6;
constexpr long kKeptConnections = 4;

// What the transfers of one client share, and what outlives it with them.
struct Connections {
  CurlMulti multi{Curl().multi_init()};
  std::atomic<bool> cancelled{false};
  milliseconds timeout{0};
  std::string ca_file;
};

bool HasName(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(), [](char want, char have) {
           return want == std::tolower(static_cast<unsigned char>(have));
         });
}

std::string ValueOf(std::string_view line, std::string_view name) {
  line.remove_prefix(name.size() + 1);
  const auto begin = line.find_first_not_of(" \t");
  const auto end = line.find_last_not_of(" \t\r\n");
  if (begin == std::string_view::npos || end == std::string_view::npos) return "";
  return std::string(line.substr(begin, std::min(end - begin + 1, kMaxHeaderBytes)));
}

class Transfer : public HttpAnswer {
 public:
  explicit Transfer(std::shared_ptr<Connections> connections)
      : connections_(std::move(connections)) {}
  ~Transfer() override {
    if (added_) Curl().multi_remove_handle(connections_->multi.get(), easy_.get());
  }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Status Start(const HttpRequest& request) {
    easy_.reset(Curl().easy_init());
    if (easy_ == nullptr || connections_->multi == nullptr) {
      return Error{ErrorCode::kIo, "libcurl could not be set up", ""};
    }
    for (const std::string& header : request.headers) {
      // On failure the list stays as it is, and the old owner still has it.
      curl_slist* longer = Curl().slist_append(headers_.get(), header.c_str());
      if (longer == nullptr) return Error{ErrorCode::kIo, "libcurl could not be set up", ""};
      (void)headers_.release();
      headers_.reset(longer);
    }
    SetUp(request);
    added_ = Curl().multi_add_handle(connections_->multi.get(), easy_.get()) == CURLM_OK;
    if (!added_) return Error{ErrorCode::kIo, "libcurl could not be set up", ""};
    Status waited = Wait([this] { return head_done_; });
    if (!waited.ok()) return waited;
    Curl().easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &head_.status);
    curl_off_t length = -1;
    Curl().easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length >= 0) head_.content_length = static_cast<std::uint64_t>(length);
    return OkStatus();
  }

  [[nodiscard]] const HttpHead& head() const override { return head_; }

  Result<std::size_t> Read(std::span<char> into) override {
    if (into.empty()) return std::size_t{0};
    if (Buffered() == 0 && !done_) {
      const Status waited = Wait([this] { return Buffered() > 0; });
      if (!waited.ok()) return waited.error();
    }
    // What came before a failure is still handed out.
    if (Buffered() == 0 && failure_) return *failure_;
    const std::size_t length = std::min(into.size(), Buffered());
    std::copy_n(buffer_.data() + used_, length, into.data());
    used_ += length;
    return length;
  }

 private:
  template <typename Value>
  void Set(CURLoption option, Value value) {
    Curl().easy_setopt(easy_.get(), option, value);
  }

  void SetUp(const HttpRequest& request) {
    SetUsualOptions(easy_.get(), connections_->ca_file);
    Set(CURLOPT_URL, request.url.c_str());
    Set(CURLOPT_HTTPHEADER, headers_.get());
    Set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connections_->timeout.count()));
    Set(CURLOPT_BUFFERSIZE, kChunkBytes);
    Set(CURLOPT_HEADERFUNCTION, &Transfer::ReceiveHeader);
    Set(CURLOPT_HEADERDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &Transfer::Receive);
    Set(CURLOPT_WRITEDATA, this);
    Set(CURLOPT_ERRORBUFFER, error_.data());
    Set(CURLOPT_PRIVATE, this);
    if (request.form) {
      Set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.form->size()));
      Set(CURLOPT_COPYPOSTFIELDS, request.form->data());
    }
    if (request.first_bytes) {
      const std::uint64_t last = std::max<std::uint64_t>(*request.first_bytes, 1) - 1;
      Set(CURLOPT_RANGE, ("0-" + std::to_string(last)).c_str());
    }
    if (!request.signature.empty()) {
      Set(CURLOPT_AWS_SIGV4, request.signature.c_str());
      Set(CURLOPT_USERNAME, request.key_id.c_str());
      Set(CURLOPT_PASSWORD, request.secret.c_str());
    }
  }

  [[nodiscard]] std::size_t Buffered() const { return buffer_.size() - used_; }

  // Runs the transfers until `ready` or this one is done; an error only where it is not ready then.
  template <typename Ready>
  Status Wait(Ready ready) {
    auto last = Steady::now();
    for (;;) {
      if (connections_->cancelled) return Fail(ErrorCode::kTimeout, "broken off");
      if (paused_ && Buffered() == 0) {
        paused_ = false;
        Curl().easy_pause(easy_.get(), CURLPAUSE_CONT);
      }
      int running = 0;
      Curl().multi_perform(connections_->multi.get(), &running);
      TakeFinished();
      if (ready()) return OkStatus();
      if (failure_) return *failure_;
      if (done_) return OkStatus();
      Curl().multi_poll(connections_->multi.get(), nullptr, 0, kPollMillis, nullptr);
      const auto now = Steady::now();
      Status in_time = CountWaiting(now - last);
      if (!in_time.ok()) return in_time;
      last = now;
    }
  }

  Status CountWaiting(Steady::duration waited) {
    waited_ += waited;
    const milliseconds span = connections_->timeout;
    if (waited_ < span) return OkStatus();
    if (!head_done_) {
      return Fail(ErrorCode::kTimeout, "no answer within " + FormatAge(span.count()));
    }
    if (received_in_span_ * 1000 < kLeastBytesPerSecond * span.count()) {
      return Fail(ErrorCode::kTimeout, "came to a standstill: " + FormatBytes(received_in_span_) +
                                           " within " + FormatAge(span.count()));
    }
    if (++spans_ == kMaxSpans) {
      return Fail(ErrorCode::kTimeout, "not read within " + FormatAge(kMaxSpans * span.count()));
    }
    waited_ = {};
    received_in_span_ = 0;
    return OkStatus();
  }

  Status Fail(ErrorCode code, std::string message) {
    failure_ = Error{code, std::move(message), ""};
    done_ = true;
    return *failure_;
  }

  // Of all transfers: another one may have ended while this one was waited for.
  void TakeFinished() {
    int left = 0;
    while (const CURLMsg* message = Curl().multi_info_read(connections_->multi.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      char* transfer = nullptr;
      Curl().easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
      reinterpret_cast<Transfer*>(transfer)->Finish(code);
    }
  }

  void Finish(CURLcode code) {
    done_ = true;
    if (code == CURLE_OK) {
      head_done_ = true;
      return;
    }
    const std::string reason = error_[0] != '\0' ? error_.data() : Curl().easy_strerror(code);
    failure_ =
        Error{code == CURLE_OPERATION_TIMEDOUT ? ErrorCode::kTimeout : ErrorCode::kUnreachable,
              OneLine(reason, kShownReasonBytes), ""};
  }

  static std::size_t ReceiveHeader(const char* bytes, std::size_t size, std::size_t count,
                                   void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    const std::string_view line(bytes, size * count);
    constexpr std::string_view kRange = "content-range";
    constexpr std::string_view kRegion = "x-amz-bucket-region";
    if (HasName(line, kRange)) transfer->head_.content_range = ValueOf(line, kRange);
    if (HasName(line, kRegion)) transfer->head_.bucket_region = ValueOf(line, kRegion);
    if (line == "\r\n" || line == "\n") {
      long status = 0;
      Curl().easy_getinfo(transfer->easy_.get(), CURLINFO_RESPONSE_CODE, &status);
      transfer->head_done_ = status >= 200;  // "100 Continue" has an end, too
    }
    return size * count;
  }

  static std::size_t Receive(const char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    const std::size_t length = size * count;
    if (transfer->Buffered() > kMaxBufferedBytes - static_cast<std::size_t>(kChunkBytes)) {
      transfer->paused_ = true;
      return CURL_WRITEFUNC_PAUSE;  // libcurl keeps the bytes
    }
    if (transfer->Buffered() == 0 || transfer->used_ > kMaxBufferedBytes) {
      transfer->buffer_.erase(0, transfer->used_);
      transfer->used_ = 0;
    }
    transfer->buffer_.append(bytes, length);
    transfer->received_in_span_ += static_cast<std::int64_t>(length);
    return length;
  }

  std::shared_ptr<Connections> connections_;
  CurlSlist headers_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  CurlEasy easy_;  // after what it points to
  bool added_ = false;
  HttpHead head_;
  bool head_done_ = false;
  bool done_ = false;  // nothing more will come
  bool paused_ = false;
  std::optional<Error> failure_;
  std::string buffer_;
  std::size_t used_ = 0;  // of the buffer's front
  Steady::duration waited_{};
  std::int64_t received_in_span_ = 0;
  int spans_ = 0;
};

class Client : public HttpClient {
 public:
  explicit Client(const HttpClientOptions& options) {
    connections_->timeout = options.timeout;
    connections_->ca_file = options.ca_file;
    Curl().multi_setopt(connections_->multi.get(), CURLMOPT_MAXCONNECTS, kKeptConnections);
  }

  Result<std::unique_ptr<HttpAnswer>> Send(const HttpRequest& request) override {
    auto transfer = std::make_unique<Transfer>(connections_);
    const Status started = transfer->Start(request);
    if (!started.ok()) return started.error();
    return std::unique_ptr<HttpAnswer>(std::move(transfer));
  }

  void Cancel() override {
    connections_->cancelled = true;
    Curl().multi_wakeup(connections_->multi.get());
  }

 private:
  std::shared_ptr<Connections> connections_ = std::make_shared<Connections>();
};

}  // namespace

Result<std::unique_ptr<HttpClient>> NewHttpClient(const HttpClientOptions& options) {
  const Status loaded = LoadCurl();
  if (!loaded.ok()) return loaded.error();
  // libcurl reads it at the first connection, when it is too late to end the start.
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file).good()) {
    return Error{ErrorCode::kInvalidArgument, "cannot be read", options.ca_file};
  }
  return std::unique_ptr<HttpClient>(std::make_unique<Client>(options));
}

std::string TextOf(HttpAnswer& answer, std::size_t limit) {
  std::string text(limit, '\0');
  std::size_t used = 0;
  while (used < limit) {
    const Result<std::size_t> got = answer.Read(std::span(text).subspan(used));
    if (!got.ok() || *got == 0) break;
    used += *got;
  }
  text.resize(used);
  return text;
}

}  // namespace fss
