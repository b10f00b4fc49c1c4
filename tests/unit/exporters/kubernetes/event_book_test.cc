#include "exporters/kubernetes/event_book.h"

#include <gtest/gtest.h>

#include "exporters/json/event_json.h"

namespace fss {
namespace {

const ObjectReference kDeployment{"flink.apache.org/v1beta1", "FlinkDeployment", "ns", "orders",
                                  "uid-1"};
constexpr std::int64_t kMinute = 60'000;

Finding MakeFinding(const std::string& code, Severity severity, const std::string& op = "Join[1]",
                    const std::string& job = "job") {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.job = job;
  finding.operator_label = op;
  finding.message = op + " grows";
  return finding;
}

class EventBookTest : public testing::Test {
 protected:
  std::vector<KubeEventRecord> Poll(std::vector<Finding> findings, bool up = true) {
    Report report;
    report.cluster = "ns/orders";
    report.health.up = up;
    report.findings = std::move(findings);
    return book_.Update(report, kDeployment, now_);
  }
  EventBook book_;
  std::int64_t now_ = 1'700'000'000'000;
};

TEST_F(EventBookTest, AFindingThatAppearsAndEnds) {
  EXPECT_TRUE(Poll({}).empty());
  const auto appeared = Poll({MakeFinding("state-growing", Severity::kWarning)});
  ASSERT_EQ(appeared.size(), 1U);
  EXPECT_EQ(appeared[0].reason, "StateGrowing");
  EXPECT_TRUE(appeared[0].warning);
  EXPECT_EQ(appeared[0].note, "Job job: Join[1] grows");
  EXPECT_EQ(appeared[0].regarding, kDeployment);
  EXPECT_EQ(appeared[0].count, 1);
  now_ += kMinute;
  EXPECT_TRUE(Poll({MakeFinding("state-growing", Severity::kWarning)}).empty()) << "it stands";
  now_ += kMinute;
  const auto over = Poll({});
  ASSERT_EQ(over.size(), 1U);
  EXPECT_EQ(over[0].reason, "StateGrowingOver");
  EXPECT_FALSE(over[0].warning);
  EXPECT_NE(over[0].name, appeared[0].name);
  EXPECT_TRUE(Poll({}).empty());
}

TEST_F(EventBookTest, InfoAndAcknowledgedAreNone) {
  Finding known = MakeFinding("capacity", Severity::kCritical);
  known.acknowledged = true;
  EXPECT_TRUE(Poll({MakeFinding("joinable-chain", Severity::kInfo), known}).empty());
}

TEST_F(EventBookTest, ManyOperatorsAreOneEvent) {
  std::vector<Finding> findings;
  for (int i = 0; i < 50; ++i) {
    findings.push_back(
        MakeFinding("forever-state", Severity::kWarning, "Join[" + std::to_string(i) + "]"));
  }
  const auto events = Poll(findings);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].note, "Job job: Join[0] grows (and 49 more)");
}

TEST_F(EventBookTest, WhatComesAgainIsCountedInTheSameEvent) {
  const auto first = Poll({MakeFinding("state-growing", Severity::kWarning)});
  for (int round = 2; round < 6; ++round) {
    now_ += kMinute;
    (void)Poll({});
    now_ += kMinute;
    const auto again = Poll({MakeFinding("state-growing", Severity::kWarning)});
    ASSERT_EQ(again.size(), 1U);
    EXPECT_EQ(again[0].name, first[0].name);
    EXPECT_EQ(again[0].count, round);
    EXPECT_EQ(again[0].first_ms, first[0].first_ms);
    EXPECT_EQ(again[0].last_ms, now_);
  }
}

TEST_F(EventBookTest, WhatStandsIsToldNowAndThen) {
  (void)Poll({MakeFinding("capacity", Severity::kCritical)});
  int told = 0;
  for (int minute = 0; minute < 120; ++minute) {
    now_ += kMinute;
    told += static_cast<int>(Poll({MakeFinding("capacity", Severity::kCritical)}).size());
  }
  EXPECT_EQ(told, 4) << "every half hour: Events are forgotten after an hour";
}

TEST_F(EventBookTest, AnUnreachableClusterEndsNothing) {
  (void)Poll({MakeFinding("capacity", Severity::kCritical)});
  EXPECT_TRUE(Poll({}, /*up=*/false).empty());
  EXPECT_TRUE(Poll({MakeFinding("capacity", Severity::kCritical)}).empty());
}

TEST_F(EventBookTest, TheRateIsLimited) {
  std::vector<Finding> findings;
  for (int i = 0; i < 100; ++i) {
    findings.push_back(
        MakeFinding("capacity", Severity::kCritical, "Join[1]", "job-" + std::to_string(i)));
  }
  EXPECT_EQ(Poll(findings).size(), static_cast<std::size_t>(kEventBurst));
  std::size_t later = 0;
  for (int minute = 0; minute < 60; ++minute) {
    now_ += kMinute;
    later += Poll(minute % 2 == 0 ? std::vector<Finding>{} : findings).size();
  }
  EXPECT_LE(later, 13U) << "one in five minutes";
  EXPECT_GE(later, 11U);
}

TEST_F(EventBookTest, ADeploymentThatWasMadeAnewHasItsOwn) {
  const auto first = Poll({MakeFinding("capacity", Severity::kCritical)});
  Report report;
  report.cluster = "ns/orders";
  report.health.up = true;
  report.findings = {MakeFinding("capacity", Severity::kCritical)};
  ObjectReference other = kDeployment;
  other.uid = "uid-2";
  const auto again = book_.Update(report, other, now_);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_NE(again[0].name, first[0].name);
  EXPECT_TRUE(book_.Update(report, ObjectReference{}, now_).empty()) << "attached to nothing";
}

TEST_F(EventBookTest, NamesAndNotesFitTheApi) {
  EventBook book;
  Report report;
  report.cluster = "c";
  report.health.up = true;
  Finding finding = MakeFinding("capacity", Severity::kCritical, std::string(5000, 'x'),
                                "job\n\x01" + std::string(500, 'y'));
  report.findings = {finding};
  ObjectReference regarding = kDeployment;
  regarding.name = std::string(253, 'n');
  const auto events = book.Update(report, regarding, now_);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_LE(events[0].name.size(), 253U);
  EXPECT_LE(events[0].note.size(), 1024U);
  EXPECT_EQ(events[0].note.find('\n'), std::string::npos);
}

TEST_F(EventBookTest, AsJson) {
  auto events = Poll({MakeFinding("capacity", Severity::kCritical)});
  const std::string json = EventJson(events.at(0), "pod-0");
  EXPECT_NE(json.find(R"("eventTime":"2023-11-14T22:13:20.000000Z")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("type":"Warning")"), std::string::npos);
  EXPECT_NE(json.find(R"("reportingInstance":"pod-0")"), std::string::npos);
  EXPECT_EQ(json.find("series"), std::string::npos) << "of one there is none";
  events[0].count = 3;
  EXPECT_EQ(EventSeriesJson(events[0]),
            R"({"series":{"count":3,"lastObservedTime":"2023-11-14T22:13:20.000000Z"}})");
}

}  // namespace
}  // namespace fss
