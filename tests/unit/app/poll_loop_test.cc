#include "sidecar/app/poll_loop.h"

#include <arpa/inet.h>
#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sidecar/app/flags.h"

namespace fss {
namespace {

// A loopback port on which nobody listens: bound, so that nobody else takes it, never listening.
class ClosedPort {
 public:
  ClosedPort() : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), length);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
  }
  ~ClosedPort() { close(socket_); }
  std::string Url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  int socket_;
  int port_ = 0;
};

TEST(PollLoop, AnUnreachableJobManagerIsNotNoJobs) {
  const gflags::FlagSaver saver;
  const ClosedPort port;
  FLAGS_jobmanager_url = port.Url();
  FLAGS_request_timeout = "2s";
  auto loop = PollLoop::FromFlags(SystemClock());
  ASSERT_TRUE(loop.ok()) << loop.error().ToString();

  const std::shared_ptr<const Report> report = (*loop)->PollOnce();
  EXPECT_FALSE(report->health.up);
  EXPECT_FALSE(report->health.stale) << "there never was a report that could have grown stale";
  EXPECT_FALSE(report->health.last_success_ms.has_value());
  EXPECT_NE(report->health.last_error.find("127.0.0.1"), std::string::npos)
      << report->health.last_error;
  EXPECT_EQ((*loop)->stats().collector_success.at("flink"), false);

  std::uint64_t polls = 0;
  for (const std::uint64_t count : (*loop)->stats().poll_durations) polls += count;
  EXPECT_EQ(polls, 1U);
}

TEST(PollLoop, NamesTheFlagThatCannotBeUsed) {
  const gflags::FlagSaver saver;
  FLAGS_jobmanager_url = "ftp://somewhere";
  auto loop = PollLoop::FromFlags(SystemClock());
  ASSERT_FALSE(loop.ok());
  EXPECT_TRUE(loop.error().ToString().starts_with("--jobmanager_url: ")) << loop.error().ToString();
}

}  // namespace
}  // namespace fss
