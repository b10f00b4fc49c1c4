#include "sidecar/analysis/plan_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kRocksDb = "EmbeddedRocksDBStateBackend";

PlanLibrary LibraryOf(std::uint64_t generation, std::int64_t ttl) {
  PlanLibrary library;
  library.generation = generation;
  library.plans = {sample::Totals("totals.json", ttl)};
  return library;
}

bool Forever(const std::vector<PlanFindings::FoundBy>& found) {
  return std::ranges::any_of(found,
                             [](const auto& by) { return by.finding.code == "forever-state"; });
}

TEST(PlanFindingsTest, KeepsThemWhileLibraryAndVersionStay) {
  PlanFindings findings;
  const PlanLibrary library = LibraryOf(1, 0);
  findings.Begin(library, "2.3.0");
  const auto* first = &findings.Of(library.plans[0], kRocksDb, {});
  EXPECT_TRUE(Forever(*first));
  findings.End();
  findings.Begin(library, "2.3.0");
  EXPECT_EQ(&findings.Of(library.plans[0], kRocksDb, {}), first);
}

TEST(PlanFindingsTest, AnotherLibraryIsLookedAtAnew) {
  PlanFindings findings;
  const PlanLibrary before = LibraryOf(1, 0);
  findings.Begin(before, "2.3.0");
  EXPECT_TRUE(Forever(findings.Of(before.plans[0], kRocksDb, {})));
  findings.End();
  const PlanLibrary after = LibraryOf(2, kMillisPerDay);
  findings.Begin(after, "2.3.0");
  EXPECT_FALSE(Forever(findings.Of(after.plans[0], kRocksDb, {})));
}

TEST(PlanFindingsTest, NothingIsKeptWhereNobodyCountsLibraries) {
  PlanFindings findings;
  const PlanLibrary before = LibraryOf(0, 0);
  findings.Begin(before, "2.3.0");
  EXPECT_TRUE(Forever(findings.Of(before.plans[0], kRocksDb, {})));
  findings.End();
  const PlanLibrary after = LibraryOf(0, kMillisPerDay);
  findings.Begin(after, "2.3.0");
  EXPECT_FALSE(Forever(findings.Of(after.plans[0], kRocksDb, {})));
}

TEST(PlanFindingsTest, AnotherVersionGivesOtherAdvice) {
  PlanFindings findings;
  const PlanLibrary library = LibraryOf(1, 0);
  findings.Begin(library, "2.3.0");
  const std::string now = findings.Of(library.plans[0], kRocksDb, {})[0].finding.advice.Text();
  findings.End();
  findings.Begin(library, "1.20.5");
  EXPECT_NE(findings.Of(library.plans[0], kRocksDb, {})[0].finding.advice.Text(), now);
}

TEST(PlanFindingsTest, TextsNameOperatorsAsTheJobRunsThem) {
  PlanFindings findings;
  const PlanLibrary library = LibraryOf(1, 0);
  findings.Begin(library, "2.3.0");
  const std::string plan = findings.Of(library.plans[0], kRocksDb, {})[0].finding.message;
  const std::string job = findings.Of(library.plans[0], kRocksDb, {{4, 52}})[0].finding.message;
  EXPECT_THAT(plan, HasSubstr("GroupAggregate[4]"));
  EXPECT_THAT(job, HasSubstr("GroupAggregate[52]"));
  EXPECT_THAT(job, Not(HasSubstr("GroupAggregate[4]")));
}

}  // namespace
}  // namespace fss
