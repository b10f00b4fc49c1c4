// A server of raw bytes on a free loopback port, a thread per connection, for tests of how the
// HTTP client takes bad servers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace fss {

class RawServer;

// One accepted connection, as its handler sees it.
class RawConnection {
 public:
  RawConnection(RawServer* server, int fd) : server_(server), fd_(fd) {}
  // False once the peer is gone.
  bool Send(std::string_view bytes);
  // Waits until the server stops: a peer that never answers. Or the milliseconds are over.
  void Hang();
  void Sleep(int millis);
  std::size_t sent() const { return sent_; }

 private:
  RawServer* server_;
  int fd_;
  std::size_t sent_ = 0;
};

class RawServer {
 public:
  // Called for each request (its head, as it came); returns whether the connection stays open.
  using Handler = std::function<bool(RawConnection& connection, const std::string& request)>;

  explicit RawServer(Handler handler);
  ~RawServer();  // closes all connections, wakes hanging handlers, waits for them
  RawServer(const RawServer&) = delete;
  RawServer& operator=(const RawServer&) = delete;

  int port() const { return port_; }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }
  int most_at_once() const { return most_at_once_; }
  int requests() const { return requests_; }

 private:
  friend class RawConnection;
  void Accept();
  void Serve(int fd);
  // True when the server stops within the time; 0 waits for ever.
  bool WaitForStop(int millis);

  const Handler handler_;
  int listen_fd_ = -1;
  int port_ = 0;
  std::atomic<int> connections_{0};
  std::atomic<int> requests_{0};
  std::atomic<int> at_once_{0};
  std::atomic<int> most_at_once_{0};
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::vector<int> open_fds_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

// "HTTP/1.1 200 OK" with a Content-Length.
std::string HttpAnswer(std::string_view body, std::string_view type = "application/json",
                       int status = 200);

}  // namespace fss
