#include "http_client.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace fss {
namespace {

constexpr int kReadTimeoutSeconds = 20;

std::string Unchunked(std::string_view chunks) {
  std::string body;
  while (true) {
    const std::size_t line_end = chunks.find("\r\n");
    if (line_end == std::string_view::npos) {
      ADD_FAILURE() << "a chunk is cut";
      return body;
    }
    const std::size_t size = std::stoul(std::string(chunks.substr(0, line_end)), nullptr, 16);
    chunks.remove_prefix(line_end + 2);
    if (size == 0) {
      EXPECT_EQ(chunks, "\r\n");
      return body;
    }
    body.append(chunks.substr(0, size));
    chunks.remove_prefix(std::min(size + 2, chunks.size()));
  }
}

}  // namespace

Socket::Socket(int port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  timeval timeout{};
  timeout.tv_sec = kReadTimeoutSeconds;
  setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
}

Socket::~Socket() {
  if (fd_ >= 0) {
    close(fd_);
  }
}

bool Socket::Send(std::string_view bytes) const {
  return send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

std::string Socket::ReadAll(std::size_t limit) const {
  std::string all;
  std::array<char, 65536> piece{};
  while (all.size() < limit) {
    const ssize_t got = recv(fd_, piece.data(), std::min(piece.size(), limit - all.size()), 0);
    if (got <= 0) {
      break;
    }
    all.append(piece.data(), static_cast<std::size_t>(got));
  }
  return all;
}

HttpAnswer ParseAnswer(const std::string& bytes, bool head) {
  HttpAnswer answer;
  const std::size_t end = bytes.find("\r\n\r\n");
  if (!bytes.starts_with("HTTP/1.1 ") || end == std::string::npos) {
    ADD_FAILURE() << "no HTTP answer: " << bytes.substr(0, 200);
    return answer;
  }
  answer.status = std::stoi(bytes.substr(9, 3));
  std::istringstream lines(bytes.substr(0, end + 2));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t colon = line.find(": ");
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_TRUE(
        answer.headers.emplace(name, line.substr(colon + 2, line.size() - colon - 3)).second)
        << "twice: " << line;
  }
  answer.body = bytes.substr(end + 4);
  if (head) {
    EXPECT_EQ(answer.body, "");
  } else if (answer.headers.contains("content-length")) {
    EXPECT_EQ(std::to_string(answer.body.size()), answer.headers["content-length"]);
  } else if (answer.headers.contains("transfer-encoding")) {
    EXPECT_EQ(answer.headers["transfer-encoding"], "chunked");
    answer.body = Unchunked(answer.body);
  }
  return answer;
}

HttpAnswer Fetch(int port, const std::string& path, const std::string& headers,
                 const std::string& method) {
  const Socket socket(port);
  EXPECT_TRUE(socket.Send(method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n"));
  return ParseAnswer(socket.ReadAll(), method == "HEAD");
}

}  // namespace fss
