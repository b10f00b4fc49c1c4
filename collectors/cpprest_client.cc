// The only file that knows cpprestsdk (docs/adr: why it sits behind RestClient).
//
// cpprestsdk's pool has one thread here. All of its own work runs there, starting and cancelling
// requests too (posted, never called from outside): its contexts replace their connection without
// a lock, which is safe only while one thread touches them. One thread is also the fastest: a
// connection is back in its pool before the next request looks for one (docs/benchmarks.md).
#include <utility>  // boost 1.74 with C++20 forgets it

#include <pplx/threadpool.h>

#include <cpprest/http_client.h>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>

#include "collectors/base_url.h"
#include "collectors/http_failure.h"
#include "collectors/rest_client.h"
#include "collectors/wire_watch.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

using SteadyClock = std::chrono::steady_clock;
namespace http = web::http;

constexpr std::size_t kPoolThreads = 1;
// How long a cancelled request may take to unwind before it is given up: a resolver that blocks
// in getaddrinfo cannot be woken.
constexpr std::chrono::milliseconds kUnwindGrace{500};
// All bodies in flight together, in units of the limit of one: 16 answers near their limit at
// once would be half a gigabyte, and no JobManager sends them.
constexpr std::size_t kBodiesInFlight = 2;
constexpr std::size_t kMaxErrorBytes = 200;
// How often the bytes that came are compared with those that were handed on (wire_watch.h). At a
// gigabyte a second 20 MB come in between.
constexpr std::chrono::milliseconds kWatchInterval{20};
// What may have come and not be handed on, in parts of max_body_bytes: whole answers in one chunk
// (a proxy that buffers), the heads of all answers, and TLS' own bytes.
constexpr std::uint64_t kUndeliveredParts = 2;
constexpr std::uint64_t kHeadBytes = 64U << 10U;
constexpr std::uint64_t kOverheadParts = 8;

// Thrown inside cpprestsdk's body loop, caught in this file: makes it drop the connection.
struct BodyTooLarge : std::exception {
  const char* what() const noexcept override { return "answer above the size limit"; }
};

// Where a response body goes: a string with a limit. Write only; used by one thread at a time.
class BodySink final : public concurrency::streams::details::streambuf_state_manager<uint8_t> {
 public:
  // `in_flight` counts the bytes of all bodies of a client, bounded by `total_limit`.
  BodySink(std::size_t limit, std::size_t total_limit, std::shared_ptr<BodyBytes> bytes)
      : streambuf_state_manager(std::ios_base::out),
        limit_(limit),
        total_limit_(total_limit),
        in_flight_(std::move(in_flight)) {}
  ~BodySink() override { in_flight_->fetch_sub(counted_); }
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
    const std::size_t total = std::min(in_flight_->load(), total_limit_);
    if (count > limit_ - body_.size() || count > total_limit_ - total) {
      overflowed_ = true;
      return pplx::task_from_exception<std::size_t>(BodyTooLarge());
    }
    in_flight_->fetch_add(count);
    counted_ += count;
    body_.append(reinterpret_cast<const char*>(bytes), count);
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
  const std::size_t total_limit_;
  const std::shared_ptr<std::atomic<std::size_t>> in_flight_;
  std::size_t counted_ = 0;
  bool overflowed_ = false;
  std::string body_;
};

// One request on its way. Shared by the calling thread and the pool's; what both touch is atomic,
// or handed over through Batch's lock.
struct Request {
  enum class Stop { kNone, kDeadline, kTooLarge };

  std::size_t index = 0;
  std::string target;  // base path and path
  SteadyClock::time_point deadline;
  std::shared_ptr<BodySink> body;
  pplx::cancellation_token_source cancel;
  std::atomic<Stop> stop{Stop::kNone};  // why we cancelled it
  std::atomic<bool> finished{false};
  // The outcome; written before it is pushed to the batch.
  int status = 0;
  std::string content_type;
  std::optional<Error> error;
};

// Requests that ended, from the pool's thread to the calling one. Outlives GetEach when a request
// had to be given up.
class Batch {
 public:
  void Push(std::shared_ptr<Request> request) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_.push_back(std::move(request));
    }
    ended_some_.notify_one();
  }

  // What ended since the last call; waits for at least one, or until `deadline`.
  std::vector<std::shared_ptr<Request>> Take(SteadyClock::time_point deadline) {
    std::unique_lock<std::mutex> lock(mutex_);
    ended_some_.wait_until(lock, deadline, [this] { return !ended_.empty(); });
    return std::exchange(ended_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_some_;
  std::vector<std::shared_ptr<Request>> ended_;
};

// What the exception in flight means for `request`.
Error FromCurrentException(const Request& request) {
  switch (request.stop.load()) {
    case Request::Stop::kDeadline:
      return Error{ErrorCode::kTimeout, "no answer in time", ""};
    case Request::Stop::kTooLarge:
      return Error{ErrorCode::kTooLarge, BodyTooLarge().what(), ""};
    case Request::Stop::kNone:
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

void Finish(const std::shared_ptr<Request>& request, const std::shared_ptr<Batch>& batch,
            std::optional<Error> error) {
  if (request->finished.exchange(true)) return;
  request->error = std::move(error);
  batch->Push(request);
}

// The headers are there: keeps what they say, stops a body that they say is too long.
void TakeHeaders(const http::http_response& response, std::size_t max_body_bytes,
                 Request* request) {
  request->status = response.status_code();
  const auto& headers = response.headers();
  if (const auto type = headers.find(http::header_names::content_type); type != headers.end()) {
    request->content_type = OneLine(type->second, kMaxErrorBytes);
  }
  if (headers.has(http::header_names::content_length) &&
      headers.content_length() > max_body_bytes) {
    request->stop = Request::Stop::kTooLarge;
    request->cancel.cancel();
  }
}

class CppRestClient final : public RestClient {
 public:
  CppRestClient(BaseUrl base, const RestClientOptions& options,
                std::shared_ptr<http::client::http_client> client)
      : base_(std::move(base)), options_(options), client_(std::move(client)) {}

  const std::string& url() const override { return base_.url; }

  void GetEach(const std::vector<std::string>& paths, const OnAnswer& on_answer) override {
    const auto batch = std::make_shared<Batch>();
    std::vector<std::shared_ptr<Request>> in_flight;
    std::size_t next = 0;
    // Requests in a row that got no answer: after a whole window of them the rest of a thousand
    // is not asked, so that a frozen JobManager costs two time-outs and not hundreds.
    std::size_t silent = 0;
    std::optional<Error> given_up;
    while (next < paths.size() || !in_flight.empty()) {
      while (next < paths.size() && !given_up && in_flight.size() < options_.max_concurrency) {
        in_flight.push_back(Start(next, paths[next], batch));
        ++next;
      }
      for (const std::shared_ptr<Request>& request : NextEnded(&in_flight, batch.get())) {
        silent = GotAnswer(*request) ? 0 : silent + 1;
        if (silent >= options_.max_concurrency) given_up = request->error;
        on_answer(request->index, Outcome(request.get(), paths[request->index]));
      }
      for (; given_up && next < paths.size(); ++next) {
        on_answer(next, Error{given_up->code, "not asked: no answers any more", paths[next]});
      }
    }
  }

 private:
  static bool GotAnswer(const Request& request) {
    return !request.error || (request.error->code != ErrorCode::kTimeout &&
                              request.error->code != ErrorCode::kUnreachable);
  }

  static Result<RestAnswer> Outcome(Request* request, const std::string& path) {
    if (request->error) {
      request->error->context = path;
      return *request->error;
    }
    return RestAnswer{request->status, std::move(request->content_type), request->body->Take()};
  }

  std::shared_ptr<Request> Start(std::size_t index, const std::string& path,
                                 const std::shared_ptr<Batch>& batch) {
    auto request = std::make_shared<Request>();
    request->index = index;
    request->target = base_.path + path;
    request->deadline = SteadyClock::now() + options_.request_timeout;
    request->body = std::make_shared<BodySink>(
        options_.max_body_bytes, kBodiesInFlight * options_.max_body_bytes, bytes_in_flight_);
    OnPool([request, batch, client = client_, authorization = base_.authorization,
            limit = options_.max_body_bytes] {
      Send(request, batch, client.get(), authorization, limit);
    });
    return request;
  }

  // On the pool's thread. Every path out of here, and out of the two continuations, ends in
  // Finish: no task exception is left unobserved.
  static void Send(const std::shared_ptr<Request>& request, const std::shared_ptr<Batch>& batch,
                   http::client::http_client* client, const std::string& authorization,
                   std::size_t max_body_bytes) {
    try {
      http::http_request message(http::methods::GET);
      message.set_request_uri(web::uri(request->target));
      message.headers().add(http::header_names::accept, "application/json");
      message.headers().add(http::header_names::user_agent, "flink-state-sidecar/" FSS_VERSION);
      if (!authorization.empty()) {
        message.headers().add(http::header_names::authorization, authorization);
      }
      message.set_response_stream(
          concurrency::streams::ostream(concurrency::streams::streambuf<uint8_t>(request->body)));
      client->request(message, request->cancel.get_token())
          .then([request, batch, max_body_bytes](const pplx::task<http::http_response>& headers) {
            try {
              const http::http_response response = headers.get();
              TakeHeaders(response, max_body_bytes, request.get());
              AwaitBody(request, batch, response);
            } catch (...) {
              Finish(request, batch, FromCurrentException(*request));
            }
          });
    } catch (...) {
      Finish(request, batch, FromCurrentException(*request));
    }
  }

  static void AwaitBody(const std::shared_ptr<Request>& request,
                        const std::shared_ptr<Batch>& batch, const http::http_response& response) {
    response.content_ready().then([request, batch](const pplx::task<http::http_response>& body) {
      try {
        body.get();
        Finish(request, batch, std::nullopt);
      } catch (...) {
        Finish(request, batch, FromCurrentException(*request));
      }
    });
  }

  // Waits for requests that ended and takes them out of `in_flight`. Those past their deadline
  // are cancelled; those that do not unwind after that are ended here, their late end is ignored.
  static std::vector<std::shared_ptr<Request>> NextEnded(
      std::vector<std::shared_ptr<Request>>* in_flight, Batch* batch) {
    SteadyClock::time_point wake = SteadyClock::time_point::max();
    for (const auto& request : *in_flight) wake = std::min(wake, request->deadline);
    std::vector<std::shared_ptr<Request>> ended = batch->Take(wake);
    if (ended.empty()) {
      for (const auto& request : *in_flight) Expire(request, &ended);
    }
    for (const auto& request : ended) std::erase(*in_flight, request);
    return ended;
  }

  static void Expire(const std::shared_ptr<Request>& request,
                     std::vector<std::shared_ptr<Request>>* ended) {
    const auto now = SteadyClock::now();
    if (request->deadline > now) return;
    if (request->stop.load() != Request::Stop::kDeadline) {
      request->stop = Request::Stop::kDeadline;
      request->deadline = now + kUnwindGrace;
      OnPool([request] { request->cancel.cancel(); });
    } else if (!request->finished.exchange(true)) {
      request->error = Error{ErrorCode::kTimeout, "no answer in time", ""};
      ended->push_back(request);
    }
  }

  template <typename Work>
  static void OnPool(Work work) {
    crossplat::threadpool::shared_instance().service().post(std::move(work));
  }

  const BaseUrl base_;
  const RestClientOptions options_;
  const std::shared_ptr<http::client::http_client> client_;
  const std::shared_ptr<std::atomic<std::size_t>> bytes_in_flight_ =
      std::make_shared<std::atomic<std::size_t>>(0);
};

void StartPool() {
  static std::once_flag once;
  std::call_once(once, [] {
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
  config.set_timeout(options.request_timeout + 2 * kUnwindGrace);
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
