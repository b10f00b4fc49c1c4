#include "collectors/wire_watch.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "tests/unit/collectors/raw_server.h"

namespace fss {
namespace {

// A plain connection to a RawServer: what it sends, we read when told.
class Peer {
 public:
  explicit Peer(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~Peer() { ::close(fd_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void Ask() const {
    const std::string request = "GET / HTTP/1.1\r\n\r\n";
    EXPECT_EQ(::send(fd_, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
  }
  void Read(std::size_t bytes) const {
    std::string buffer(bytes, '\0');
    std::size_t got = 0;
    while (got < bytes) {
      const ssize_t n = ::recv(fd_, buffer.data() + got, bytes - got, 0);
      ASSERT_GT(n, 0);
      got += static_cast<std::size_t>(n);
    }
  }

 private:
  int fd_;
};

RawServer::Handler Sends(std::size_t bytes) {
  return [bytes](RawConnection& connection, const std::string&) {
    return connection.Send(std::string(bytes, 'x'));
  };
}

TEST(WireWatch, CountsWhatWasReadFromOneServer) {
  RawServer server(Sends(1000));
  RawServer other(Sends(500));
  const Peer before(server.port());
  before.Ask();
  before.Read(1000);
  WireWatch watch(static_cast<std::uint16_t>(server.port()));
  EXPECT_EQ(watch.BytesRead(), 0U) << "what came before does not count";

  const Peer after(server.port());
  const Peer elsewhere(other.port());
  after.Ask();
  before.Ask();
  elsewhere.Ask();
  elsewhere.Read(500);
  before.Read(1000);
  after.Read(400);
  EXPECT_EQ(watch.BytesRead(), 1400U) << "600 bytes wait in the kernel";
  after.Read(600);
  EXPECT_EQ(watch.BytesRead(), 2000U);
}

TEST(WireWatch, AClosedConnectionCountsNoMore) {
  RawServer server(Sends(1000));
  WireWatch watch(static_cast<std::uint16_t>(server.port()));
  {
    const Peer peer(server.port());
    peer.Ask();
    peer.Read(1000);
    EXPECT_EQ(watch.BytesRead(), 1000U);
  }
  EXPECT_EQ(watch.BytesRead(), 0U);
}

}  // namespace
}  // namespace fss
