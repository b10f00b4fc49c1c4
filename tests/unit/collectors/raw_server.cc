#include "tests/unit/collectors/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace fss {

bool RawConnection::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
    sent_ += static_cast<std::size_t>(sent);
  }
  return true;
}

void RawConnection::Hang() { server_->WaitForStop(0); }
void RawConnection::Sleep(int millis) { server_->WaitForStop(millis); }

RawServer::RawServer(Handler handler) : handler_(std::move(handler)) {
  listen_fd_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(listen_fd_, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listen_fd_, 128);
  ::getsockname(listen_fd_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

RawServer::~RawServer() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    for (const int fd : open_fds_) ::shutdown(fd, SHUT_RDWR);
  }
  stopped_.notify_all();
  ::shutdown(listen_fd_, SHUT_RDWR);
  if (acceptor_.joinable()) acceptor_.join();
  for (std::thread& thread : threads_) thread.join();
  ::close(listen_fd_);
}

void RawServer::Accept() {
  for (;;) {
    const int fd = ::accept4(listen_fd_, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd < 0) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stop_) {
      ::close(fd);
      return;
    }
    ++connections_;
    open_fds_.push_back(fd);
    threads_.emplace_back([this, fd] { Serve(fd); });
  }
}

void RawServer::Serve(int fd) {
  std::string bytes;
  char chunk[4096];
  for (bool open = true; open;) {
    const ssize_t got = ::recv(fd, chunk, sizeof chunk, 0);
    if (got <= 0) break;
    bytes.append(chunk, static_cast<std::size_t>(got));
    const auto end = bytes.find("\r\n\r\n");
    if (end == std::string::npos) continue;
    const std::string request = bytes.substr(0, end + 4);
    bytes.erase(0, end + 4);
    ++requests_;
    const int now = ++at_once_;
    for (int most = most_at_once_; now > most;) {
      if (most_at_once_.compare_exchange_weak(most, now)) break;
    }
    RawConnection connection(this, fd);
    open = handler_(connection, request);
    --at_once_;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  std::erase(open_fds_, fd);
  ::shutdown(fd, SHUT_RDWR);
  ::close(fd);
}

bool RawServer::WaitForStop(int millis) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto stopping = [this] { return stop_; };
  if (millis == 0) {
    stopped_.wait(lock, stopping);
    return true;
  }
  return stopped_.wait_for(lock, std::chrono::milliseconds(millis), stopping);
}

std::string HttpAnswer(std::string_view body, std::string_view type, int status) {
  std::string answer = "HTTP/1.1 " + std::to_string(status) + " Something\r\nContent-Type: ";
  answer += type;
  answer += "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  answer += body;
  return answer;
}

}  // namespace fss
