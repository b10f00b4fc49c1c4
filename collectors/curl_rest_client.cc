#include "collectors/curl_rest_client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include "collectors/base_url.h"
#include "sidecar/base/curl.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// Flink's answers have a dozen headers.
constexpr std::size_t kMaxHeadBytes = 64U << 10U;
// Kept by each thread that polls, for the cluster that it polls next.
constexpr long kKeptConnections = 16;
constexpr int kPollMillis = 100;
// Nobody in a cluster's own network takes longer to accept a connection; what does is gone.
constexpr long kMaxConnectMillis = 2000;
// All bodies of one batch together, in units of the limit of one.
constexpr std::size_t kBodiesOfOneBatch = 2;

CURLM* ThreadsMulti() {
  thread_local const CurlMulti multi = [] {
    CurlMulti fresh(Curl().multi_init());
    if (fresh != nullptr) {
      Curl().multi_setopt(fresh.get(), CURLMOPT_MAXCONNECTS, kKeptConnections);
    }
    return fresh;
  }();
  return multi.get();
}

struct Batch {
  const RestClientOptions& options;
  std::size_t bytes = 0;  // of the bodies that are held now
};

class Transfer {
 public:
  Transfer(std::size_t index, Batch* batch) : index_(index), batch_(*batch) {}
  ~Transfer() { batch_.bytes -= body_.size(); }
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  bool Start(const std::string& url, const std::string& authorization, CURLM* multi) {
    easy_.reset(Curl().easy_init());
    if (easy_ == nullptr) return false;
    headers_.reset(Curl().slist_append(nullptr, "Accept: application/json"));
    if (headers_ != nullptr && !authorization.empty()) {
      Curl().slist_append(headers_.get(), ("Authorization: " + authorization).c_str());
    }
    const RestClientOptions& options = batch_.options;
    const long timeout = static_cast<long>(options.request_timeout.count());
    SetUsualOptions(easy_.get(), options.ca_file);
    Set(CURLOPT_URL, url.c_str());
    Set(CURLOPT_HTTPGET, 1L);
    Set(CURLOPT_HTTPHEADER, headers_.get());
    Set(CURLOPT_TIMEOUT_MS, timeout);
    Set(CURLOPT_CONNECTTIMEOUT_MS, std::min(timeout, kMaxConnectMillis));
    Set(CURLOPT_HEADERFUNCTION, &Transfer::ReceiveHeader);
    Set(CURLOPT_HEADERDATA, this);
    Set(CURLOPT_WRITEFUNCTION, &Transfer::Receive);
    Set(CURLOPT_WRITEDATA, this);
    Set(CURLOPT_ERRORBUFFER, error_.data());
    Set(CURLOPT_SSL_VERIFYPEER, options.verify_tls ? 1L : 0L);
    Set(CURLOPT_SSL_VERIFYHOST, options.verify_tls ? 2L : 0L);
    return Curl().multi_add_handle(multi, easy_.get()) == CURLM_OK;
  }

  void Remove(CURLM* multi) { Curl().multi_remove_handle(multi, easy_.get()); }

  Result<RestAnswer> Outcome(CURLcode code, const std::string& path) {
    if (too_large_) return Error{ErrorCode::kTooLarge, "answer above the size limit", path};
    if (code != CURLE_OK) {
      const std::string reason = error_[0] != '\0' ? error_.data() : Curl().easy_strerror(code);
      return Error{CodeOf(code), OneLine(reason, kShownReasonBytes), path};
    }
    long status = 0;
    Curl().easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
    const char* type = nullptr;
    Curl().easy_getinfo(easy_.get(), CURLINFO_CONTENT_TYPE, &type);
    batch_.bytes -= body_.size();
    RestAnswer answer{static_cast<int>(status),
                      type == nullptr ? "" : OneLine(type, kShownReasonBytes), std::move(body_)};
    body_.clear();
    return answer;
  }

  std::size_t index() const { return index_; }
  const CURL* easy() const { return easy_.get(); }

 private:
  template <typename Value>
  void Set(CURLoption option, Value value) {
    Curl().easy_setopt(easy_.get(), option, value);
  }

  static ErrorCode CodeOf(CURLcode code) {
    switch (code) {
      case CURLE_OPERATION_TIMEDOUT:
        return ErrorCode::kTimeout;
      case CURLE_WEIRD_SERVER_REPLY:
      case CURLE_UNSUPPORTED_PROTOCOL:
      case CURLE_PARTIAL_FILE:
      case CURLE_RECV_ERROR:
      case CURLE_BAD_CONTENT_ENCODING:
        return ErrorCode::kMalformed;
      default:
        return ErrorCode::kUnreachable;
    }
  }

  static std::size_t ReceiveHeader(const char*, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    transfer->head_bytes_ += size * count;
    transfer->too_large_ = transfer->too_large_ || transfer->head_bytes_ > kMaxHeadBytes;
    return transfer->too_large_ ? 0 : size * count;
  }

  static std::size_t Receive(const char* bytes, std::size_t size, std::size_t count, void* self) {
    auto* transfer = static_cast<Transfer*>(self);
    const std::size_t length = size * count;
    const std::size_t limit = transfer->batch_.options.max_body_bytes;
    if (length > limit - transfer->body_.size() ||
        length > kBodiesOfOneBatch * limit - transfer->batch_.bytes) {
      transfer->too_large_ = true;
      return 0;  // ends the transfer
    }
    transfer->body_.append(bytes, length);
    transfer->batch_.bytes += length;
    return length;
  }

  const std::size_t index_;
  Batch& batch_;
  CurlSlist headers_;
  std::array<char, CURL_ERROR_SIZE> error_{};
  CurlEasy easy_;  // after what it points to
  std::string body_;
  std::size_t head_bytes_ = 0;
  bool too_large_ = false;
};

class CurlRestClient final : public RestClient {
 public:
  CurlRestClient(BaseUrl base, const RestClientOptions& options)
      : base_(std::move(base)), options_(options) {}

  const std::string& url() const override { return base_.url; }

  void GetEach(const std::vector<std::string>& paths, const OnAnswer& on_answer) override {
    CURLM* multi = ThreadsMulti();
    Batch batch{options_};
    Transfers under_way;
    std::optional<Error> given_up;  // why the rest is not asked
    std::size_t silent = 0;         // requests in a row that got no answer
    std::size_t next = 0;
    while (next < paths.size() || !under_way.empty()) {
      for (; next < paths.size() && !given_up && under_way.size() < options_.max_concurrency;
           ++next) {
        auto transfer = std::make_unique<Transfer>(next, &batch);
        if (multi == nullptr ||
            !transfer->Start(base_.url + paths[next], base_.authorization, multi)) {
          given_up = Error{ErrorCode::kIo, "libcurl could not be set up", ""};
          break;
        }
        under_way.push_back(std::move(transfer));
      }
      for (auto& [transfer, code] : NextEnded(multi, &under_way)) {
        const std::string& path = paths[transfer->index()];
        Result<RestAnswer> outcome = transfer->Outcome(code, path);
        silent = GotNoAnswer(outcome) ? silent + 1 : 0;
        if (silent >= options_.max_concurrency) given_up = outcome.error();
        on_answer(transfer->index(), std::move(outcome));
      }
      for (; given_up && next < paths.size(); ++next) {
        on_answer(next, Error{given_up->code, "not asked: no good answers any more", paths[next]});
      }
    }
  }

 private:
  using Transfers = std::vector<std::unique_ptr<Transfer>>;
  using Ended = std::vector<std::pair<std::unique_ptr<Transfer>, CURLcode>>;

  static bool GotNoAnswer(const Result<RestAnswer>& outcome) {
    return !outcome.ok() && (outcome.error().code == ErrorCode::kTimeout ||
                             outcome.error().code == ErrorCode::kUnreachable);
  }

  // Waits until one ends or some time has passed; takes those that ended out of `under_way`.
  static Ended NextEnded(CURLM* multi, Transfers* under_way) {
    Ended ended;
    if (under_way->empty()) return ended;
    int running = 0;
    Curl().multi_perform(multi, &running);
    int left = 0;
    while (const CURLMsg* message = Curl().multi_info_read(multi, &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const CURL* easy = message->easy_handle;
      const auto found = std::find_if(under_way->begin(), under_way->end(),
                                      [&](const auto& t) { return t->easy() == easy; });
      if (found == under_way->end()) continue;
      (*found)->Remove(multi);
      ended.emplace_back(std::move(*found), code);
      under_way->erase(found);
    }
    if (ended.empty()) Curl().multi_poll(multi, nullptr, 0, kPollMillis, nullptr);
    return ended;
  }

  const BaseUrl base_;
  const RestClientOptions options_;
};

}  // namespace

Result<std::unique_ptr<RestClient>> NewCurlRestClient(const std::string& base_url,
                                                      const RestClientOptions& options) {
  const Status loaded = LoadCurl();
  if (!loaded.ok()) return loaded.error();
  // libcurl reads it at the first connection, when it is too late to end the start.
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file).good()) {
    return Error{ErrorCode::kInvalidArgument, "cannot be read", options.ca_file};
  }
  Result<BaseUrl> base = ParseBaseUrl(base_url);
  if (!base.ok()) return base.error();
  if (options.max_concurrency == 0) {
    return Error{ErrorCode::kInvalidArgument, "needs at least one request at a time", base->url};
  }
  return std::unique_ptr<RestClient>(std::make_unique<CurlRestClient>(*std::move(base), options));
}

}  // namespace fss
