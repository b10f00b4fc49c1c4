#include "collectors/kube/kube_http.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

#include "tests/unit/collectors/raw_server.h"

namespace fss {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class KubeHttpTest : public testing::Test {
 protected:
  void SetUp() override {
    token_file_ = testing::TempDir() + "/token-" + std::to_string(getpid());
    SetToken("first\n");
  }
  void TearDown() override { ::unlink(token_file_.c_str()); }
  void SetToken(const std::string& token) { std::ofstream(token_file_) << token; }

  std::unique_ptr<KubeHttp> Http(const RawServer& server) {
    KubeAccess access;
    access.server = server.url();
    access.token_file = token_file_;
    auto http = NewKubeHttp(access);
    EXPECT_TRUE(http.ok());
    return http.ok() ? *std::move(http) : nullptr;
  }
  // Keeps what was asked, answers with `body`.
  RawServer::Handler Keeping(std::string bytes) {
    return [this, bytes = std::move(bytes)](RawConnection& connection, const std::string& head) {
      {
        const std::lock_guard lock(mutex_);
        heads_.push_back(head);
      }
      return connection.Send(bytes);
    };
  }

  std::string token_file_;
  std::mutex mutex_;
  std::vector<std::string> heads_;
};

TEST_F(KubeHttpTest, SendsTheTokenAsItIsNow) {
  RawServer server(Keeping(HttpAnswer("{}")));
  const auto http = Http(server);
  KubeRequest request;
  request.path = "/api/v1/services";
  ASSERT_TRUE(http->Send(request).ok());
  SetToken("second");
  ASSERT_TRUE(http->Send(request).ok());
  ASSERT_EQ(heads_.size(), 2U);
  EXPECT_THAT(heads_[0], HasSubstr("GET /api/v1/services HTTP/1.1\r\n"));
  EXPECT_THAT(heads_[0], HasSubstr("Authorization: Bearer first\r\n"));
  EXPECT_THAT(heads_[1], HasSubstr("Authorization: Bearer second\r\n"));
}

TEST_F(KubeHttpTest, WithoutATokenNothingIsSent) {
  RawServer server(Keeping(HttpAnswer("{}")));
  const auto http = Http(server);
  for (const char* token : {"", "  \n", "two words", "line\nbreak"}) {
    SetToken(token);
    EXPECT_FALSE(http->Send({}).ok()) << token;
  }
  ::unlink(token_file_.c_str());
  EXPECT_FALSE(http->Send({}).ok());
  EXPECT_TRUE(heads_.empty());
}

TEST_F(KubeHttpTest, AnAnswerOfAnyStatus) {
  RawServer server(
      Keeping("HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nslow"));
  const auto answer = Http(server)->Send({});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->status, 429);
  EXPECT_EQ(answer->retry_after_ms, 7000);
  EXPECT_EQ(answer->body, "slow");
}

TEST_F(KubeHttpTest, AWatchLineByLine) {
  RawServer server([](RawConnection& connection, const std::string&) {
    connection.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    connection.Send("5\r\none\nt\r\n");
    connection.Sleep(20);
    connection.Send("5\r\nwo\n\n\n\r\n0\r\n\r\n");
    return true;
  });
  const auto http = Http(server);
  std::vector<std::string> seen;
  KubeRequest request;
  request.watch = true;
  KubeHandler handler;
  handler.on_open = [&] { seen.emplace_back("open"); };
  handler.on_line = [&](std::string_view line) {
    seen.emplace_back(line);
    return true;
  };
  bool done = false;
  handler.on_done = [&](const Result<KubeAnswer>& answer) {
    EXPECT_TRUE(answer.ok()) << answer.error().ToString();
    done = true;
  };
  http->Start(request, std::move(handler));
  while (!done) http->Run(milliseconds(100));
  EXPECT_THAT(seen, ElementsAre("open", "one", "two"));
}

TEST_F(KubeHttpTest, ALineWithoutEndIsGivenUp) {
  RawServer server([](RawConnection& connection, const std::string&) {
    connection.Send("HTTP/1.1 200 OK\r\n\r\n");
    while (connection.Send(std::string(10'000, 'x'))) {
    }
    return false;
  });
  const auto http = Http(server);
  KubeRequest request;
  request.watch = true;
  request.max_bytes = 100'000;
  std::optional<Error> error;
  bool done = false;
  KubeHandler handler;
  handler.on_done = [&](const Result<KubeAnswer>& answer) {
    if (!answer.ok()) error = answer.error();
    done = true;
  };
  http->Start(request, std::move(handler));
  while (!done) http->Run(milliseconds(100));
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->code, ErrorCode::kTooLarge);
}

TEST_F(KubeHttpTest, ARefusedWatchIsNoOpenOne) {
  RawServer server(Keeping(HttpAnswer("no", "text/plain", 403)));
  const auto http = Http(server);
  KubeRequest request;
  request.watch = true;
  bool open = false;
  int status = 0;
  KubeHandler handler;
  handler.on_open = [&] { open = true; };
  handler.on_done = [&](const Result<KubeAnswer>& answer) {
    status = answer.ok() ? answer->status : -1;
  };
  http->Start(request, std::move(handler));
  while (status == 0) http->Run(milliseconds(100));
  EXPECT_EQ(status, 403);
  EXPECT_FALSE(open);
}

TEST_F(KubeHttpTest, CancelEndsWhatHangs) {
  RawServer server([](RawConnection& connection, const std::string&) {
    connection.Hang();
    return false;
  });
  const auto http = Http(server);
  std::thread canceller([&http] {
    std::this_thread::sleep_for(milliseconds(100));
    http->Cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(http->Send({}).ok());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  canceller.join();
}

TEST_F(KubeHttpTest, TheTokenIsInNoError) {
  int port = 0;
  { port = RawServer(Keeping("")).port(); }
  KubeAccess access;
  access.server = "http://127.0.0.1:" + std::to_string(port);
  access.token_file = token_file_;
  const auto answer = (*NewKubeHttp(access))->Send({});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().ToString(), Not(HasSubstr("first")));
}

}  // namespace
}  // namespace fss
