#include "collectors/request_window.h"

#include <gtest/gtest.h>

#include <map>

namespace fss {
namespace {

using std::chrono::milliseconds;

struct FakeExchange final : Exchange {
  std::string TakeBody() override { return "body of " + target; }
};

// Ends what it is told to at once, and keeps the rest for ever; a cancelled one ends only when
// `unwinds`.
class FakeTransport final : public Transport {
 public:
  bool unwinds = true;
  std::map<std::string, bool> hangs;  // by target
  std::size_t sent = 0;
  std::size_t open = 0;
  std::size_t most_open = 0;
  std::vector<std::shared_ptr<Exchange>> late;  // cancelled and not ended

  std::shared_ptr<Exchange> NewExchange() override { return std::make_shared<FakeExchange>(); }
  void Send(const std::shared_ptr<Exchange>& exchange,
            const std::shared_ptr<EndedExchanges>& ended) override {
    ++sent;
    most_open = std::max(most_open, ++open);
    ended_ = ended;
    if (hangs[exchange->target]) return;
    exchange->status = 200;
    End(exchange);
  }
  void Cancel(const std::shared_ptr<Exchange>& exchange) override {
    if (!unwinds) {
      late.push_back(exchange);
      return;
    }
    exchange->error = Error{ErrorCode::kTimeout, "cancelled", ""};
    End(exchange);
  }
  std::uint64_t BytesDelivered() const override { return 0; }

  void End(const std::shared_ptr<Exchange>& exchange) {
    --open;
    if (!exchange->finished.exchange(true)) ended_->Push(exchange);
  }

 private:
  std::shared_ptr<EndedExchanges> ended_;
};

RestClientOptions Options(std::size_t concurrency) {
  RestClientOptions options;
  options.request_timeout = milliseconds(50);
  options.max_concurrency = concurrency;
  return options;
}

// The outcome of each path: its body, or its error.
std::vector<std::string> Ask(FakeTransport* transport, std::size_t concurrency,
                             const std::vector<std::string>& paths) {
  std::vector<std::string> outcomes(paths.size());
  RequestWindow window(Options(concurrency), transport, "/base", 1);
  window.GetEach(paths, [&](std::size_t index, Result<RestAnswer> answer) {
    EXPECT_EQ(outcomes[index], "") << "answered twice";
    outcomes[index] = answer.ok() ? answer->body : answer.error().ToString();
  });
  return outcomes;
}

TEST(RequestWindow, AnswersEachAndKeepsItsBounds) {
  FakeTransport transport;
  const auto outcomes = Ask(&transport, 3, std::vector<std::string>(20, "/x"));
  for (const std::string& outcome : outcomes) EXPECT_EQ(outcome, "body of /base/x");
  EXPECT_LE(transport.most_open, 3U);
  EXPECT_EQ(transport.sent, 20U);
}

TEST(RequestWindow, OneThatHangsIsCancelled) {
  FakeTransport transport;
  transport.hangs["/base/hang"] = true;
  const auto outcomes = Ask(&transport, 2, {"/a", "/hang", "/b", "/c"});
  EXPECT_EQ(outcomes[1], "/hang: cancelled");
  EXPECT_EQ(outcomes[3], "body of /base/c");
}

TEST(RequestWindow, OneThatCannotBeCancelledIsLeftBehind) {
  FakeTransport transport;
  transport.unwinds = false;
  transport.hangs["/base/hang"] = true;
  const auto begin = std::chrono::steady_clock::now();
  const auto outcomes = Ask(&transport, 2, {"/hang", "/a"});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(outcomes[0], "/hang: no answer in time");
  EXPECT_EQ(outcomes[1], "body of /base/a");
  ASSERT_EQ(transport.late.size(), 1U);
  transport.End(transport.late[0]);  // after the window is gone: nothing happens
}

TEST(RequestWindow, AWindowWithoutAnAnswerEndsTheBatch) {
  FakeTransport transport;
  transport.hangs["/base/hang"] = true;
  const auto outcomes = Ask(&transport, 4, std::vector<std::string>(100, "/hang"));
  EXPECT_EQ(transport.sent, 4U);
  EXPECT_EQ(outcomes[99], "/hang: not asked: no good answers any more");
}

TEST(RequestWindow, ABatchOfTheWindowsSizeOrLessIsAskedWhole) {
  FakeTransport transport;
  transport.hangs["/base/hang"] = true;
  const auto outcomes = Ask(&transport, 4, {"/hang", "/hang", "/hang", "/a", "/hang"});
  EXPECT_EQ(transport.sent, 5U);
  EXPECT_EQ(outcomes[4], "/hang: cancelled");
}

}  // namespace
}  // namespace fss
