#include "exporters/junit/lint_junit.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "../golden.h"
#include "../sample_report.h"
#include "exporters/junit/xml_text.h"

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

bool Warnings(const Finding& finding) { return finding.severity >= Severity::kWarning; }
bool Nothing(const Finding& /*finding*/) { return false; }

TEST(XmlText, EscapesMarkupAndBreaks) {
  EXPECT_EQ(XmlText("a<b> & \"c\"\t\r\n"), "a&lt;b&gt; &amp; &quot;c&quot;&#9;&#13;&#10;");
}

TEST(XmlText, ReplacesWhatXmlForbids) {
  EXPECT_EQ(XmlText(std::string("a\0b\x1b[31m", 8)), "a\uFFFDb\uFFFD[31m");
  EXPECT_EQ(XmlText("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_THAT(XmlText("\xED\xA0\x80 \xFF"), Not(HasSubstr("\xED\xA0")));  // a surrogate
  EXPECT_EQ(XmlText("\xF0\x9F\x98\x80 \xC3\xA4"), "\xF0\x9F\x98\x80 \xC3\xA4");
}

TEST(LintJunitTest, Golden) { ExpectGolden("lint.junit.xml", LintJunit(SampleLint(), Warnings)); }

TEST(LintJunitTest, WhatDoesNotFailIsOutputOfATestThatPasses) {
  const std::string xml = LintJunit(SampleLint(), Nothing);
  EXPECT_THAT(xml, Not(HasSubstr("<failure")));
  EXPECT_THAT(xml, HasSubstr("<system-out>plans/cascade.json:41: warning: "));
  EXPECT_THAT(xml, HasSubstr("failures=\"0\" errors=\"1\""));
}

TEST(LintJunitTest, FindingsOfOneOperatorAreOneFailure) {
  std::vector<LintedPlan> plans = SampleLint();
  Finding second = plans[0].findings[0];
  second.code = "ttl-mismatch";
  Finding note = second;
  note.code = "joinable-chain";
  note.severity = Severity::kInfo;
  plans[0].findings.push_back(second);
  plans[0].findings.push_back(note);
  const std::string xml = LintJunit(plans, Warnings);
  EXPECT_THAT(xml, HasSubstr("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"0\">"));
  EXPECT_THAT(xml, HasSubstr(" (and 1 more)\">"));
  EXPECT_THAT(xml, HasSubstr("warning: ttl-mismatch"));
  EXPECT_THAT(xml, HasSubstr("<system-out>plans/cascade.json:41: info: joinable-chain"));
}

TEST(LintJunitTest, AFindingOfNoKnownOperatorHasAPlaceOfItsOwn) {
  std::vector<LintedPlan> plans = SampleLint();
  plans[0].findings[0].node_id = 777;
  const std::string xml = LintJunit(plans, Warnings);
  EXPECT_THAT(xml, HasSubstr("name=\"other findings\""));
  EXPECT_THAT(xml, HasSubstr("failures=\"1\""));
}

}  // namespace
}  // namespace fss
