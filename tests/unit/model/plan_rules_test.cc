#include "sidecar/model/plan_rules.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace fss {
namespace {

// The codes of docs/findings.md that a plan alone shows: "## `code`", then a line "*Plan and …".
std::vector<std::string> DocumentedCodes() {
  std::ifstream page(std::string(FSS_TEST_DATA) + "/../../docs/findings.md");
  EXPECT_TRUE(page);
  std::vector<std::string> codes;
  std::string heading;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## `")) heading = line.substr(4, line.rfind('`') - 4);
    if (line.starts_with("*Plan") && !heading.empty()) codes.push_back(heading);
  }
  return codes;
}

TEST(PlanRules, AreThoseOfTheDocumentation) {
  std::vector<std::string> codes;
  for (const PlanRule& rule : AllPlanRules()) codes.emplace_back(rule.code);
  EXPECT_EQ(codes, DocumentedCodes());
}

TEST(PlanRules, SayEverything) {
  for (const PlanRule& rule : AllPlanRules()) {
    EXPECT_FALSE(rule.title.empty() || rule.title.ends_with('.')) << rule.code;
    EXPECT_TRUE(rule.meaning.ends_with('.')) << rule.code;
    EXPECT_TRUE(rule.remedy.ends_with('.')) << rule.code;
  }
}

}  // namespace
}  // namespace fss
