#include "sidecar/model/rules.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace fss {
namespace {

TEST(GlobFits, TakesTheWholeText) {
  EXPECT_TRUE(GlobFits("orders", "orders"));
  EXPECT_FALSE(GlobFits("orders", "orders-eu"));
  EXPECT_FALSE(GlobFits("rders", "orders"));
  EXPECT_FALSE(GlobFits("Orders", "orders"));
  EXPECT_FALSE(GlobFits("orders", ""));
}

TEST(GlobFits, EmptyFitsAnything) {
  EXPECT_TRUE(GlobFits("", ""));
  EXPECT_TRUE(GlobFits("", "orders"));
}

TEST(GlobFits, StarIsAnyText) {
  EXPECT_TRUE(GlobFits("*", ""));
  EXPECT_TRUE(GlobFits("orders*", "orders"));
  EXPECT_TRUE(GlobFits("orders-*", "orders-eu"));
  EXPECT_FALSE(GlobFits("orders-*", "orders"));
  EXPECT_TRUE(GlobFits("*totals", "user-totals"));
  EXPECT_TRUE(GlobFits("*a*b*c*", "xxaxxbxxcxx"));
  EXPECT_FALSE(GlobFits("*a*b*c*", "xxaxxcxxbxx"));
  EXPECT_TRUE(GlobFits("*aab", "aaaab"));  // the star has to give and take
  EXPECT_TRUE(GlobFits("a**b", "ab"));
  EXPECT_TRUE(GlobFits("*\n*", "two\nlines"));
}

TEST(GlobFits, QuestionMarkIsOneCharacter) {
  EXPECT_TRUE(GlobFits("job-?", "job-1"));
  EXPECT_FALSE(GlobFits("job-?", "job-"));
  EXPECT_FALSE(GlobFits("job-?", "job-12"));
  EXPECT_TRUE(GlobFits("gr??e", "größe"));
  EXPECT_TRUE(GlobFits("?", "\U0001F600"));
  EXPECT_TRUE(GlobFits("*?", "größe"));
  EXPECT_FALSE(GlobFits("??", "ö"));
  EXPECT_FALSE(GlobFits("*??", "ö"));  // a star ends between characters alone
}

TEST(GlobFits, BracketsStandForThemselves) {
  EXPECT_TRUE(GlobFits("Join[19]", "Join[19]"));
  EXPECT_FALSE(GlobFits("Join[19]", "Join1"));
  EXPECT_TRUE(GlobFits("Join[*]", "Join[19]"));
  EXPECT_TRUE(GlobFits("a\\*", "a\\b"));
}

TEST(GlobFits, BrokenUtf8IsACharacterToo) {
  EXPECT_TRUE(GlobFits("a?b",
                       "a\xFF"
                       "b"));
  EXPECT_TRUE(GlobFits("a?", "a\xE2\x82"));  // a cut euro sign
  EXPECT_TRUE(GlobFits("*", "\xFF\xFE\x80"));
}

// The obvious way, which takes exponential time on long texts.
bool PlainFits(std::string_view glob, std::string_view text) {
  if (glob.empty()) return text.empty();
  if (glob[0] == '*') {
    return PlainFits(glob.substr(1), text) || (!text.empty() && PlainFits(glob, text.substr(1)));
  }
  return !text.empty() && (glob[0] == '?' || glob[0] == text[0]) &&
         PlainFits(glob.substr(1), text.substr(1));
}

TEST(GlobFits, AgreesWithThePlainWay) {
  std::mt19937 random(7);  // NOLINT(bugprone-*): the same texts every time
  const auto text_of = [&](std::string_view letters, std::size_t most) {
    std::string text(random() % (most + 1), ' ');
    for (char& c : text) c = letters[random() % letters.size()];
    return text;
  };
  int fits = 0;
  for (int round = 0; round < 100'000; ++round) {
    const std::string glob = "?" + text_of("ab*?", 6);  // not empty: that is a rule of its own
    const std::string text = text_of("ab", 8);
    ASSERT_EQ(GlobFits(glob, text), PlainFits(glob, text)) << glob << " on " << text;
    fits += GlobFits(glob, text) ? 1 : 0;
  }
  EXPECT_GT(fits, 10'000);
}

TEST(GlobFits, HostileGlobsEndSoon) {
  std::string glob;
  for (int i = 0; i < 2'000; ++i) glob += "a*";
  EXPECT_FALSE(GlobFits(glob + "b", std::string(20'000, 'a')));
}

Finding GroupFinding() {
  Finding finding;
  finding.code = "forever-state";
  finding.job = "user-totals-eu";
  finding.operator_label = "GroupAggregate[5]";
  finding.state = "groupAggregateState";
  return finding;
}

Acknowledgement GroupAcknowledgement() {
  return {"forever-state",       "user-totals*",           "GroupAggregate*",
          "groupAggregateState", "2,000 users, no growth", 1'000};
}

TEST(Rules, AcknowledgesWhereAllPatternsFit) {
  Rules rules;
  rules.acknowledgements = {GroupAcknowledgement()};
  const Finding finding = GroupFinding();
  ASSERT_NE(rules.AcknowledgementOf(finding, 0), nullptr);
  EXPECT_EQ(rules.AcknowledgementOf(finding, 0)->reason, "2,000 users, no growth");

  for (std::string Finding::*part :
       {&Finding::code, &Finding::job, &Finding::operator_label, &Finding::state}) {
    Finding other = finding;
    other.*part = "other";
    EXPECT_EQ(rules.AcknowledgementOf(other, 0), nullptr);
  }
}

TEST(Rules, AnAcknowledgementEnds) {
  Rules rules;
  rules.acknowledgements = {GroupAcknowledgement()};
  EXPECT_NE(rules.AcknowledgementOf(GroupFinding(), 999), nullptr);
  EXPECT_EQ(rules.AcknowledgementOf(GroupFinding(), 1'000), nullptr);
}

TEST(Rules, TheFirstThatHoldsCounts) {
  Rules rules;
  rules.acknowledgements = {GroupAcknowledgement(), GroupAcknowledgement(), GroupAcknowledgement()};
  rules.acknowledgements[0].until_ms = 10;
  rules.acknowledgements[1].reason = "second";
  EXPECT_EQ(rules.AcknowledgementOf(GroupFinding(), 500)->reason, "second");
}

TEST(Rules, WithoutRulesTheDefaultsHold) {
  const JobRules rules = Rules().For("orders");
  EXPECT_EQ(rules.thresholds.capacity_warning_ms, Thresholds().capacity_warning_ms);
  EXPECT_FALSE(rules.state_limit_bytes.has_value());
}

TEST(Rules, ALaterRuleWinsAndOthersStay) {
  Rules rules;
  JobRule all;
  all.job = "*";
  all.heap_warning = 0.5;
  all.state_limit_bytes = 100;
  all.skew_bytes = 1;
  JobRule orders;
  orders.job = "orders-*";
  orders.heap_warning = 0.6;
  orders.state_limit_bytes = 200;
  orders.capacity_warning_ms = 11;
  orders.capacity_critical_ms = 12;
  orders.heap_critical = 0.8;
  orders.skew_ratio = 5;
  orders.large_bytes = 13;
  rules.jobs = {all, orders};

  const JobRules eu = rules.For("orders-eu");
  EXPECT_EQ(eu.thresholds.heap_warning, 0.6);
  EXPECT_EQ(eu.thresholds.heap_critical, 0.8);
  EXPECT_EQ(eu.thresholds.skew_bytes, 1);
  EXPECT_EQ(eu.thresholds.skew_ratio, 5);
  EXPECT_EQ(eu.thresholds.capacity_warning_ms, 11);
  EXPECT_EQ(eu.thresholds.capacity_critical_ms, 12);
  EXPECT_EQ(eu.thresholds.large_bytes, 13);
  EXPECT_EQ(eu.state_limit_bytes, 200);
  const JobRules other = rules.For("users");
  EXPECT_EQ(other.thresholds.heap_warning, 0.5);
  EXPECT_EQ(other.thresholds.heap_critical, Thresholds().heap_critical);
  EXPECT_EQ(other.state_limit_bytes, 100);
}

}  // namespace
}  // namespace fss
