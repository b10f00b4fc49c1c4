#include "exporters/alertmanager/alert_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <string>

#include "../sample_report.h"

namespace fss {
namespace {

using namespace std::chrono_literals;

class FakeClock : public Clock {
 public:
  std::int64_t WallMillis() const override { return now; }
  std::int64_t MonotonicMillis() const override { return now; }
  std::atomic<std::int64_t> now{1'800'000'000'000};
};

// Keeps the bodies; hangs until cancelled where told so.
class FakePoster : public AlertPoster {
 public:
  std::vector<PostOutcome> Post(std::span<const std::string> bodies) override {
    std::unique_lock lock(mutex);
    posts.emplace_back(bodies.begin(), bodies.end());
    changed.notify_all();
    changed.wait(lock, [this] { return !hang || cancelled; });
    return {{"http://am", OkStatus()}};
  }
  void Cancel() override {
    const std::lock_guard lock(mutex);
    cancelled = true;
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::vector<std::string>> posts;
  bool hang = false;
  bool cancelled = false;
};

std::shared_ptr<const Report> ReportWith(int findings) {
  auto report = std::make_shared<Report>(ReportOf({OneOperatorJob("totals", "id")}));
  report->health.up = true;
  report->findings.clear();
  for (int i = 0; i < findings; ++i) {
    Finding finding;
    finding.code = "forever-state";
    finding.job_id = "id";
    finding.operator_label = "Join[" + std::to_string(i) + "]";
    finding.first_seen_ms = 0;  // fires at once
    report->findings.push_back(finding);
  }
  return report;
}

class AlertSenderTest : public testing::Test {
 protected:
  void Start() {
    auto poster = std::make_unique<FakePoster>();
    poster->hang = hang_;
    poster_ = poster.get();
    sender_ = std::make_unique<AlertSender>(
        AlertBookOptions{}, std::move(poster), clock_, "http://pod",
        [this](std::size_t alerts, const std::vector<PostOutcome>& outcomes) {
          const std::lock_guard lock(mutex_);
          rounds_.push_back(alerts);
          targets_ = outcomes.size();
          changed_.notify_all();
        });
  }
  bool WaitForRounds(std::size_t count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, 10s, [&] { return rounds_.size() >= count; });
  }

  FakeClock clock_;
  bool hang_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::size_t> rounds_;
  std::size_t targets_ = 0;
  FakePoster* poster_ = nullptr;
  std::unique_ptr<AlertSender> sender_;
};

TEST_F(AlertSenderTest, PostsInBatches) {
  Start();
  sender_->Offer(ReportWith(450), {});
  ASSERT_TRUE(WaitForRounds(1));
  EXPECT_EQ(rounds_[0], 450U);
  EXPECT_EQ(targets_, 1U);
  ASSERT_EQ(poster_->posts.size(), 1U);
  ASSERT_EQ(poster_->posts[0].size(), 3U);
  const auto count = [](const std::string& body) {
    std::size_t found = 0;
    for (auto at = body.find("startsAt"); at != std::string::npos;
         at = body.find("startsAt", at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count(poster_->posts[0][0]), 200U);
  EXPECT_EQ(count(poster_->posts[0][1]), 200U);
  EXPECT_EQ(count(poster_->posts[0][2]), 50U);
}

TEST_F(AlertSenderTest, NothingDueIsNotPosted) {
  Start();
  sender_->Offer(ReportWith(0), {});
  ASSERT_TRUE(WaitForRounds(1));
  EXPECT_EQ(rounds_[0], 0U);
  EXPECT_EQ(targets_, 0U);
  EXPECT_TRUE(poster_->posts.empty());
}

TEST_F(AlertSenderTest, AHangingPostHoldsUpNobodyAndStopBreaksItOff) {
  hang_ = true;
  Start();
  sender_->Offer(ReportWith(1), {});
  {
    std::unique_lock lock(poster_->mutex);
    ASSERT_TRUE(poster_->changed.wait_for(lock, 10s, [&] { return poster_->posts.size() == 1; }));
  }
  const auto begin = std::chrono::steady_clock::now();
  for (int poll = 0; poll < 1'000; ++poll) sender_->Offer(ReportWith(1), {});
  sender_->Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  EXPECT_TRUE(rounds_.empty());  // a post that was broken off is not told of
  sender_->Stop();
}

TEST_F(AlertSenderTest, TheNewestReportWins) {
  hang_ = true;
  Start();
  sender_->Offer(ReportWith(1), {});
  {
    std::unique_lock lock(poster_->mutex);
    ASSERT_TRUE(poster_->changed.wait_for(lock, 10s, [&] { return poster_->posts.size() == 1; }));
  }
  sender_->Offer(ReportWith(1), {});
  sender_->Offer(ReportWith(0), {});  // over: one resolved alert
  {
    const std::lock_guard lock(poster_->mutex);
    poster_->hang = false;
    poster_->changed.notify_all();
  }
  ASSERT_TRUE(WaitForRounds(2));
  sender_->Stop();
  EXPECT_EQ(rounds_, (std::vector<std::size_t>{1, 1}));
  ASSERT_EQ(poster_->posts.size(), 2U);
}

TEST_F(AlertSenderTest, StopsWithoutAReport) { Start(); }

TEST_F(AlertSenderTest, EachClusterHasItsOwnAlerts) {
  Start();
  for (const char* cluster : {"ns/a", "ns/b"}) {
    auto report = std::make_shared<Report>(*ReportWith(3));
    report->cluster = cluster;
    sender_->Offer(report, {});
  }
  std::unique_lock lock(mutex_);
  EXPECT_TRUE(changed_.wait_for(lock, 10s, [&] {
    std::size_t alerts = 0;
    for (const std::size_t round : rounds_) alerts += round;
    return alerts == 6;
  }));
}

TEST_F(AlertSenderTest, ADeletedClustersAlertsAreResolved) {
  Start();
  auto report = std::make_shared<Report>(*ReportWith(2));
  report->cluster = "ns/a";
  sender_->Offer(report, {});
  ASSERT_TRUE(WaitForRounds(1));
  sender_->Forget("ns/a", /*deleted=*/true);
  ASSERT_TRUE(WaitForRounds(2));
  EXPECT_EQ(rounds_[1], 2U) << "both are told to be over";
  sender_->Forget("ns/b", /*deleted=*/true);  // never known
}

}  // namespace
}  // namespace fss
