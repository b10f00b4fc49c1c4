#include "collectors/rules_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sidecar/base/millis.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string TextOf(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

Rules MustReadRules(const std::string& yaml) {
  Result<Rules> rules = ReadRules(yaml, "rules.yaml");
  EXPECT_TRUE(rules.ok()) << (rules.ok() ? "" : rules.error().ToString());
  return rules.ok() ? *rules : Rules();
}

std::string RulesError(const std::string& yaml) {
  const Result<Rules> rules = ReadRules(yaml, "rules.yaml");
  return rules.ok() ? "no error" : rules.error().ToString();
}

// The yaml block of docs/user/rules.md that begins with `head`, its indentation taken off.
std::string DocumentedRules(const std::string& head) {
  std::istringstream page(TextOf(fs::path(FSS_TEST_DATA) / "../../docs/user/rules.md"));
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    inside = inside ? line.empty() || line.starts_with("    ") : line == "    " + head;
    if (!inside && !block.empty()) break;
    if (inside) block += (line.empty() ? "" : line.substr(4)) + "\n";
  }
  return block;
}

TEST(ReadRules, ReadsTheDocumentedExample) {
  const Rules rules = MustReadRules(DocumentedRules("acknowledge:"));
  ASSERT_EQ(rules.acknowledgements.size(), 2U);
  const Acknowledgement& totals = rules.acknowledgements[0];
  EXPECT_EQ(totals.code, "forever-state");
  EXPECT_EQ(totals.job, "user-totals*");
  EXPECT_EQ(totals.operator_label, "GroupAggregate*");
  EXPECT_EQ(totals.state, "groupAggregateState");
  EXPECT_EQ(totals.reason, "2,000 users, bounded");
  EXPECT_EQ(totals.until_ms, 1'806'451'200'000 + kMillisPerDay);  // 2027-03-31, and that day
  EXPECT_EQ(rules.acknowledgements[1].until_ms, 1'806'451'200'000 + 12 * kMillisPerHour);
  EXPECT_EQ(rules.acknowledgements[1].operator_label, "Join[19]");
  EXPECT_EQ(rules.acknowledgements[1].code, "");

  ASSERT_EQ(rules.jobs.size(), 2U);
  const JobRule& orders = rules.jobs[1];
  EXPECT_EQ(rules.jobs[0].job, "*");
  EXPECT_EQ(rules.jobs[0].large_bytes, 2LL << 30);
  EXPECT_FALSE(rules.jobs[0].state_limit_bytes.has_value());
  EXPECT_EQ(orders.job, "orders-*");
  EXPECT_EQ(orders.state_limit_bytes, 20LL << 30);
  EXPECT_EQ(orders.capacity_warning_ms, 3 * kMillisPerDay);
  EXPECT_EQ(orders.capacity_critical_ms, 12 * kMillisPerHour);
  EXPECT_EQ(orders.heap_warning, 0.7);
  EXPECT_EQ(orders.heap_critical, 0.9);
  EXPECT_EQ(orders.skew_bytes, 64LL << 20);
  EXPECT_EQ(orders.skew_ratio, 4);
}

TEST(ReadRules, AnEmptyTextHasNoRules) {
  for (const char* yaml : {"", "\n\n", "# nothing yet\n", "---\n", "acknowledge:\njobs:\n", "{}",
                           "acknowledge: []\njobs: []\n", "\xEF\xBB\xBF# a byte order mark\n"}) {
    const Rules rules = MustReadRules(yaml);
    EXPECT_TRUE(rules.acknowledgements.empty() && rules.jobs.empty()) << yaml;
  }
}

TEST(ReadRules, TakesQuotesFlowStyleFoldedTextsAndCarriageReturns) {
  const Rules rules = MustReadRules(
      "jobs: [{job: 'a', \"heap_warning\": \"0.5\"}]\r\n"
      "acknowledge:\r\n"
      "- code: '*-missing'\r\n"
      "  reason: >-\r\n"
      "    one reason,\r\n"
      "    two lines\r\n"
      "  until: '2027-01-01'\r\n");
  ASSERT_EQ(rules.jobs.size(), 1U);
  EXPECT_EQ(rules.jobs[0].heap_warning, 0.5);
  ASSERT_EQ(rules.acknowledgements.size(), 1U);
  EXPECT_EQ(rules.acknowledgements[0].code, "*-missing");
  EXPECT_EQ(rules.acknowledgements[0].reason, "one reason, two lines");
}

// Each tests/golden/rules/invalid/X.yaml beside X.error, its exact error. FSS_UPDATE_GOLDEN=1
// rewrites them.
TEST(ReadRules, RefusesWhatIsNotMeant) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(FSS_TEST_DATA) / "rules/invalid")) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    const std::string name = entry.path().filename().string();
    const Result<Rules> rules = ReadRules(TextOf(entry.path()), name);
    ASSERT_FALSE(rules.ok()) << name;
    const std::string error = rules.error().ToString() + "\n";
    fs::path expected = entry.path();
    expected.replace_extension(".error");
    if (std::getenv("FSS_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
      std::ofstream(expected, std::ios::binary) << error;
    }
    EXPECT_EQ(error, TextOf(expected)) << name;
    EXPECT_THAT(error, HasSubstr(name));
  }
  EXPECT_GT(files, 50);
}

TEST(ReadRules, ThresholdsOfOtherRulesAreNotGuessed) {
  // Alone, 8 d for critical would be longer than the default warning of 7 d.
  const Rules rules = MustReadRules(
      "jobs:\n"
      "  - {job: '*', capacity_warning: 14 d}\n"
      "  - {job: 'orders-*', capacity_critical: 8 d}\n");
  EXPECT_EQ(rules.For("orders-eu").thresholds.capacity_critical_ms, 8 * kMillisPerDay);
  EXPECT_EQ(rules.For("orders-eu").thresholds.capacity_warning_ms, 14 * kMillisPerDay);
}

TEST(ReadRules, ByteSizes) {
  const auto size = [](const std::string& text) {
    return MustReadRules("jobs: [{job: a, skew_bytes: " + text + "}]")
        .jobs.at(0)
        .skew_bytes.value();
  };
  EXPECT_EQ(size("0"), 0);
  EXPECT_EQ(size("512"), 512);
  EXPECT_EQ(size("512 B"), 512);
  EXPECT_EQ(size("64 MiB"), 64LL << 20);
  EXPECT_EQ(size("64MiB"), 64LL << 20);
  EXPECT_EQ(size("1.5 GB"), 1'500'000'000);
  EXPECT_EQ(size("1 kB"), 1'000);
  EXPECT_EQ(size("0.5 KiB"), 512);
  EXPECT_EQ(size("3 TiB"), 3LL << 40);
  EXPECT_EQ(size("1048576 TiB"), 1LL << 60);
}

TEST(ReadRules, LimitsAreExact) {
  std::string items;
  for (std::size_t i = 0; i < kMaxRules; ++i) items += "  - job: a\n";
  EXPECT_EQ(MustReadRules("jobs:\n" + items).jobs.size(), kMaxRules);
  EXPECT_EQ(RulesError("jobs:\n" + items + "  - job: a\n"),
            "rules.yaml:2: jobs: more than 2000 items");
  const std::string comment = "#" + std::string(kMaxRulesBytes - 1, 'x');
  EXPECT_EQ(RulesError(comment), "no error");
  EXPECT_EQ(RulesError(comment + "x"), "rules.yaml: larger than 1048576 bytes");
}

std::string Repeat(const std::string& piece) {
  std::string text;
  while (text.size() + piece.size() <= kMaxRulesBytes) text += piece;
  return text;
}

// "A billion laughs": nine levels of ten aliases each. The first anchor ends it.
TEST(ReadRules, NothingMultiplies) {
  std::string yaml = "a: &a [x,x,x,x,x,x,x,x,x,x]\n";
  for (char level = 'b'; level <= 'i'; ++level) {
    const std::string before = std::string("*") + static_cast<char>(level - 1);
    yaml += std::string(1, level) + ": &" + level + " [";
    for (int i = 0; i < 10; ++i) yaml += before + (i < 9 ? "," : "]\n");
  }
  EXPECT_THAT(RulesError(yaml), HasSubstr("anchors and aliases are not taken"));
}

TEST(ReadRules, HostileTextsEndSoon) {
  const auto begin = std::chrono::steady_clock::now();
  for (const char* piece :
       {"[",  "{",  "[a,", "- ",  "- \n", "? ",  "a: ",   "a,",          "\n",  " ",
        "''", "\"", "&a ", "!a ", "[?",   "{}:", "---\n", "%YAML 1.2\n", "|\n", "&a *a "}) {
    EXPECT_NE(RulesError("jobs:\n  - job: " + Repeat(piece).substr(20)), "no error") << piece;
    (void)ReadRules(Repeat(piece), "rules.yaml");
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

}  // namespace
}  // namespace fss
