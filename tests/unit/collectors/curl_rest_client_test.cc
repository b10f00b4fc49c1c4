#include "collectors/curl_rest_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "tests/unit/collectors/raw_server.h"

namespace fss {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<RestClient> CurlClient(const std::string& url, RestClientOptions options = {}) {
  auto client = NewCurlRestClient(url, options);
  EXPECT_TRUE(client.ok()) << client.error().ToString();
  return client.ok() ? std::move(*client) : nullptr;
}

RestClientOptions Options(milliseconds timeout, std::size_t max_body = 32U << 20U,
                          std::size_t concurrency = 4) {
  RestClientOptions options;
  options.request_timeout = timeout;
  options.max_body_bytes = max_body;
  options.max_concurrency = concurrency;
  return options;
}

std::string RequestLine(const std::string& request) {
  return request.substr(0, request.find('\r'));
}

RawServer::Handler Answering(std::string bytes, bool stay = true) {
  return [bytes = std::move(bytes), stay](RawConnection& connection, const std::string&) {
    return connection.Send(bytes) && stay;
  };
}

TEST(CurlRestClient, AnswersWithStatusTypeAndBody) {
  RawServer server([](RawConnection& connection, const std::string& request) {
    const bool missing = RequestLine(request) == "GET /base/missing HTTP/1.1";
    return connection.Send(missing ? HttpAnswer("{\"errors\":[\"x\"]}", "application/json", 404)
                                   : HttpAnswer("{\"a\":1}"));
  });
  const auto client = CurlClient(server.url() + "/base/");
  const auto found = client->Get("/jobs/overview");
  ASSERT_TRUE(found.ok()) << found.error().ToString();
  EXPECT_EQ(found->status, 200);
  EXPECT_EQ(found->content_type, "application/json");
  EXPECT_EQ(found->body, "{\"a\":1}");
  const auto missing = client->Get("/missing");
  ASSERT_TRUE(missing.ok());
  EXPECT_EQ(missing->status, 404);
  EXPECT_EQ(server.connections(), 1) << "connections are kept";
}

TEST(CurlRestClient, CallsBackOncePerPathAndKeepsItsBounds) {
  RawServer server([](RawConnection& connection, const std::string& request) {
    connection.Sleep(2);
    return connection.Send(HttpAnswer(RequestLine(request)));
  });
  const auto client = CurlClient(server.url(), Options(milliseconds(5000)));
  std::vector<std::string> paths;
  for (int i = 0; i < 100; ++i) paths.push_back("/p/" + std::to_string(i));
  std::set<std::size_t> seen;
  client->GetEach(paths, [&](std::size_t index, Result<RestAnswer> answer) {
    EXPECT_TRUE(seen.insert(index).second);
    ASSERT_TRUE(answer.ok()) << answer.error().ToString();
    EXPECT_EQ(answer->body, "GET /p/" + std::to_string(index) + " HTTP/1.1");
  });
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_LE(server.most_at_once(), 4);
}

TEST(CurlRestClient, TwoThreadsShareAClientsServerAndNothingElse) {
  RawServer server([](RawConnection& connection, const std::string& request) {
    return connection.Send(HttpAnswer(RequestLine(request)));
  });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&server] {
      const auto client = CurlClient(server.url());
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(client->Get("/x").ok());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server.requests(), 200);
}

TEST(CurlRestClient, AHangingServerCostsTwoTimeOutsAtMost) {
  RawServer server([](RawConnection& connection, const std::string&) {
    connection.Hang();
    return false;
  });
  const auto client = CurlClient(server.url(), Options(milliseconds(300)));
  const std::vector<std::string> paths(50, "/x");
  const auto begin = steady_clock::now();
  int errors = 0;
  client->GetEach(paths, [&](std::size_t, Result<RestAnswer> answer) {
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
    ++errors;
  });
  EXPECT_EQ(errors, 50);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(2600));
}

TEST(CurlRestClient, ADrippingServerIsCutOffAtTheDeadline) {
  RawServer server([](RawConnection& connection, const std::string&) {
    connection.Send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
    while (connection.Send("x")) connection.Sleep(20);
    return false;
  });
  const auto client = CurlClient(server.url(), Options(milliseconds(400)));
  const auto begin = steady_clock::now();
  const auto answer = client->Get("/x");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kTimeout);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(2400));
}

TEST(CurlRestClient, NobodyListens) {
  int port = 0;
  { port = RawServer(Answering("")).port(); }
  const auto answer = CurlClient("http://127.0.0.1:" + std::to_string(port))->Get("/x");
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, ErrorCode::kUnreachable);
  EXPECT_EQ(answer.error().context, "/x");
}

TEST(CurlRestClient, BodiesHaveALimit) {
  const std::string large(20'000, 'x');
  const std::vector<std::string> servers = {
      HttpAnswer(large),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n" + large + "\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n" + large};
  for (const std::string& bytes : servers) {
    RawServer server(Answering(bytes, false));
    const auto answer = CurlClient(server.url(), Options(milliseconds(5000), 10'000))->Get("/x");
    ASSERT_FALSE(answer.ok()) << bytes.substr(0, 60);
    EXPECT_EQ(answer.error().code, ErrorCode::kTooLarge) << answer.error().ToString();
  }
}

TEST(CurlRestClient, EndlessBodiesAndHeadsTakeNoMemory) {
  std::size_t sent = 0;
  RawServer body([&](RawConnection& connection, const std::string&) {
    connection.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n");
    const std::string part(64 << 10, 'x');
    while (connection.Send(part)) {
    }
    sent = connection.sent();
    return false;
  });
  const auto too_large = CurlClient(body.url(), Options(milliseconds(5000), 1 << 20))->Get("/x");
  ASSERT_FALSE(too_large.ok());
  EXPECT_EQ(too_large.error().code, ErrorCode::kTooLarge);
  RawServer head([](RawConnection& connection, const std::string&) {
    connection.Send("HTTP/1.1 200 OK\r\n");
    while (connection.Send("X-A: " + std::string(1000, 'y') + "\r\n")) {
    }
    return false;
  });
  const auto endless = CurlClient(head.url(), Options(milliseconds(5000)))->Get("/x");
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.error().code, ErrorCode::kTooLarge);
}

TEST(CurlRestClient, WhatIsNotHttpIsAnError) {
  for (const char* bytes :
       {"garbage\r\n\r\n", "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut"}) {
    RawServer server(Answering(bytes, false));
    const auto answer = CurlClient(server.url(), Options(milliseconds(2000)))->Get("/x");
    EXPECT_FALSE(answer.ok()) << bytes;
  }
}

TEST(CurlRestClient, ARedirectIsAnAnswer) {
  RawServer server(Answering(
      "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"));
  const auto answer = CurlClient(server.url())->Get("/x");
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->status, 302);
}

TEST(CurlRestClient, CredentialsAreSentAndNeverShown) {
  std::string head;
  RawServer server([&head](RawConnection& connection, const std::string& request) {
    head = request;
    return connection.Send(HttpAnswer("{}"));
  });
  const std::string url = "http://user:secret@127.0.0.1:" + std::to_string(server.port());
  const auto client = CurlClient(url);
  EXPECT_THAT(client->url(), Not(HasSubstr("secret")));
  ASSERT_TRUE(client->Get("/x").ok());
  EXPECT_THAT(head, HasSubstr("Authorization: Basic dXNlcjpzZWNyZXQ="));
}

TEST(CurlRestClient, RefusesWhatIsNoUrl) {
  for (const char* url : {"", "ftp://x", "no url at all", "http://"}) {
    EXPECT_FALSE(NewCurlRestClient(url, {}).ok()) << url;
  }
  RestClientOptions options;
  options.ca_file = "/nowhere.pem";
  EXPECT_FALSE(NewCurlRestClient("https://x", options).ok());
}

}  // namespace
}  // namespace fss
