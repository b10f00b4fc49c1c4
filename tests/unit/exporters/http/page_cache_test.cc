#include "exporters/http/page_cache.h"

#include <gtest/gtest.h>

#include "tests/unit/exporters/sample_report.h"

namespace fss {
namespace {

std::shared_ptr<const Fleet> NewFleet() {
  return FleetOf(std::make_shared<const Report>(SampleReport()), SampleStats());
}

TEST(PageCacheTest, TheSameFleetIsRenderedOnce) {
  PageCache cache;
  const auto fleet = NewFleet();
  EXPECT_EQ(cache.Of(fleet), cache.Of(fleet));
}

TEST(PageCacheTest, AnotherFleetIsShownWhenThePageIsASecondOld) {
  PageCache::SteadyClock::time_point now{};
  PageCache cache([&now] { return now; });
  const auto first = cache.Of(NewFleet());
  now += std::chrono::milliseconds(900);
  EXPECT_EQ(cache.Of(NewFleet()), first);
  now += std::chrono::milliseconds(200);
  EXPECT_NE(cache.Of(NewFleet()), first);
}

TEST(PageCacheTest, APageThatTakesLongIsKeptLonger) {
  PageCache::SteadyClock::time_point now{};
  // Every look at the clock takes half a second: so does rendering.
  PageCache cache([&now] { return now += std::chrono::milliseconds(500); });
  const auto first = cache.Of(NewFleet());
  now += std::chrono::milliseconds(4000);
  EXPECT_EQ(cache.Of(NewFleet()), first) << "a tenth of the time at most";
  now += std::chrono::milliseconds(2000);
  EXPECT_NE(cache.Of(NewFleet()), first);
}

TEST(PageCacheTest, OldReportsAreNotKept) {
  PageCache cache;
  auto fleet = NewFleet();
  (void)cache.Of(fleet);
  const std::weak_ptr<const Fleet> watched = fleet;
  fleet.reset();
  EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace fss
