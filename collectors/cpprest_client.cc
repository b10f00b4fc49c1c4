// The only file that knows cpprestsdk (docs/adr: why it sits behind RestClient).
//
// cpprestsdk's pool has one thread here. All of its own work runs there, starting and cancelling
// requests too (posted, never called from outside): its contexts replace their connection without
// a lock, which is safe only while one thread touches them. One thread is also the fastest: a
// connection is back in its pool before the next request looks for one (docs/benchmarks.md).
#ifdef __SANITIZE_THREAD__
// ThreadSanitizer does not know fences (gcc refuses them); asio's mutexes order its handlers too.
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif
#include <utility>  // boost 1.74 with C++20 forgets it

#include <openssl/ssl.h>
#include <pplx/threadpool.h>

#include <cpprest/http_client.h>
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>

#include "collectors/base_url.h"
#include "collectors/exchange.h"
#include "collectors/http_failure.h"
#include "collectors/request_window.h"
#include "collectors/rest_client.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

namespace http = web::http;

constexpr std::size_t kPoolThreads = 1;
// All bodies in flight together, in units of the limit of one: 16 answers near their limit at
// once would be half a gigabyte, and no JobManager sends them.
constexpr std::size_t kBodiesOfAllBatches = 2;
constexpr std::chrono::seconds kLateness{1};

// Thrown inside cpprestsdk's body loop, caught in this file: makes it drop the connection.
struct BodyTooLarge : std::exception {
  const char* what() const noexcept override { return "answer above the size limit"; }
};

// Counts of body bytes, shared by the sinks of a client.
struct BodyBytes {
  std::atomic<std::size_t> in_flight{0};
  std::atomic<std::uint64_t> delivered{0};
};

// Where a response body goes: a string with a limit. Write only; used by one thread at a time.
class BodySink final : public concurrency::streams::details::streambuf_state_manager<uint8_t> {
 public:
  BodySink(std::size_t limit, std::shared_ptr<BodyBytes> bytes)
      : streambuf_state_manager(std::ios_base::out), limit_(limit), bytes_(std::move(bytes)) {}
  ~BodySink() override { bytes_->in_flight.fetch_sub(body_bytes_); }
  BodySink(const BodySink&) = delete;
  BodySink& operator=(const BodySink&) = delete;

  std::string Take() { return std::move(body_); }
  bool overflowed() const { return overflowed_; }

  bool can_seek() const override { return false; }
  bool has_size() const override { return false; }
  std::size_t buffer_size(std::ios_base::openmode) const override { return 0; }
  void set_buffer_size(std::size_t, std::ios_base::openmode) override {}
  std::size_t in_avail() const override { return 0; }
  pos_type getpos(std::ios_base::openmode) const override { return pos_type(traits::eof()); }
  pos_type seekpos(pos_type, std::ios_base::openmode) override { return pos_type(traits::eof()); }
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
    return pos_type(traits::eof());
  }
  bool acquire(uint8_t*& ptr, std::size_t& count) override {
    ptr = nullptr;
    count = 0;
    return false;
  }
  void release(uint8_t*, std::size_t) override {}

  // The only way in which the body loop writes. Not _putn: its caller closes the buffer on a
  // failure and waits for that on the pool's only thread, for ever. `count` may be a lie: a chunk
  // header of "-2" arrives here as 2^64-2 bytes. Checked first.
  pplx::task<std::size_t> putn_nocopy(const uint8_t* bytes, std::size_t count) override {
    const std::size_t total_limit = kBodiesOfAllBatches * limit_;
    const std::size_t total = std::min(bytes_->in_flight.load(), total_limit);
    if (count > limit_ - body_bytes_ || count > total_limit - total) {
      overflowed_ = true;
      return pplx::task_from_exception<std::size_t>(BodyTooLarge());
    }
    body_.append(reinterpret_cast<const char*>(bytes), count);
    body_bytes_ += count;
    bytes_->in_flight.fetch_add(count);
    bytes_->delivered.fetch_add(count);
    return pplx::task_from_result(count);
  }

 protected:
  pplx::task<std::size_t> _putn(const uint8_t*, std::size_t) override {
    return pplx::task_from_result<std::size_t>(0);
  }
  pplx::task<int_type> _putc(uint8_t) override { return pplx::task_from_result(traits::eof()); }
  pplx::task<int_type> _bumpc() override { return pplx::task_from_result(traits::eof()); }
  int_type _sbumpc() override { return traits::eof(); }
  pplx::task<int_type> _getc() override { return pplx::task_from_result(traits::eof()); }
  int_type _sgetc() override { return traits::eof(); }
  pplx::task<int_type> _nextc() override { return pplx::task_from_result(traits::eof()); }
  pplx::task<int_type> _ungetc() override { return pplx::task_from_result(traits::eof()); }
  pplx::task<std::size_t> _getn(uint8_t*, std::size_t) override {
    return pplx::task_from_result<std::size_t>(0);
  }
  std::size_t _scopy(uint8_t*, std::size_t) override { return 0; }
  pplx::task<bool> _sync() override { return pplx::task_from_result(true); }
  uint8_t* _alloc(std::size_t) override { return nullptr; }
  void _commit(std::size_t) override {}

 private:
  const std::size_t limit_;
  const std::shared_ptr<BodyBytes> bytes_;
  std::size_t body_bytes_ = 0;
  bool overflowed_ = false;
  std::string body_;
};

struct CppRestExchange final : Exchange {
  explicit CppRestExchange(std::shared_ptr<BodySink> sink) : body(std::move(sink)) {}
  std::string TakeBody() override { return body->Take(); }

  const std::shared_ptr<BodySink> body;
  pplx::cancellation_token_source cancel;
};

// What the exception in flight means for `request`.
Error FromCurrentException(const CppRestExchange& request) {
  switch (request.stop.load()) {
    case Exchange::Stop::kDeadline:
      return Error{ErrorCode::kTimeout, "no answer in time", ""};
    case Exchange::Stop::kTooLarge:
      return Error{ErrorCode::kTooLarge, BodyTooLarge().what(), ""};
    case Exchange::Stop::kNone:
      break;
  }
  if (request.body->overflowed()) return Error{ErrorCode::kTooLarge, BodyTooLarge().what(), ""};
  try {
    throw;
  } catch (const http::http_exception& failure) {
    return ErrorFromHttpFailure(failure.what(), failure.error_code() == std::errc::timed_out);
  } catch (const std::exception& failure) {
    return Error{ErrorCode::kMalformed, OneLine(failure.what(), kMaxErrorBytes), ""};
  } catch (...) {
    return Error{ErrorCode::kMalformed, "unknown failure of the HTTP client", ""};
  }
}

// The headers are there: keeps what they say, stops a body that they say is too long.
void TakeHeaders(const http::http_response& response, std::size_t max_body_bytes,
                 CppRestExchange* request) {
  request->status = response.status_code();
  const auto& headers = response.headers();
  if (const auto type = headers.find(http::header_names::content_type); type != headers.end()) {
    request->content_type = OneLine(type->second, kMaxErrorBytes);
  }
  if (headers.has(http::header_names::content_length) &&
      headers.content_length() > max_body_bytes) {
    request->stop = Exchange::Stop::kTooLarge;
    request->cancel.cancel();
  }
}

// A request on the pool's thread. Every path out of Run and of its two continuations ends in
// Finish: no task exception is left unobserved.
class Sending : public std::enable_shared_from_this<Sending> {
 public:
  Sending(std::shared_ptr<CppRestExchange> request, std::shared_ptr<EndedExchanges> ended,
          std::shared_ptr<http::client::http_client> client, std::size_t max_body_bytes)
      : request_(std::move(request)),
        ended_(std::move(ended)),
        client_(std::move(client)),
        max_body_bytes_(max_body_bytes) {}

  void Run(const std::string& authorization) {
    try {
      http::http_request message(http::methods::GET);
      message.set_request_uri(web::uri(request_->target));
      message.headers().add(http::header_names::accept, "application/json");
      message.headers().add(http::header_names::user_agent, "flink-state-sidecar/" FSS_VERSION);
      if (!authorization.empty()) {
        message.headers().add(http::header_names::authorization, authorization);
      }
      message.set_response_stream(
          concurrency::streams::ostream(concurrency::streams::streambuf<uint8_t>(request_->body)));
      client_->request(message, request_->cancel.get_token())
          .then([self = shared_from_this()](const pplx::task<http::http_response>& headers) {
            self->AfterHeaders(headers);
          });
    } catch (...) {
      Finish(FromCurrentException(*request_));
    }
  }

 private:
  void AfterHeaders(const pplx::task<http::http_response>& headers) {
    try {
      const http::http_response response = headers.get();
      TakeHeaders(response, max_body_bytes_, request_.get());
      response.content_ready().then(
          [self = shared_from_this()](const pplx::task<http::http_response>& body) {
            self->AfterBody(body);
          });
    } catch (...) {
      Finish(FromCurrentException(*request_));
    }
  }

  void AfterBody(const pplx::task<http::http_response>& body) {
    try {
      body.get();
      Finish(std::nullopt);
    } catch (...) {
      Finish(FromCurrentException(*request_));
    }
  }

  void Finish(std::optional<Error> error) {
    if (request_->finished.exchange(true)) return;
    request_->error = std::move(error);
    ended_->Push(request_);
  }

  const std::shared_ptr<CppRestExchange> request_;
  const std::shared_ptr<EndedExchanges> ended_;
  const std::shared_ptr<http::client::http_client> client_;
  const std::size_t max_body_bytes_;
};

class CppRestClient final : public RestClient, private Transport {
 public:
  CppRestClient(BaseUrl base, const RestClientOptions& options,
                std::shared_ptr<http::client::http_client> client)
      : base_(std::move(base)), options_(options), client_(std::move(client)) {}

  const std::string& url() const override { return base_.url; }

  void GetEach(const std::vector<std::string>& paths, const OnAnswer& on_answer) override {
    RequestWindow(options_, this, base_.path, base_.port).GetEach(paths, on_answer);
  }

 private:
  std::shared_ptr<Exchange> NewExchange() override {
    return std::make_shared<CppRestExchange>(
        std::make_shared<BodySink>(options_.max_body_bytes, body_bytes_));
  }

  void Send(const std::shared_ptr<Exchange>& exchange,
            const std::shared_ptr<EndedExchanges>& ended) override {
    auto sending = std::make_shared<Sending>(std::static_pointer_cast<CppRestExchange>(exchange),
                                             ended, client_, options_.max_body_bytes);
    OnPool([sending = std::move(sending), authorization = base_.authorization] {
      sending->Run(authorization);
    });
  }

  void Cancel(const std::shared_ptr<Exchange>& exchange) override {
    OnPool([request = std::static_pointer_cast<CppRestExchange>(exchange)] {
      request->cancel.cancel();
    });
  }

  std::uint64_t BytesDelivered() const override { return body_bytes_->delivered.load(); }

  template <typename Work>
  static void OnPool(Work work) {
    crossplat::threadpool::shared_instance().service().post(std::move(work));
  }

  const BaseUrl base_;
  const RestClientOptions options_;
  const std::shared_ptr<http::client::http_client> client_;
  const std::shared_ptr<BodyBytes> body_bytes_ = std::make_shared<BodyBytes>();
};

void StartPool() {
  static std::once_flag once;
  std::call_once(once, [] {
    // What starts first ends last: the pool's thread must be gone when OpenSSL cleans up at exit.
    OPENSSL_init_ssl(0, nullptr);
    try {
      crossplat::threadpool::initialize_with_threads(kPoolThreads);
    } catch (const std::exception&) {
      // Somebody else in the process was first: their pool works too.
    }
  });
}

http::client::http_client_config ClientConfig(const RestClientOptions& options) {
  http::client::http_client_config config;
  // Ours is the deadline; cpprestsdk's own, per read, is behind it in case ours is late.
  config.set_timeout(options.request_timeout + kLateness);
  // A redirect is an answer: credentials and questions never follow one to another host.
  config.set_max_redirects(0);
  config.set_validate_certificates(options.verify_tls);
  if (!options.ca_file.empty()) {
    config.set_ssl_context_callback([file = options.ca_file](boost::asio::ssl::context& context) {
      context.load_verify_file(file);
    });
  }
  return config;
}

}  // namespace

Result<std::unique_ptr<RestClient>> NewCppRestClient(const std::string& base_url,
                                                     const RestClientOptions& options) {
  Result<BaseUrl> base = ParseBaseUrl(base_url);
  if (!base.ok()) return base.error();
  if (options.max_concurrency == 0) {
    return Error{ErrorCode::kInvalidArgument, "needs at least one request at a time", base->url};
  }
  try {
    if (!options.ca_file.empty()) {
      boost::asio::ssl::context probe(boost::asio::ssl::context::tls_client);
      probe.load_verify_file(options.ca_file);
    }
  } catch (const std::exception&) {
    return Error{ErrorCode::kInvalidArgument, "not a PEM file of certificates", options.ca_file};
  }
  try {
    StartPool();
    auto client =
        std::make_shared<http::client::http_client>(web::uri(base->origin), ClientConfig(options));
    return std::unique_ptr<RestClient>(
        new CppRestClient(std::move(*base), options, std::move(client)));
  } catch (const std::exception&) {
    return Error{ErrorCode::kInvalidArgument, "not a URL of a server", base->url};
  }
}

}  // namespace fss
