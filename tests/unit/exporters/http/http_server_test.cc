#include "exporters/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

#include "../sample_report.h"
#include "exporters/http/gzip.h"
#include "exporters/http/page_files.h"
#include "exporters/json/report_json.h"
#include "exporters/prometheus/metrics_page.h"
#include "http_client.h"
#include "tests/unit/exporters/http/unzipped.h"

namespace fss {
namespace {

using std::chrono::steady_clock;
using testing::HasSubstr;
using testing::Not;

// Many jobs: their page is too long to be kept as plain text, and for a socket's buffers.
Report LargeReport(const std::string& name) {
  std::vector<JobReport> jobs;
  for (int i = 0; i < 8000; ++i) {
    jobs.push_back(OneOperatorJob(name, std::to_string(i)));
  }
  return ReportOf(std::move(jobs));
}

class HttpServerTest : public testing::Test {
 protected:
  void SetUp() override {
    auto server = NewHttpServer("127.0.0.1:0");
    ASSERT_TRUE(server.ok()) << server.error().ToString();
    server_ = std::move(server).value();
    ASSERT_GT(port(), 0);
  }
  int port() const { return server_->port(); }
  void Publish(const Report& report, bool ready = true) {
    server_->Publish(std::make_shared<const Report>(report), SampleStats(), ready);
  }

  std::unique_ptr<HttpServer> server_;
};

TEST_F(HttpServerTest, BeforeTheFirstPoll) {
  EXPECT_EQ(Fetch(port(), "/healthz").status, 200);
  EXPECT_EQ(Fetch(port(), "/readyz").status, 503);
  EXPECT_EQ(Fetch(port(), "/api/v1/jobs").status, 503);
  const HttpAnswer metrics = Fetch(port(), "/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.body, HasSubstr("flink_state_sidecar_build_info"));
  EXPECT_THAT(metrics.body, Not(HasSubstr("flink_state_up")));
  server_->Publish(nullptr, SampleStats(), false);
  EXPECT_EQ(Fetch(port(), "/readyz").status, 503);
  EXPECT_THAT(Fetch(port(), "/metrics").body, HasSubstr("rest_requests_total"));
}

TEST_F(HttpServerTest, ServesWhatWasPublished) {
  const Report report = SampleReport();
  Publish(report);
  EXPECT_EQ(Fetch(port(), "/readyz").status, 200);
  const HttpAnswer metrics = Fetch(port(), "/metrics");
  EXPECT_EQ(metrics.body, MetricsPage(report, SampleStats()));
  EXPECT_EQ(metrics.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_FALSE(metrics.headers.contains("content-encoding"));
  EXPECT_EQ(Fetch(port(), "/api/v1/jobs").body, JobsJson(report));
  EXPECT_EQ(Fetch(port(), "/api/v1/findings").body, FindingsJson(report));
  const HttpAnswer operators = Fetch(port(), "/api/v1/operators");
  EXPECT_EQ(operators.body, OperatorsJson(report, ""));
  EXPECT_EQ(operators.headers.at("content-type"), "application/json; charset=utf-8");
}

TEST_F(HttpServerTest, OperatorsOfOneJob) {
  const Report report = SampleReport();
  Publish(report);
  const std::string id(32, 'b');
  EXPECT_EQ(Fetch(port(), "/api/v1/operators?x=1&job_id=" + id).body, OperatorsJson(report, id));
  EXPECT_EQ(Fetch(port(), "/api/v1/operators?job_id=%62" + id.substr(1)).body,
            OperatorsJson(report, id));
  EXPECT_EQ(Fetch(port(), "/api/v1/operators?job_id=none").body, OperatorsJson(report, "none"));
  EXPECT_EQ(Fetch(port(), "/api/v1/operators?job_id=" + std::string(2000, 'a')).status, 400);
}

TEST_F(HttpServerTest, FindingsOfOneJob) {
  const Report report = SampleReport();
  Publish(report);
  const std::string id(32, 'a');
  const std::string body = Fetch(port(), "/api/v1/findings?limit=7&job_id=" + id).body;
  EXPECT_THAT(body, HasSubstr("ttl-from-job-default"));
  EXPECT_THAT(body, Not(HasSubstr("checkpoint-failing")));
  EXPECT_THAT(Fetch(port(), "/api/v1/findings?limit=0").body, HasSubstr("\"findings\":[]"));
  for (const char* limit : {"x", "-1", "1x", "99999999999999999999999"}) {
    EXPECT_EQ(Fetch(port(), std::string("/api/v1/findings?limit=") + limit).status, 400) << limit;
  }
  EXPECT_EQ(Fetch(port(), "/api/v1/findings?job_id=" + std::string(2000, 'a')).status, 400);
}

TEST_F(HttpServerTest, ThePageIsServedBeforeThereIsAReport) {
  const HttpAnswer page = Fetch(port(), "/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.at("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.body, kPageHtml);
  const HttpAnswer style = Fetch(port(), "/page.css");
  EXPECT_EQ(style.headers.at("content-type"), "text/css; charset=utf-8");
  EXPECT_EQ(style.body, kPageCss);
  const HttpAnswer script = Fetch(port(), "/page.js");
  EXPECT_EQ(script.headers.at("content-type"), "text/javascript; charset=utf-8");
  EXPECT_EQ(script.body, kPageJs);
  EXPECT_EQ(Fetch(port(), "/page.svg").headers.at("content-type"), "image/svg+xml");
}

TEST_F(HttpServerTest, ThePageMayRunItsOwnScriptAlone) {
  const std::string policy = Fetch(port(), "/").headers.at("content-security-policy");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'; script-src 'self';"));
  EXPECT_THAT(policy, HasSubstr("require-trusted-types-for 'script'"));
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(policy, Not(HasSubstr("http")));
}

TEST_F(HttpServerTest, AnswersCarryTheDate) {
  const std::string date = Fetch(port(), "/healthz").headers.at("date");
  EXPECT_THAT(date, testing::MatchesRegex(
                        "[A-Z][a-z]+, [0-9]+ [A-Z][a-z]+ [0-9]+ [0-9]+:[0-9]+:[0-9]+ GMT"));
  std::tm parts{};
  ASSERT_NE(strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S", &parts), nullptr) << date;
  EXPECT_NEAR(static_cast<double>(timegm(&parts)), static_cast<double>(std::time(nullptr)), 5);
}

TEST_F(HttpServerTest, MetricsAreCompressedForWhoAsks) {
  Publish(SampleReport());
  const HttpAnswer metrics = Fetch(port(), "/metrics", "Accept-Encoding: deflate, gzip;q=1\r\n");
  EXPECT_EQ(metrics.headers.at("content-encoding"), "gzip");
  EXPECT_EQ(metrics.headers.at("vary"), "Accept-Encoding");
  EXPECT_EQ(Unzipped(metrics.body), MetricsPage(SampleReport(), SampleStats()));
}

TEST_F(HttpServerTest, ALongPageIsTheSameCompressedOrNot) {
  const Report report = LargeReport("job");
  Publish(report);
  const std::string page = MetricsPage(report, SampleStats());
  ASSERT_GT(page.size(), 2U * 1024 * 1024);
  EXPECT_EQ(Fetch(port(), "/metrics").body, page);
  EXPECT_EQ(Unzipped(Fetch(port(), "/metrics", "Accept-Encoding: gzip\r\n").body), page);
  EXPECT_EQ(Fetch(port(), "/api/v1/operators").body, OperatorsJson(report, ""));
}

TEST_F(HttpServerTest, HeadIsGetWithoutTheBody) {
  Publish(SampleReport());
  for (const char* path : {"/", "/metrics", "/healthz", "/api/v1/jobs", "/nowhere"}) {
    HttpAnswer get = Fetch(port(), path);
    HttpAnswer head = Fetch(port(), path, "", "HEAD");
    get.headers.erase("date");  // the second may have turned
    head.headers.erase("date");
    EXPECT_EQ(head.status, get.status) << path;
    EXPECT_EQ(head.headers, get.headers) << path;
  }
}

TEST_F(HttpServerTest, OtherMethodsAreRefused) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"}) {
    const HttpAnswer answer = Fetch(port(), "/metrics", "", method);
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_EQ(answer.headers.at("allow"), "GET, HEAD") << method;
  }
  EXPECT_EQ(Fetch(port(), "/metrics", "", "BREW").status / 100, 4);
}

TEST_F(HttpServerTest, UnknownPathsAndBrokenRequestsGetJsonErrors) {
  for (const char* path :
       {"/nowhere", "/metrics/", "/api/v1", "/../etc/passwd", "/api/v1/jobs/x"}) {
    const HttpAnswer answer = Fetch(port(), path);
    EXPECT_EQ(answer.status / 100, 4) << path;
    EXPECT_THAT(answer.body, testing::StartsWith("{\"errors\":[\"")) << path;
  }
  const Socket garbage(port());
  EXPECT_TRUE(garbage.Send("garbage\x01\xFF\r\n\r\n"));
  EXPECT_EQ(ParseAnswer(garbage.ReadAll()).status, 400);
}

TEST_F(HttpServerTest, ARequestThatIsTooLongIsRefused) {
  const Socket socket(port());
  socket.Send("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x'));
  // The rest of the request was not read, so the answer may be lost with the connection.
  const std::string answer = socket.ReadAll();
  EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 4")) << answer.substr(0, 100);
  EXPECT_EQ(Fetch(port(), "/healthz").status, 200);
}

TEST_F(HttpServerTest, EveryAnswerHasTheSecurityHeaders) {
  for (const char* path : {"/", "/metrics", "/healthz", "/nowhere"}) {
    const HttpAnswer answer = Fetch(port(), path);
    EXPECT_EQ(answer.headers.at("x-content-type-options"), "nosniff") << path;
    EXPECT_EQ(answer.headers.at("cache-control"), "no-store") << path;
  }
  EXPECT_THAT(Fetch(port(), "/").headers.at("content-security-policy"),
              HasSubstr("default-src 'none'"));
}

TEST_F(HttpServerTest, OldProtocolsGetAnAnswerToo) {
  Publish(SampleReport());
  const Socket socket(port());
  EXPECT_TRUE(socket.Send("GET /api/v1/jobs HTTP/1.0\r\n\r\n"));
  const HttpAnswer answer = ParseAnswer(socket.ReadAll());
  EXPECT_FALSE(answer.headers.contains("transfer-encoding"));
  EXPECT_EQ(answer.body, JobsJson(SampleReport()));
}

TEST_F(HttpServerTest, SlowClientsDoNotShutOutOthers) {
  Publish(SampleReport());
  std::vector<Socket> slow;
  for (int i = 0; i < 24; ++i) {
    slow.emplace_back(port());
    slow.back().Send("GET /metrics HTTP/1.1\r\n");
  }
  std::atomic<bool> done = false;
  std::thread drip([&] {
    while (!done) {
      for (const Socket& socket : slow) {
        socket.Send("X");
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
  });
  const auto start = steady_clock::now();
  EXPECT_EQ(Fetch(port(), "/metrics").status, 200);
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(15));
  done = true;
  drip.join();
}

TEST_F(HttpServerTest, ClientsThatLeaveEarlyDoNoHarm) {
  Publish(LargeReport("job"));
  for (int i = 0; i < 20; ++i) {
    const Socket socket(port());
    socket.Send("GET /api/v1/operators HTTP/1.1\r\n\r\n");
    socket.ReadAll(1000);
  }
  EXPECT_EQ(Fetch(port(), "/healthz").status, 200);
}

TEST_F(HttpServerTest, AHundredScrapesAtOnceSeeOneReportEach) {
  const Report one = LargeReport("one");
  const Report two = LargeReport("two");
  Publish(one);
  const std::string page_one = MetricsPage(one, SampleStats());
  const std::string page_two = MetricsPage(two, SampleStats());
  std::atomic<int> mixed = 0;
  std::atomic<int> right = 0;
  std::vector<std::thread> scrapers;
  for (int i = 0; i < 100; ++i) {
    scrapers.emplace_back([&] {
      const HttpAnswer answer = Fetch(port(), "/metrics", "Accept-Encoding: gzip\r\n");
      const std::string page = Unzipped(answer.body);
      ++(page == page_one || page == page_two ? right : mixed);
    });
  }
  Publish(two);
  Publish(one);
  for (std::thread& scraper : scrapers) {
    scraper.join();
  }
  EXPECT_EQ(right, 100);
  EXPECT_EQ(mixed, 0);
}

TEST_F(HttpServerTest, StopsWhileClientsAreConnected) {
  Publish(LargeReport("job"));
  const Socket idle(port());
  const Socket reading(port());
  reading.Send("GET /api/v1/operators HTTP/1.1\r\n\r\n");
  const auto start = steady_clock::now();
  server_.reset();
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(10));
}

TEST_F(HttpServerTest, APortInUseIsTold) {
  const std::string listen = "127.0.0.1:" + std::to_string(port());
  const auto second = NewHttpServer(listen);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, ErrorCode::kIo);
  EXPECT_EQ(second.error().context, listen);
  EXPECT_THAT(second.error().message, HasSubstr("in use"));
}

TEST(NewHttpServerTest, WrongAddressesAreTold) {
  const auto server = NewHttpServer("nonsense");
  ASSERT_FALSE(server.ok());
  EXPECT_EQ(server.error().code, ErrorCode::kInvalidArgument);
}

TEST(NewHttpServerTest, AllAddresses) {
  const auto server = NewHttpServer(":0");
  ASSERT_TRUE(server.ok()) << server.error().ToString();
  EXPECT_EQ(Fetch((*server)->port(), "/healthz").status, 200);
}

}  // namespace
}  // namespace fss
