#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <thread>

#include "collectors/rest_client.h"
#include "tests/unit/collectors/raw_server.h"

namespace fss {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr milliseconds kShort{300};
// Time-outs must hold within this on a loaded machine: cancelling takes a moment.
constexpr milliseconds kSlack{2000};

std::unique_ptr<RestClient> Client(const std::string& url, RestClientOptions options = {}) {
  auto client = NewCppRestClient(url, options);
  EXPECT_TRUE(client.ok()) << client.error().ToString();
  return client.ok() ? std::move(*client) : nullptr;
}

RestClientOptions ShortTimeout() {
  RestClientOptions options;
  options.request_timeout = kShort;
  return options;
}

std::string FirstLine(const std::string& request) { return request.substr(0, request.find('\r')); }

// A server that sends `bytes` and closes, or keeps open when `stay`.
RawServer::Handler Says(std::string bytes, bool stay = true) {
  return [bytes = std::move(bytes), stay](RawConnection& connection, const std::string&) {
    return connection.Send(bytes) && stay;
  };
}

TEST(CppRestClient, AnswersWithStatusTypeAndBody) {
  RawServer server([](RawConnection& connection, const std::string& request) {
    const bool missing = FirstLine(request) == "GET /missing HTTP/1.1";
    return connection.Send(missing ? HttpAnswer("{\"errors\":[\"x\"]}", "application/json", 404)
                                   : HttpAnswer("{\"a\":1}"));
  });
  const auto client = Client(server.url());
  const auto found = client->Get("/jobs/overview");
  ASSERT_TRUE(found.ok()) << found.error().ToString();
  EXPECT_EQ(found->status, 200);
  EXPECT_EQ(found->content_type, "application/json");
  EXPECT_EQ(found->body, "{\"a\":1}");
  const auto missing = client->Get("/missing");
  ASSERT_TRUE(missing.ok());
  EXPECT_EQ(missing->status, 404);
  EXPECT_EQ(missing->body, "{\"errors\":[\"x\"]}");
}

TEST(CppRestClient, CallsBackOncePerPathOnTheCallingThread) {
  RawServer server([](RawConnection& connection, const std::string& request) {
    connection.Sleep(2);
    return connection.Send(HttpAnswer(FirstLine(request)));
  });
  RestClientOptions options;
  options.max_concurrency = 4;
  const auto client = Client(server.url(), options);
  std::vector<std::string> paths;
  for (int i = 0; i < 100; ++i) paths.push_back("/p/" + std::to_string(i));
  std::set<std::size_t> seen;
  const auto caller = std::this_thread::get_id();
  client->GetEach(paths, [&](std::size_t index, Result<RestAnswer> answer) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    EXPECT_TRUE(seen.insert(index).second) << index;
    ASSERT_TRUE(answer.ok()) << answer.error().ToString();
    EXPECT_EQ(answer->body, "GET " + paths[index] + " HTTP/1.1");
  });
  EXPECT_EQ(seen.size(), paths.size());
  EXPECT_LE(server.most_at_once(), 4);
  EXPECT_GE(server.most_at_once(), 2);
  EXPECT_LE(server.connections(), 4) << "connections are kept alive and used again";
}

TEST(CppRestClient, AnEmptyBatchReturnsAtOnce) {
  const auto client = Client("http://127.0.0.1:9");
  client->GetEach({}, [](std::size_t, const Result<RestAnswer>&) { FAIL(); });
}

TEST(CppRestClient, KeepsOneConnectionForOneRequestAtATime) {
  RawServer server(Says(HttpAnswer("{}")));
  const auto client = Client(server.url());
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(client->Get("/x").ok());
  EXPECT_EQ(server.connections(), 1);
}

TEST(CppRestClient, ConnectsAgainWhenTheServerClosedAnIdleConnection) {
  RawServer server(Says(HttpAnswer("{}"), false));  // closes though it said nothing of it
  const auto client = Client(server.url());
  for (int i = 0; i < 5; ++i) {
    const auto answer = client->Get("/x");
    ASSERT_TRUE(answer.ok()) << answer.error().ToString();
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(server.connections(), 5);
}

TEST(CppRestClient, SendsBasePathAndCredentialsAndShowsNone) {
  std::string request;
  RawServer server([&request](RawConnection& connection, const std::string& got) {
    request = got;
    return connection.Send(HttpAnswer("{}"));
  });
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  const auto client = Client("http://ops:p%40ss%3Aword@" + host + "/flink/ns/");
  EXPECT_EQ(client->url(), "http://" + host + "/flink/ns");
  ASSERT_TRUE(client->Get("/jobs/overview").ok());
  EXPECT_THAT(request, HasSubstr("GET /flink/ns/jobs/overview HTTP/1.1\r\n"));
  EXPECT_THAT(request, HasSubstr("Host: " + host + "\r\n"));
  EXPECT_THAT(request,
              HasSubstr("Authorization:Basic b3BzOnBAc3M6d29yZA==\r\n"));  // ops:p@ss:word
  EXPECT_THAT(request, Not(HasSubstr("Accept-Encoding")));
}

TEST(CppRestClient, KeepsEncodedCharactersAndQueriesOfAPath) {
  std::string line;
  RawServer server([&line](RawConnection& connection, const std::string& got) {
    line = FirstLine(got);
    return connection.Send(HttpAnswer("[]"));
  });
  ASSERT_TRUE(Client(server.url())->Get("/metrics?get=Join%5B19%5D.left%2Drecords,a").ok());
  EXPECT_THAT(line, HasSubstr("/metrics?get=Join%5B19%5D.left"));
}

TEST(CppRestClient, ARedirectIsAnAnswer) {
  RawServer other(Says(HttpAnswer("{}")));
  RawServer server(
      Says("HTTP/1.1 302 Found\r\nLocation: " + other.url() + "/x\r\nContent-Length: 0\r\n\r\n"));
  const auto answer = Client(server.url())->Get("/x");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(other.requests(), 0);
}

TEST(CppRestClient, AnHtmlPageIsAnAnswer) {
  RawServer server(Says(HttpAnswer("<html>Sign in</html>", "text/html")));
  const auto answer = Client(server.url())->Get("/x");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->content_type, "text/html");
  EXPECT_EQ(answer->body, "<html>Sign in</html>");
}

TEST(CppRestClient, TakesChunksAndBodiesUntilTheEnd) {
  RawServer chunked(Says(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
  EXPECT_EQ(Client(chunked.url())->Get("/x")->body, "abcde");
  RawServer until_close(Says("HTTP/1.0 200 OK\r\n\r\nabcdef", false));
  EXPECT_EQ(Client(until_close.url())->Get("/x")->body, "abcdef");
}

struct BadServer {
  const char* name;
  RawServer::Handler handler;
  std::set<ErrorCode> codes;
};

class BadServers : public ::testing::TestWithParam<BadServer> {};

TEST_P(BadServers, GiveAnErrorInTime) {
  RawServer server(GetParam().handler);
  RestClientOptions options = ShortTimeout();
  options.max_body_bytes = 1U << 20U;
  const auto client = Client(server.url(), options);
  const auto begin = steady_clock::now();
  const auto answer = client->Get("/jobs/overview");
  EXPECT_LT(steady_clock::now() - begin, kShort + kSlack);
  ASSERT_FALSE(answer.ok());
  EXPECT_TRUE(GetParam().codes.count(answer.error().code)) << answer.error().ToString();
  EXPECT_EQ(answer.error().context, "/jobs/overview");
  EXPECT_EQ(answer.error().message.find('\n'), std::string::npos);
}

bool Drip(RawConnection& connection, std::string_view head) {
  if (!connection.Send(head)) return false;
  for (int i = 0; i < 200; ++i) {
    connection.Sleep(20);
    if (!connection.Send("x")) return false;
  }
  return false;
}

// Sends `piece` until the client has had enough; not more than 50 MB.
bool Flood(RawConnection& connection, std::string_view head, const std::string& piece) {
  if (!connection.Send(head)) return false;
  while (connection.sent() < 50U << 20U) {
    if (!connection.Send(piece)) break;
  }
  // The client stopped reading early: what was sent is what the sockets' buffers took.
  EXPECT_LT(connection.sent(), 20U << 20U);
  return false;
}

const std::string kPiece(16384, 'x');
const std::string kChunk = "4000\r\n" + kPiece + "\r\n";

INSTANTIATE_TEST_SUITE_P(
    All, BadServers,
    ::testing::Values(
        BadServer{"NeverAnswers",
                  [](RawConnection& c, const std::string&) {
                    c.Hang();
                    return false;
                  },
                  {ErrorCode::kTimeout}},
        BadServer{"HangsInTheBody",
                  [](RawConnection& c, const std::string&) {
                    c.Send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
                    c.Hang();
                    return false;
                  },
                  {ErrorCode::kTimeout}},
        BadServer{"DripsItsHead",
                  [](RawConnection& c, const std::string&) { return Drip(c, "HTTP/1.1 200"); },
                  {ErrorCode::kTimeout}},
        BadServer{"DripsItsBody",
                  [](RawConnection& c, const std::string&) {
                    return Drip(c, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
                  },
                  {ErrorCode::kTimeout}},
        BadServer{"DripsAChunk",
                  [](RawConnection& c, const std::string&) {
                    return Drip(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n");
                  },
                  {ErrorCode::kTimeout}},
        BadServer{"ClosesAtOnce",
                  [](RawConnection&, const std::string&) { return false; },
                  {ErrorCode::kUnreachable}},
        BadServer{"CutsItsHead",
                  Says("HTTP/1.1 200 OK\r\nContent-Le", false),
                  {ErrorCode::kUnreachable, ErrorCode::kMalformed}},
        BadServer{"CutsItsBody",
                  Says("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", false),
                  {ErrorCode::kMalformed}},
        BadServer{"CutsAChunk",
                  Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nabc", false),
                  {ErrorCode::kMalformed}},
        BadServer{"CutsBetweenChunks",
                  Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", false),
                  {ErrorCode::kMalformed}},
        BadServer{
            "SaysGarbage", Says("\x01\x02 nonsense\r\n\r\nmore", false), {ErrorCode::kMalformed}},
        BadServer{"SaysGarbageOnOneLine",
                  Says("SSH-2.0-OpenSSH_9.2\r\n", false),
                  {ErrorCode::kMalformed, ErrorCode::kUnreachable}},
        BadServer{"NegativeChunk",
                  Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nabc\r\n", false),
                  {ErrorCode::kMalformed, ErrorCode::kTooLarge}},
        BadServer{"MinusOneChunk",
                  Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc\r\n", false),
                  {ErrorCode::kMalformed, ErrorCode::kTooLarge}},
        BadServer{
            "HugeChunkSize",
            Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffff\r\nabc", false),
            {ErrorCode::kMalformed, ErrorCode::kTooLarge}},
        BadServer{
            "WordForAChunkSize",
            Says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\nabc\r\n", false),
            {ErrorCode::kMalformed}},
        BadServer{"LongByItsHeader",
                  [](RawConnection& c, const std::string&) {
                    return Flood(c, "HTTP/1.1 200 OK\r\nContent-Length: 52428800\r\n\r\n", kPiece);
                  },
                  {ErrorCode::kTooLarge}},
        BadServer{"LongInChunks",
                  [](RawConnection& c, const std::string&) {
                    return Flood(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
                                 kChunk);
                  },
                  {ErrorCode::kTooLarge}},
        BadServer{"LongWithoutLength",
                  [](RawConnection& c, const std::string&) {
                    return Flood(c, "HTTP/1.1 200 OK\r\n\r\n", kPiece);
                  },
                  {ErrorCode::kTooLarge}}),
    [](const auto& test) { return std::string(test.param.name); });

// cpprestsdk holds a chunk, or a head, until it is whole: only the kernel knows how much came.
TEST(CppRestClient, StopsAServerThatSendsWithoutEnd) {
  for (const char* head : {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n",
                           "HTTP/1.1 200 OK\r\nX-Endless: "}) {
    constexpr std::size_t kAll = 2'000'000'000;
    std::atomic<std::size_t> sent{0};
    RawServer server([&sent, head](RawConnection& connection, const std::string&) {
      connection.Send(head);
      while (connection.sent() < kAll && connection.Send(kPiece)) {
      }
      sent = connection.sent();
      return false;
    });
    RestClientOptions options;
    options.request_timeout = milliseconds(20'000);
    options.max_body_bytes = 1U << 20U;
    const auto answer = Client(server.url(), options)->Get("/x");
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kTooLarge) << answer.error().ToString();
    EXPECT_LT(sent, kAll);
  }
}

TEST(CppRestClient, NobodyListensIsUnreachable) {
  int port = 0;
  {
    RawServer server(Says("x"));
    port = server.port();
  }
  const auto answer = Client("http://127.0.0.1:" + std::to_string(port))->Get("/x");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kUnreachable);
  EXPECT_EQ(answer.error().message, "cannot connect");
}

// A socket whose queue of connections is full: packets to it are dropped, as by a black hole.
class BlackHole {
 public:
  BlackHole() {
    listener_ = Socket();
    socklen_t size = sizeof address_;
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(listener_, reinterpret_cast<sockaddr*>(&address_), size);
    ::listen(listener_, 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address_), &size);
    for (int i = 0; i < 8; ++i) {
      fillers_.push_back(Socket());
      ::connect(fillers_.back(), reinterpret_cast<sockaddr*>(&address_), size);
    }
  }
  ~BlackHole() {
    for (const int fd : fillers_) ::close(fd);
    ::close(listener_);
  }
  BlackHole(const BlackHole&) = delete;
  BlackHole& operator=(const BlackHole&) = delete;
  std::string url() const { return "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)); }

 private:
  static int Socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }
  int listener_ = -1;
  sockaddr_in address_{};
  std::vector<int> fillers_;
};

TEST(CppRestClient, ABlackHoleIsATimeout) {
  const BlackHole hole;
  const auto client = Client(hole.url(), ShortTimeout());
  const auto begin = steady_clock::now();
  const auto answer = client->Get("/x");
  EXPECT_LT(steady_clock::now() - begin, kShort + kSlack);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
}

TEST(CppRestClient, AsksNoMoreOnceNobodyAnswers) {
  RawServer server([](RawConnection& connection, const std::string&) {
    connection.Hang();
    return false;
  });
  RestClientOptions options = ShortTimeout();
  options.max_concurrency = 4;
  const auto client = Client(server.url(), options);
  const std::vector<std::string> paths(500, "/x");
  std::size_t answers = 0;
  const auto begin = steady_clock::now();
  client->GetEach(paths, [&answers](std::size_t, const Result<RestAnswer>& answer) {
    ++answers;
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
  });
  EXPECT_EQ(answers, paths.size());
  EXPECT_LT(steady_clock::now() - begin, 2 * kShort + kSlack);
  EXPECT_LE(server.requests(), 8);
}

TEST(CppRestClient, AsksOnWhenOnlySomeHang) {
  RawServer server([](RawConnection& connection, const std::string& request) {
    if (FirstLine(request) == "GET /hang HTTP/1.1") {
      connection.Hang();
      return false;
    }
    return connection.Send(HttpAnswer("{}"));
  });
  RestClientOptions options = ShortTimeout();
  options.max_concurrency = 4;
  const auto client = Client(server.url(), options);
  std::vector<std::string> paths(40, "/good");
  for (std::size_t i = 0; i < 3; ++i) paths[i * 7] = "/hang";
  int good = 0;
  client->GetEach(paths, [&](std::size_t index, const Result<RestAnswer>& answer) {
    EXPECT_EQ(answer.ok(), paths[index] == "/good");
    good += answer.ok() ? 1 : 0;
  });
  EXPECT_EQ(good, 37);
}

TEST(CppRestClient, IsUsableAfterTrouble) {
  std::atomic<bool> healthy{false};
  RawServer server([&healthy](RawConnection& connection, const std::string&) {
    if (!healthy) connection.Sleep(600);
    return connection.Send(HttpAnswer("{}")) && healthy;
  });
  const auto client = Client(server.url(), ShortTimeout());
  EXPECT_FALSE(client->Get("/x").ok());
  healthy = true;
  for (int i = 0; i < 3; ++i) {
    const auto answer = client->Get("/x");
    ASSERT_TRUE(answer.ok()) << answer.error().ToString();
    EXPECT_EQ(answer->body, "{}") << "not what a cancelled request was to get";
  }
}

TEST(CppRestClient, ManyAnswersNearTheLimitDoNotFillMemory) {
  RawServer server(Says(HttpAnswer(std::string(900'000, 'x'))));
  RestClientOptions options;
  options.max_body_bytes = 1U << 20U;
  const auto client = Client(server.url(), options);
  std::size_t answers = 0;
  std::size_t too_large = 0;
  client->GetEach(std::vector<std::string>(60, "/x"),
                  [&](std::size_t, const Result<RestAnswer>& answer) {
                    ++answers;
                    if (answer.ok()) return;
                    EXPECT_EQ(answer.error().code, ErrorCode::kTooLarge);
                    ++too_large;
                  });
  EXPECT_EQ(answers, 60U);
  EXPECT_GT(too_large, 0U) << "16 at once are more than the client holds";
  const auto alone = client->Get("/x");
  ASSERT_TRUE(alone.ok()) << alone.error().ToString();
  EXPECT_EQ(alone->body.size(), 900'000U);
}

TEST(CppRestClient, RefusesWhatIsNoUrl) {
  for (const char* url :
       {"", "localhost:8081", "ftp://host", "http://", "http://:8081", "http://a b",
        "http://host/?x=1", "http://host/#a", "http://u:secret@", "u:secret@host",
        "http://host:port", "http://host:", "http://host:70000", "http://[::1]:8081"}) {
    const auto client = NewCppRestClient(url, {});
    ASSERT_FALSE(client.ok()) << url;
    EXPECT_EQ(client.error().code, ErrorCode::kInvalidArgument) << url;
    EXPECT_THAT(client.error().ToString(), Not(HasSubstr("secret"))) << url;
  }
}

TEST(CppRestClient, RefusesACaFileThatIsNone) {
  RestClientOptions options;
  options.ca_file = "/nonexistent/ca.pem";
  const auto client = NewCppRestClient("https://host", options);
  ASSERT_FALSE(client.ok());
  EXPECT_EQ(client.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(client.error().context, options.ca_file);
}

}  // namespace
}  // namespace fss
