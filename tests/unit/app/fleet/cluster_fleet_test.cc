#include "sidecar/app/fleet/cluster_fleet.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>

namespace fss {
namespace {

using std::chrono::milliseconds;

// Clusters that answer, do not, or hang until they are let go.
struct World {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::string, int> polls;
  std::map<std::string, int> made;
  std::set<std::string> down;
  std::set<std::string> hanging;
  std::vector<std::string> published;
  std::atomic<bool> may_poll{true};

  bool Wait(const std::function<bool()>& condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, std::chrono::seconds(20), condition);
  }
  int Polls(const std::string& name) {
    const std::lock_guard lock(mutex);
    return polls[name];
  }
  int Made(const std::string& name) {
    const std::lock_guard lock(mutex);
    return made[name];
  }
  void Change(const std::function<void()>& change) {
    const std::lock_guard lock(mutex);
    change();
    changed.notify_all();
  }
};

class FakePoller : public ClusterPoller {
 public:
  FakePoller(World* world, std::string name) : world_(*world), name_(std::move(name)) {}
  ClusterView Poll() override {
    std::unique_lock lock(world_.mutex);
    ++world_.polls[name_];
    world_.changed.notify_all();
    world_.changed.wait(lock, [this] { return !world_.hanging.contains(name_) || cancelled_; });
    auto report = std::make_shared<Report>();
    report->cluster = name_;
    report->health.up = !world_.down.contains(name_);
    return {std::move(report), {}};
  }
  void Cancel() override {
    world_.Change([this] { cancelled_ = true; });
  }

 private:
  World& world_;
  const std::string name_;
  bool cancelled_ = false;
};

ClusterTarget Target(const std::string& name, const std::string& url = "http://x:8081") {
  return {name, {url}, {}};
}

class ClusterFleetTest : public testing::Test {
 protected:
  std::unique_ptr<ClusterFleet> Fleet(std::int64_t interval_ms = 20) {
    FleetHooks hooks;
    hooks.make = [this](const ClusterTarget& target) {
      world_.Change([&] { ++world_.made[target.name]; });
      return std::make_unique<FakePoller>(&world_, target.name);
    };
    hooks.may_poll = [this] { return world_.may_poll.load(); };
    hooks.publish = [this](std::vector<std::shared_ptr<const ClusterView>> views) {
      world_.Change([&] {
        world_.published.clear();
        for (const auto& view : views) world_.published.push_back(view->report->cluster);
      });
    };
    return std::make_unique<ClusterFleet>(FleetOptions{interval_ms, 4}, std::move(hooks),
                                          SystemClock());
  }
  World world_;
};

TEST_F(ClusterFleetTest, EachIsPolledAgainAndAgain) {
  const auto fleet = Fleet();
  fleet->SetTargets({Target("b"), Target("a")});
  EXPECT_TRUE(world_.Wait([&] { return world_.polls["a"] > 3 && world_.polls["b"] > 3; }));
  EXPECT_TRUE(world_.Wait([&] {
    return world_.published == std::vector<std::string>{"a", "b"};
  })) << "by name";
}

TEST_F(ClusterFleetTest, ThoseThatHangHoldNoOther) {
  // First they answer nothing for a while, and are known for it.
  world_.down = {"h1", "h2", "h3", "h4", "h5", "h6"};
  const auto fleet = Fleet();
  std::vector<ClusterTarget> targets{Target("a")};
  for (const char* name : {"h1", "h2", "h3", "h4", "h5", "h6"}) targets.push_back(Target(name));
  fleet->SetTargets(targets);
  ASSERT_TRUE(world_.Wait([&] {
    for (const std::string& name : world_.down) {
      if (world_.polls[name] == 0) return false;
    }
    return true;
  }));
  std::this_thread::sleep_for(milliseconds(50));
  world_.Change([&] { world_.hanging = world_.down; });
  std::this_thread::sleep_for(milliseconds(200));
  const int before = world_.Polls("a");
  EXPECT_TRUE(world_.Wait([&] { return world_.polls["a"] > before + 3; }));
  world_.Change([&] { world_.hanging.clear(); });
}

TEST_F(ClusterFleetTest, ClustersComeAndGo) {
  const auto fleet = Fleet();
  fleet->SetTargets({Target("a"), Target("b")});
  ASSERT_TRUE(world_.Wait([&] { return world_.published.size() == 2; }));
  fleet->SetTargets({Target("b"), Target("c")});
  ASSERT_TRUE(world_.Wait([&] { return world_.published == std::vector<std::string>{"b", "c"}; }));
  const int before = world_.Polls("a");
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(world_.Polls("a"), before);
  EXPECT_EQ(world_.Made("b"), 1) << "what stays keeps what it knows";
}

TEST_F(ClusterFleetTest, AnotherAddressIsAnotherPoller) {
  const auto fleet = Fleet();
  fleet->SetTargets({Target("a", "http://one:1")});
  fleet->SetTargets({Target("a", "http://one:1")});
  EXPECT_EQ(world_.Made("a"), 1);
  fleet->SetTargets({Target("a", "http://two:2")});
  EXPECT_EQ(world_.Made("a"), 2);
}

TEST_F(ClusterFleetTest, NothingIsPolledBeforeItMayBe) {
  world_.may_poll = false;
  const auto fleet = Fleet();
  fleet->SetTargets({Target("a")});
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(world_.Polls("a"), 0);
  world_.may_poll = true;
  fleet->Wake();
  EXPECT_TRUE(world_.Wait([&] { return world_.polls["a"] > 0; }));
}

TEST_F(ClusterFleetTest, ARemovedOneThatHangsIsCancelled) {
  world_.hanging = {"a"};
  const auto fleet = Fleet();
  fleet->SetTargets({Target("a")});
  ASSERT_TRUE(world_.Wait([&] { return world_.polls["a"] == 1; }));
  fleet->SetTargets({});
  EXPECT_TRUE(fleet->Stop(10'000));
  EXPECT_TRUE(world_.published.empty()) << "its poll came too late to be shown";
}

}  // namespace
}  // namespace fss
