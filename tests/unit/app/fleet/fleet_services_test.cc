#include "sidecar/app/fleet/fleet_services.h"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sidecar/app/flags.h"

namespace fss {
namespace {

FoundPlan Plan(const std::string& file, const std::string& cluster = "") {
  CompiledPlan plan;
  plan.file = file;
  return {std::make_shared<const CompiledPlan>(std::move(plan)), cluster};
}

std::vector<std::string> Files(const PlanLibrary& library) {
  std::vector<std::string> files;
  for (const CompiledPlan& plan : library.plans) files.push_back(plan.file);
  return files;
}

using Texts = std::vector<std::string>;

TEST(FleetServicesTest, PlansForAllAndForOne) {
  const gflags::FlagSaver saver;
  const auto services = FleetServices::FromFlags();
  ASSERT_TRUE(services.ok());
  EXPECT_FALSE((*services)->plans_configured());
  EXPECT_TRUE((*services)->PlansOf("ns/a")->plans.empty());
  (*services)->SetFound({{Plan("z"), Plan("b", "ns/a"), Plan("a", "ns/a")}, {{"bad", "broken"}}});
  EXPECT_TRUE((*services)->plans_configured());
  EXPECT_EQ(Files(*(*services)->PlansOf("ns/a")), (Texts{"a", "b", "z"}));
  EXPECT_EQ(Files(*(*services)->PlansOf("ns/other")), Texts{"z"});
  EXPECT_EQ((*services)->plans_loaded(), 3U);
  EXPECT_EQ((*services)->plans_unreadable(), 1U);
}

TEST(FleetServicesTest, ALibraryIsTheSameUntilItChanges) {
  const gflags::FlagSaver saver;
  const auto services = FleetServices::FromFlags();
  ASSERT_TRUE(services.ok());
  (*services)->SetFound({{Plan("z"), Plan("b", "ns/a")}, {}});
  const auto all = (*services)->PlansOf("ns/x");
  const auto own = (*services)->PlansOf("ns/a");
  EXPECT_EQ((*services)->PlansOf("ns/y"), all) << "shared by all who have none of their own";
  EXPECT_EQ((*services)->PlansOf("ns/a"), own);
  EXPECT_NE(all->generation, own->generation) << "what was worked out from one is not the other's";
  (*services)->SetFound({{Plan("z")}, {}});
  EXPECT_NE((*services)->PlansOf("ns/x")->generation, all->generation);
  EXPECT_NE((*services)->PlansOf("ns/a")->generation, own->generation);
}

TEST(FleetServicesTest, NoHistoryFileNoStore) {
  const gflags::FlagSaver saver;
  const auto services = FleetServices::FromFlags();
  ASSERT_TRUE(services.ok());
  EXPECT_EQ((*services)->HistoryOf("ns/a"), nullptr);
}

TEST(FleetServicesTest, NamesTheFlagThatCannotBeUsed) {
  const gflags::FlagSaver saver;
  FLAGS_rules_file = "/nowhere/rules.yaml";
  const auto services = FleetServices::FromFlags();
  ASSERT_FALSE(services.ok());
  EXPECT_EQ(services.error().context, "--rules_file");
}

}  // namespace
}  // namespace fss
