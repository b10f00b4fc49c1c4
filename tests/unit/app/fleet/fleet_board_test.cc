#include "sidecar/app/fleet/fleet_board.h"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include "sidecar/app/flags.h"

namespace fss {
namespace {

using Names = std::vector<std::string>;

class FleetBoardTest : public testing::Test {
 protected:
  void Make(Shard shard, bool elects) {
    auto services = FleetServices::FromFlags();
    ASSERT_TRUE(services.ok());
    services_ = *std::move(services);
    BoardHooks hooks;
    hooks.set_targets = [this](const std::vector<ClusterTarget>& targets) {
      targets_.clear();
      for (const ClusterTarget& target : targets) targets_.push_back(target.name);
    };
    hooks.forget = [this](const std::string& cluster, bool deleted) {
      forgotten_.push_back(cluster + (deleted ? " deleted" : " left"));
    };
    hooks.show = [this](std::shared_ptr<const Fleet> fleet, bool ready) {
      shown_ = std::move(fleet);
      ready_ = ready;
    };
    board_ = std::make_unique<FleetBoard>(shard, elects, services_.get(), std::move(hooks));
  }
  void See(const Names& clusters, const std::string& trouble = "") {
    KubeView view;
    for (const std::string& name : clusters) {
      view.clusters.push_back({name, {"http://x:1"}, {"v1", "Service", "ns", name, "uid-" + name}});
    }
    view.plans_changed = false;
    view.asked = true;
    view.troubles["services"] = trouble;
    board_->SetView(std::move(view));
  }

  gflags::FlagSaver saver_;
  std::unique_ptr<FleetServices> services_;
  std::unique_ptr<FleetBoard> board_;
  Names targets_;
  Names forgotten_;
  std::shared_ptr<const Fleet> shown_;
  bool ready_ = false;
};

TEST_F(FleetBoardTest, WhatIsFoundIsPolled) {
  Make({}, /*elects=*/false);
  See({"ns/a", "ns/b"});
  EXPECT_EQ(targets_, (Names{"ns/a", "ns/b"}));
  EXPECT_TRUE(ready_);
  EXPECT_EQ(board_->RegardingOf("ns/a").uid, "uid-ns/a");
  EXPECT_EQ(board_->RegardingOf("ns/z").kind, "");
  See({"ns/b"});
  EXPECT_EQ(targets_, Names{"ns/b"});
  EXPECT_EQ(forgotten_, Names{"ns/a deleted"});
  EXPECT_EQ(shown_->own.stats.clusters, 1U);
  EXPECT_FALSE(shown_->own.stats.leader.has_value()) << "nobody elects";
}

TEST_F(FleetBoardTest, BeforeTheLeaderIsKnownNothingIsPolledOrReady) {
  Make({}, /*elects=*/true);
  See({"ns/a"});
  EXPECT_TRUE(targets_.empty());
  EXPECT_FALSE(ready_);
  board_->SetLeads(false);
  EXPECT_TRUE(ready_) << "ready to take over";
  EXPECT_TRUE(targets_.empty());
  EXPECT_EQ(shown_->own.stats.leader, false);
  EXPECT_EQ(shown_->own.stats.clusters, 0U);
  board_->SetLeads(true);
  EXPECT_EQ(targets_, Names{"ns/a"});
  board_->SetLeads(false);
  EXPECT_TRUE(targets_.empty());
  EXPECT_EQ(forgotten_, Names{"ns/a left"}) << "its alerts are another's now, they are not over";
}

TEST_F(FleetBoardTest, OnlyItsOwnShare) {
  Names all;
  for (int i = 0; i < 50; ++i) all.push_back("ns/" + std::to_string(i));
  Make({0, 2}, false);
  See(all);
  const Names first = targets_;
  Make({1, 2}, false);
  See(all);
  EXPECT_EQ(first.size() + targets_.size(), 50U);
}

TEST_F(FleetBoardTest, TroubleIsSeen) {
  Make({}, false);
  See({"ns/a"});
  EXPECT_EQ(shown_->own.stats.collector_success.at("kubernetes"), true);
  See({"ns/a"}, "HTTP 403: no");
  EXPECT_EQ(shown_->own.stats.collector_success.at("kubernetes"), false);
  EXPECT_EQ(shown_->own.report->health.last_error, "services: HTTP 403: no");
  EXPECT_EQ(targets_, Names{"ns/a"});
}

}  // namespace
}  // namespace fss
