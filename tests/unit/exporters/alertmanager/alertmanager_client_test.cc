#include "exporters/alertmanager/alertmanager_client.h"

#include <civetweb.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace fss {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// An Alertmanager that answers as told, on a free loopback port.
class FakeAlertmanager {
 public:
  explicit FakeAlertmanager(int status = 200, std::string answer = "", bool hang = false)
      : status_(status), answer_(std::move(answer)), hang_(hang) {
    const char* options[] = {"listening_ports", "127.0.0.1:0", "num_threads", "4", nullptr};
    mg_callbacks callbacks{};
    context_ = mg_start(&callbacks, this, options);
    mg_set_request_handler(context_, "/", &FakeAlertmanager::Handle, this);
    mg_server_port port{};
    mg_get_server_ports(context_, 1, &port);
    port_ = port.port;
  }
  ~FakeAlertmanager() {
    {
      const std::lock_guard lock(mutex_);
      hang_ = false;
      changed_.notify_all();
    }
    // civetweb sees the end of its run with the next connection, or after 2 s.
    std::atomic<bool> stopped{false};
    std::thread waker([&] {
      while (!stopped) {
        Touch();
        std::this_thread::sleep_for(5ms);
      }
    });
    mg_stop(context_);
    stopped = true;
    waker.join();
  }
  FakeAlertmanager(const FakeAlertmanager&) = delete;
  FakeAlertmanager& operator=(const FakeAlertmanager&) = delete;

  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  std::string url() const { return "http://" + address(); }
  std::vector<std::string> bodies() {
    const std::lock_guard lock(mutex_);
    return bodies_;
  }
  std::string head() {
    const std::lock_guard lock(mutex_);
    return head_;
  }

 private:
  void Touch() const {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port_));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    close(fd);
  }

  static int Handle(mg_connection* connection, void* data) {
    auto* self = static_cast<FakeAlertmanager*>(data);
    const mg_request_info* request = mg_get_request_info(connection);
    std::string head = std::string(request->request_method) + " " + request->local_uri + "\n";
    for (int i = 0; i < request->num_headers; ++i) {
      head +=
          std::string(request->http_headers[i].name) + ": " + request->http_headers[i].value + "\n";
    }
    std::string body;
    char buffer[4096];
    for (int got = 0; (got = mg_read(connection, buffer, sizeof buffer)) > 0;) {
      body.append(buffer, static_cast<std::size_t>(got));
    }
    std::unique_lock lock(self->mutex_);
    self->head_ = head;
    self->bodies_.push_back(body);
    self->changed_.notify_all();
    self->changed_.wait_for(lock, 20s, [self] { return !self->hang_; });
    lock.unlock();
    mg_printf(connection,
              "HTTP/1.1 %d X\r\nConnection: close\r\nLocation: /elsewhere\r\nContent-Length: "
              "%zu\r\n\r\n%s",
              self->status_, self->answer_.size(), self->answer_.c_str());
    return self->status_;
  }

  const int status_;
  const std::string answer_;
  mg_context* context_ = nullptr;
  int port_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool hang_;
  std::string head_;
  std::vector<std::string> bodies_;
};

// A port that nobody listens on.
constexpr const char* kDown = "http://127.0.0.1:1";

std::unique_ptr<AlertPoster> Client(std::vector<std::string> urls,
                                    std::chrono::milliseconds timeout = 5s) {
  auto client = NewAlertmanagerClient({std::move(urls), timeout, ""});
  EXPECT_TRUE(client.ok()) << (client.ok() ? "" : client.error().ToString());
  return client.ok() ? *std::move(client) : nullptr;
}

const std::vector<std::string> kBodies = {"[1]", "[2]", "[3]"};

TEST(AlertmanagerClient, PostsAllBodiesInOrder) {
  FakeAlertmanager server;
  const auto outcomes = Client({server.url()})->Post(kBodies);
  ASSERT_EQ(outcomes.size(), 1U);
  EXPECT_TRUE(outcomes[0].status.ok());
  EXPECT_THAT(server.bodies(), ElementsAre("[1]", "[2]", "[3]"));
  EXPECT_THAT(server.head(), HasSubstr("POST /api/v2/alerts\n"));
  EXPECT_THAT(server.head(), HasSubstr("Content-Type: application/json\n"));
  EXPECT_THAT(server.head(), HasSubstr("User-Agent: flink-state-sidecar/"));
}

TEST(AlertmanagerClient, PostsAgainAndAgain) {
  FakeAlertmanager server;
  const auto client = Client({server.url()});
  const std::vector<std::string> body = {std::string(500'000, 'x')};
  for (int round = 0; round < 5; ++round) EXPECT_TRUE(client->Post(body)[0].status.ok());
  ASSERT_EQ(server.bodies().size(), 5U);
  EXPECT_EQ(server.bodies()[4].size(), 500'000U);
  EXPECT_TRUE(client->Post({})[0].status.ok());
}

TEST(AlertmanagerClient, ABadOneHindersNoOther) {
  FakeAlertmanager slow(200, "", /*hang=*/true);
  FakeAlertmanager broken(500, "out of \nmemory");
  FakeAlertmanager choosy(400, "bad");
  FakeAlertmanager good;
  const auto begin = std::chrono::steady_clock::now();
  const auto outcomes =
      Client({slow.url(), kDown, broken.url(), choosy.url(), good.url()}, 1s)->Post(kBodies);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  ASSERT_EQ(outcomes.size(), 5U);
  EXPECT_EQ(outcomes[0].status.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(slow.bodies().size(), 1U);  // its turn is over
  EXPECT_EQ(outcomes[1].status.error().code, ErrorCode::kUnreachable);
  EXPECT_THAT(outcomes[1].status.error().ToString(), HasSubstr("http://127.0.0.1:1: "));
  EXPECT_EQ(outcomes[2].status.error().code, ErrorCode::kHttpStatus);
  EXPECT_THAT(outcomes[2].status.error().ToString(), HasSubstr("HTTP status 500: out of  memory"));
  EXPECT_THAT(outcomes[3].status.error().ToString(), HasSubstr("HTTP status 400: bad"));
  EXPECT_EQ(choosy.bodies().size(), 3U);  // what it refuses of one body says nothing of the next
  EXPECT_TRUE(outcomes[4].status.ok());
  EXPECT_THAT(good.bodies(), ElementsAre("[1]", "[2]", "[3]"));
}

TEST(AlertmanagerClient, RedirectsAreNotFollowed) {
  FakeAlertmanager server(302);
  const std::vector<std::string> body = {"[]"};
  const auto outcomes = Client({server.url()})->Post(body);
  EXPECT_THAT(outcomes[0].status.error().message, HasSubstr("HTTP status 302"));
  EXPECT_EQ(server.bodies().size(), 1U);
}

TEST(AlertmanagerClient, EndlessAnswersAreCutOff) {
  FakeAlertmanager server(200, std::string(1'000'000, 'x'));
  const std::vector<std::string> body = {"[]"};
  EXPECT_FALSE(Client({server.url()})->Post(body)[0].status.ok());
}

TEST(AlertmanagerClient, CredentialsAreSentAndNeverShown) {
  FakeAlertmanager server(500);
  const std::vector<std::string> body = {"[]"};
  const auto client = Client({"http://anna:s%40cret@" + server.address() + "/team/am/"});
  const auto outcomes = client->Post(body);
  EXPECT_THAT(server.head(), HasSubstr("POST /team/am/api/v2/alerts\n"));
  EXPECT_THAT(server.head(), HasSubstr("Authorization: Basic YW5uYTpzQGNyZXQ=\n"));
  EXPECT_EQ(outcomes[0].target, server.url() + "/team/am");
  const std::string shown = outcomes[0].status.error().ToString();
  EXPECT_THAT(shown, Not(HasSubstr("anna")));
  EXPECT_THAT(shown, Not(HasSubstr("cret")));
}

TEST(AlertmanagerClient, CancelBreaksOff) {
  FakeAlertmanager server(200, "", /*hang=*/true);
  const auto client = Client({server.url()}, 20s);
  std::thread cancel([&] {
    while (server.bodies().empty()) std::this_thread::sleep_for(5ms);
    client->Cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(client->Post(kBodies)[0].status.ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  cancel.join();
  EXPECT_FALSE(client->Post(kBodies)[0].status.ok());
  EXPECT_EQ(server.bodies().size(), 1U);
}

TEST(AlertmanagerClient, BadUrlsAreRefused) {
  for (const char* url : {"", "am:9093", "ftp://am", "http://", "http://am?x=1", "http://am/#x",
                          "http://am:99999", "http://a b/", "file:///etc/passwd"}) {
    const auto client = NewAlertmanagerClient({{url}, 5s, ""});
    ASSERT_FALSE(client.ok()) << url;
    EXPECT_EQ(client.error().code, ErrorCode::kInvalidArgument) << url;
  }
  const auto secret = NewAlertmanagerClient({{"http://anna:secret@am:99999"}, 5s, ""});
  ASSERT_FALSE(secret.ok());
  EXPECT_THAT(secret.error().ToString(), Not(HasSubstr("secret")));
}

TEST(AlertmanagerClient, AMissingCaFileIsRefused) {
  const auto client = NewAlertmanagerClient({{"https://am"}, 5s, "/nowhere/ca.pem"});
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().ToString(), "/nowhere/ca.pem: cannot be read");
}

}  // namespace
}  // namespace fss
