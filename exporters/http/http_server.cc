#include "exporters/http/http_server.h"

#include <civetweb.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

#include "exporters/http/listen_address.h"
#include "exporters/http/page_cache.h"
#include "exporters/http/routes.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// civetweb serves one connection per thread. A few answer hundreds of scrapes a second; the others
// are room beside clients that are slow. Each costs some 30 KiB.
constexpr const char* kThreads = "16";
// The whole of a request must be here by then: a client that sends it byte by byte holds a thread
// for no longer. Also what the socket may take for one piece of an answer.
constexpr const char* kRequestTimeoutMs = "2000";
// What a request and its headers may take. Ours are a few hundred bytes.
constexpr const char* kMaxRequestBytes = "8192";
// Connections that wait for a thread; further ones wait in the kernel.
constexpr const char* kConnectionQueue = "64";

constexpr std::size_t kMaxLogBytes = 300;

// How often a stopping server's accepting thread is woken until it has seen that it should stop.
constexpr std::chrono::milliseconds kWakeInterval{10};

std::string_view View(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}

class CivetwebServer : public HttpServer {
 public:
  explicit CivetwebServer(HttpErrorLog log)
      : log_(std::move(log)),
        publication_(std::make_shared<const Publication>(Publication{
            nullptr, std::make_shared<const MetricsBody>(Nothing()), /*ready=*/false})) {}
  ~CivetwebServer() override {
    if (context_ != nullptr) {
      Stop();
    }
  }
  CivetwebServer(const CivetwebServer&) = delete;
  CivetwebServer& operator=(const CivetwebServer&) = delete;

  Status Start(const std::string& listen);
  void Publish(std::shared_ptr<const Report> report, const SidecarStats& stats,
               bool ready) override;
  void PublishFleet(std::shared_ptr<const Fleet> fleet, bool ready) override;
  int port() const override { return port_; }

 private:
  void Stop();
  static int OnRequest(mg_connection* connection);
  static int OnError(mg_connection* connection, int status, const char* message);
  static int OnLog(const mg_connection* connection, const char* message);

  static const Fleet& Nothing() {
    static const std::shared_ptr<const Fleet> nothing =
        FleetOf(std::make_shared<const Report>(), {});
    return *nothing;
  }
  std::shared_ptr<const Publication> Current() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return publication_;
  }
  void Swap(Publication next);
  void Log(std::string line);
  std::string FirstLog() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return first_log_;
  }

  const HttpErrorLog log_;
  mg_context* context_ = nullptr;
  int port_ = 0;
  std::string host_;  // numeric; empty: all addresses

  // A mutex and not std::atomic<std::shared_ptr>: it is held for two copies, and thread sanitizers
  // understand it.
  mutable std::mutex mutex_;
  std::shared_ptr<const Publication> publication_;  // guarded by mutex_; never nullptr
  std::string first_log_;                           // guarded by mutex_; why Start failed
  PageCache pages_;
};

Status CivetwebServer::Start(const std::string& listen) {
  const Result<std::string> listening_port = CivetwebListeningPort(listen);
  if (!listening_port) {
    return listening_port.error();
  }
  static const unsigned library_ready = mg_init_library(0);
  (void)library_ready;
  std::array<const char*, 15> options = {"listening_ports",
                                         listening_port->c_str(),
                                         "num_threads",
                                         kThreads,
                                         "request_timeout_ms",
                                         kRequestTimeoutMs,
                                         "max_request_size",
                                         kMaxRequestBytes,
                                         "connection_queue",
                                         kConnectionQueue,
                                         "enable_keep_alive",
                                         "no",
                                         "tcp_nodelay",
                                         "1",
                                         nullptr};
  mg_callbacks callbacks{};
  callbacks.begin_request = &CivetwebServer::OnRequest;
  callbacks.http_error = &CivetwebServer::OnError;
  callbacks.log_message = &CivetwebServer::OnLog;
  context_ = mg_start(&callbacks, this, options.data());
  std::array<mg_server_port, 1> ports{};
  if (context_ == nullptr || mg_get_server_ports(context_, 1, ports.data()) < 1) {
    const std::string reason = FirstLog();
    return Error{ErrorCode::kIo, reason.empty() ? "cannot listen" : reason, listen};
  }
  port_ = ports[0].port;
  const std::size_t host_end = listening_port->rfind(':');
  host_ = host_end == std::string::npos ? std::string() : listening_port->substr(0, host_end);
  return OkStatus();
}

// civetweb's accepting thread looks at its stop flag every two seconds, or when a connection comes:
// one is made, until it has looked.
void CivetwebServer::Stop() {
  std::atomic<bool> stopped = false;
  std::thread waker([this, &stopped] {
    while (!stopped) {
      TouchListener(host_, port_);
      std::this_thread::sleep_for(kWakeInterval);
    }
  });
  mg_stop(context_);
  stopped = true;
  waker.join();
}

void CivetwebServer::Publish(std::shared_ptr<const Report> report, const SidecarStats& stats,
                             bool ready) {
  const bool known = report != nullptr;
  if (!known) {
    report = std::make_shared<const Report>();
  }
  auto fleet = FleetOf(std::move(report), stats);
  auto metrics = std::make_shared<const MetricsBody>(*fleet);
  Swap({known ? std::move(fleet) : nullptr, std::move(metrics), ready});
}

void CivetwebServer::PublishFleet(std::shared_ptr<const Fleet> fleet, bool ready) {
  Swap({std::move(fleet), nullptr, ready});
}

void CivetwebServer::Swap(Publication publication) {
  auto next = std::make_shared<const Publication>(std::move(publication));
  const std::lock_guard<std::mutex> lock(mutex_);
  // The old set leaves with `next`, after the lock (declared before it): freeing it may take long.
  publication_.swap(next);
}

int CivetwebServer::OnRequest(mg_connection* connection) {
  auto* server = static_cast<CivetwebServer*>(mg_get_user_data(mg_get_context(connection)));
  const mg_request_info* info = mg_get_request_info(connection);
  const Request request{View(info->request_method), View(info->local_uri), View(info->query_string),
                        View(mg_get_header(connection, "Accept-Encoding"))};
  Reply reply(connection, request.method == "HEAD");
  const std::shared_ptr<const Publication> publication = server->Current();
  if (publication->metrics == nullptr && request.path == kMetricsPath) {
    const Publication rendered{publication->fleet, server->pages_.Of(publication->fleet),
                               publication->ready};
    Answer(request, rendered, &reply);
  } else {
    Answer(request, *publication, &reply);
  }
  constexpr int kHandled = 200;
  return kHandled;
}

// For requests that civetweb itself turns down: broken, too long, too late.
int CivetwebServer::OnError(mg_connection* connection, int status, const char* message) {
  Reply reply(connection, /*head_only=*/false);
  reply.Send(status, kJsonType, ErrorsJson(OneLine(View(message), kMaxLogBytes)));
  constexpr int kHandled = 0;
  return kHandled;
}

int CivetwebServer::OnLog(const mg_connection* connection, const char* message) {
  auto* server = static_cast<CivetwebServer*>(mg_get_user_data(mg_get_context(connection)));
  if (server != nullptr) {
    server->Log(OneLine(View(message), kMaxLogBytes));
  }
  constexpr int kHandled = 1;  // nothing goes to civetweb's own log file
  return kHandled;
}

void CivetwebServer::Log(std::string line) {
  if (log_ != nullptr) {
    log_(line);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (first_log_.empty()) {
    first_log_ = std::move(line);
  }
}

}  // namespace

Result<std::unique_ptr<HttpServer>> NewHttpServer(const std::string& listen, HttpErrorLog log) {
  auto server = std::make_unique<CivetwebServer>(std::move(log));
  const Status started = server->Start(listen);
  if (!started) {
    return started.error();
  }
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace fss
