#include "exporters/sarif/lint_sarif.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../golden.h"
#include "../sample_report.h"

namespace fss {
namespace {

rapidjson::Document Parsed(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text);
  EXPECT_FALSE(document.HasParseError());
  return document;
}

std::string Pretty(const std::string& text) {
  rapidjson::StringBuffer buffer;
  rapidjson::PrettyWriter<rapidjson::StringBuffer> writer(buffer);
  writer.SetIndent(' ', 2);
  Parsed(text).Accept(writer);
  return std::string(buffer.GetString()) + "\n";
}

LintedOperator Join(std::int64_t id, int line) {
  LintedOperator op;
  op.node_id = id;
  op.kind = "join";
  op.label = "Join[" + std::to_string(id) + "]";
  op.line = line;
  op.identity = "joins orders and payments";
  return op;
}

Finding ForeverOn(const LintedOperator& op, const std::string& message) {
  Finding finding;
  finding.code = "forever-state";
  finding.node_id = op.node_id;
  finding.operator_label = op.label;
  finding.state = "leftState";
  finding.message = message;
  return finding;
}

LintedPlan PlanOf(const std::vector<LintedOperator>& operators) {
  LintedPlan plan;
  plan.file = "a.json";
  plan.operators = operators;
  for (const LintedOperator& op : operators) plan.findings.push_back(ForeverOn(op, "for ever"));
  return plan;
}

// Of each result: its fingerprint and its line.
std::vector<std::pair<std::string, int>> PrintsOf(const LintedPlan& plan) {
  std::vector<std::pair<std::string, int>> prints;
  const rapidjson::Document document = Parsed(LintSarif(std::span(&plan, 1)));
  for (const auto& result : document["runs"][0]["results"].GetArray()) {
    const auto& place = result["locations"][0]["physicalLocation"];
    prints.emplace_back(result["partialFingerprints"]["flinkStateOperator/v1"].GetString(),
                        place.HasMember("region") ? place["region"]["startLine"].GetInt() : 0);
  }
  return prints;
}

TEST(LintSarifTest, Golden) { ExpectGolden("lint.sarif", Pretty(LintSarif(SampleLint()))); }

TEST(LintSarifTest, NoPlansAreARunWithoutResults) {
  const rapidjson::Document document = Parsed(LintSarif({}));
  EXPECT_TRUE(document["runs"][0]["results"].Empty());
  EXPECT_TRUE(document["runs"][0]["invocations"][0]["executionSuccessful"].GetBool());
}

TEST(LintSarifTest, FingerprintsStayWhenIdsAndLinesShift) {
  const auto before = PrintsOf(PlanOf({Join(19, 40), Join(24, 60)}));
  const auto after = PrintsOf(PlanOf({Join(21, 55), Join(26, 75)}));
  ASSERT_EQ(before.size(), 2U);
  EXPECT_EQ(before[0].first, after[0].first);
  EXPECT_EQ(before[1].first, after[1].first);
  EXPECT_NE(before[0].first, before[1].first) << "two operators that do the same";
  EXPECT_EQ(before[1].second, 60);
  EXPECT_EQ(after[1].second, 75);
}

TEST(LintSarifTest, FingerprintsTellCodesStatesAndOperatorsApart) {
  LintedPlan plan = PlanOf({Join(19, 40)});
  const std::string print = PrintsOf(plan)[0].first;
  plan.findings[0].state = "rightState";
  EXPECT_NE(PrintsOf(plan)[0].first, print);
  plan.findings[0].state = "leftState";
  plan.findings[0].code = "ttl-mismatch";
  EXPECT_NE(PrintsOf(plan)[0].first, print);
  plan = PlanOf({Join(19, 40)});
  plan.operators[0].identity = "joins orders and users";
  EXPECT_NE(PrintsOf(plan)[0].first, print);
}

TEST(LintSarifTest, AnIdThatSeveralOperatorsHaveGivesNoLine) {
  const auto prints = PrintsOf(PlanOf({Join(0, 40), Join(0, 60)}));
  ASSERT_EQ(prints.size(), 2U);
  EXPECT_EQ(prints[0].second, 0);
  EXPECT_EQ(prints[1].second, 0);
}

TEST(LintSarifTest, NamesInMessagesMakeNoLinksAndNoPlaceholders) {
  LintedPlan plan = PlanOf({Join(19, 40)});
  plan.findings[0].message = "[click](http://evil.test) {0} \xFF";
  const rapidjson::Document document = Parsed(LintSarif(std::span(&plan, 1)));
  EXPECT_STREQ(document["runs"][0]["results"][0]["message"]["text"].GetString(),
               "[click] (http://evil.test) {{0}} \xEF\xBF\xBD");
}

TEST(LintSarifTest, AnAcknowledgedFindingIsSuppressed) {
  LintedPlan plan = PlanOf({Join(19, 40)});
  plan.findings[0].acknowledged = true;
  plan.findings[0].acknowledged_reason = "few orders";
  const rapidjson::Document document = Parsed(LintSarif(std::span(&plan, 1)));
  const auto& suppression = document["runs"][0]["results"][0]["suppressions"][0];
  EXPECT_STREQ(suppression["kind"].GetString(), "external");
  EXPECT_STREQ(suppression["justification"].GetString(), "few orders");
}

}  // namespace
}  // namespace fss
