#include "collectors/policy_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sidecar/base/millis.h"

namespace fss {
namespace {

using testing::HasSubstr;

Policy MustReadPolicy(const std::string& yaml) {
  Result<Policy> policy = ReadPolicy(yaml, "policy.yaml");
  EXPECT_TRUE(policy.ok()) << (policy.ok() ? "" : policy.error().ToString());
  return policy.ok() ? *policy : Policy();
}

std::string PolicyError(const std::string& yaml) {
  const Result<Policy> policy = ReadPolicy(yaml, "policy.yaml");
  return policy.ok() ? "no error" : policy.error().ToString();
}

// The example of docs/user/policy.md, its indentation taken off.
std::string DocumentedPolicy() {
  std::ifstream page(std::filesystem::path(FSS_TEST_DATA) / "../../docs/user/policy.md");
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    inside = inside ? line.starts_with("    ") : line == "    longest_ttl:";
    if (!inside && !block.empty()) break;
    if (inside) block += line.substr(4) + "\n";
  }
  return block;
}

TEST(ReadPolicyTest, ReadsTheDocumentedExample) {
  const Policy policy = MustReadPolicy(DocumentedPolicy());
  ASSERT_EQ(policy.longest.size(), 2U);
  EXPECT_EQ(policy.longest[0].kind, "");
  EXPECT_EQ(policy.longest[0].ttl_ms, 30 * kMillisPerDay);
  EXPECT_EQ(policy.longest[1].kind, "join");
  EXPECT_EQ(policy.longest[1].table, "clicks");
  EXPECT_EQ(policy.longest[1].ttl_ms, kMillisPerHour);
  ASSERT_EQ(policy.forever.size(), 2U);
  EXPECT_EQ(policy.forever[0].kind, "*group-aggregate");
  EXPECT_EQ(policy.forever[0].table, "countries");
  EXPECT_EQ(policy.forever[1].reason, "keeps no more than its LIMIT");
  ASSERT_EQ(policy.hints.size(), 2U);
  EXPECT_EQ(policy.hints[0].ttl_ms, kMillisPerDay);
  EXPECT_EQ(policy.hints[1].ttl_ms, std::nullopt);
}

TEST(ReadPolicyTest, NothingIsNoPolicy) {
  for (const char* yaml : {"", "# all commented out\n", "forever:\nlongest_ttl:\n"}) {
    const Policy policy = MustReadPolicy(yaml);
    EXPECT_TRUE(policy.longest.empty() && policy.forever.empty() && policy.hints.empty());
  }
}

TEST(ReadPolicyTest, WhatWouldNotDoWhatWasMeantIsRefused) {
  EXPECT_THAT(PolicyError("- a\n"), HasSubstr("policy.yaml:1: no map with the keys longest_ttl, "));
  EXPECT_THAT(PolicyError("for_ever: []\n"),
              HasSubstr("policy.yaml:1: unknown key 'for_ever'; there are longest_ttl, forever and "
                        "required_hints"));
  EXPECT_THAT(PolicyError("longest_ttl:\n  - reason: x\n"),
              HasSubstr("longest_ttl[0]: ttl is missing"));
  EXPECT_THAT(PolicyError("longest_ttl:\n  - ttl: 1 d\n"),
              HasSubstr("longest_ttl[0]: reason is missing"));
  EXPECT_THAT(PolicyError("longest_ttl:\n  - ttl: soon\n    reason: x\n"),
              HasSubstr("policy.yaml:2: longest_ttl[0]: ttl: 'soon' is no duration"));
  EXPECT_THAT(PolicyError("forever:\n  - reason: all\n"),
              HasSubstr("policy.yaml:2: forever[0]: needs one of kind, table"));
  EXPECT_THAT(PolicyError("forever:\n  - kind: join\n    ttl: 1 d\n    reason: x\n"),
              HasSubstr("forever[0]: unknown key 'ttl'; there are kind, table, reason"));
  EXPECT_THAT(PolicyError("required_hints:\n  - kind: [join]\n    reason: x\n"),
              HasSubstr("required_hints[0]: kind: is a list"));
  EXPECT_THAT(PolicyError("a: &x 1\n"), HasSubstr("policy.yaml:1: anchors"));
}

TEST(ReadPolicyTest, AFileThatIsNotThereIsNamed) {
  const Result<Policy> policy = ReadPolicyFile("/no/such/policy.yaml");
  ASSERT_FALSE(policy.ok());
  EXPECT_THAT(policy.error().ToString(), HasSubstr("/no/such/policy.yaml"));
}

}  // namespace
}  // namespace fss
