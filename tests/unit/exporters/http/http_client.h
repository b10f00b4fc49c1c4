// A plain HTTP client over a socket, that can also misbehave.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace fss {

struct HttpAnswer {
  int status = 0;                              // 0: no answer
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;                            // chunks joined
};

// A connection to 127.0.0.1. Closes itself.
class Socket {
 public:
  explicit Socket(int port);
  ~Socket();
  Socket(Socket&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  Socket& operator=(Socket&&) = delete;

  bool Send(std::string_view bytes) const;
  // All bytes until the other side closes, or `limit` bytes.
  std::string ReadAll(std::size_t limit = static_cast<std::size_t>(-1)) const;

 private:
  int fd_;
};

// The answer in `bytes`. A test failure when it is not one, or its length is not as announced.
HttpAnswer ParseAnswer(const std::string& bytes, bool head = false);

// One request on its own connection. `headers` are whole lines with "\r\n".
HttpAnswer Fetch(int port, const std::string& path, const std::string& headers = "",
                 const std::string& method = "GET");

}  // namespace fss
