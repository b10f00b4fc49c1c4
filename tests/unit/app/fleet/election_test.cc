#include "sidecar/app/fleet/election.h"

#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

const std::string kTime = "2026-11-30T12:00:00.000000Z";

// The server: one Lease, whose version changes with each write; a write of an old version fails.
struct Server {
  std::optional<Lease> lease;
  int version = 0;

  bool Write(Election* election, const Lease& wanted, std::int64_t now) {
    if (lease && wanted.resource_version != lease->resource_version) return false;
    lease = wanted;
    lease->resource_version = std::to_string(++version);
    election->Wrote(*lease, now);
    return true;
  }
  // A whole round; whether it leads afterwards.
  bool Round(Election* election, std::int64_t now) {
    election->Saw(lease, now);
    if (const auto wanted = election->Wanted(now, kTime)) Write(election, *wanted, now);
    return election->Leads(now);
  }
};

TEST(ElectionTest, TheFirstTakesItAndTheOtherWaits) {
  Server server;
  Election a({.identity = "a"});
  Election b({.identity = "b"});
  EXPECT_FALSE(a.Leads(0));
  EXPECT_FALSE(a.knows());
  EXPECT_TRUE(server.Round(&a, 0));
  EXPECT_FALSE(server.Round(&b, 100));
  EXPECT_TRUE(b.knows());
  EXPECT_EQ(b.holder(), "a");
  EXPECT_EQ(server.lease->holder, "a");
  EXPECT_EQ(server.lease->duration_seconds, 15);
  EXPECT_EQ(server.lease->transitions, 0);
}

TEST(ElectionTest, AsLongAsItIsRenewedNobodyElseTakesIt) {
  Server server;
  Election a({.identity = "a"});
  Election b({.identity = "b"});
  for (std::int64_t now = 0; now < 120'000; now += 2000) {
    EXPECT_TRUE(server.Round(&a, now));
    EXPECT_FALSE(server.Round(&b, now + 500));
  }
}

TEST(ElectionTest, AnotherTakesOverWithinTheLeaseTime) {
  Server server;
  Election a({.identity = "a"});
  Election b({.identity = "b"});
  server.Round(&a, 0);
  std::int64_t taken = 0;
  for (std::int64_t now = 500; taken == 0 && now < 60'000; now += 2000) {
    if (server.Round(&b, now)) taken = now;
  }
  EXPECT_GT(taken, 15'000);
  EXPECT_LE(taken, 18'000);
  EXPECT_EQ(server.lease->transitions, 1);
  EXPECT_FALSE(a.Leads(taken)) << "never two at once";
  EXPECT_FALSE(server.Round(&a, taken + 100));
}

TEST(ElectionTest, WhoCannotRenewStopsBeforeAnotherMayTakeIt) {
  Server server;
  Election a({.identity = "a"});
  server.Round(&a, 0);
  EXPECT_TRUE(a.Leads(9999));
  EXPECT_FALSE(a.Leads(10'000));
  EXPECT_TRUE(server.Round(&a, 12'000)) << "nobody took it: it leads again";
}

TEST(ElectionTest, AReplacedLeaseEndsTheTermAtOnce) {
  Server server;
  Election a({.identity = "a"});
  server.Round(&a, 0);
  server.lease->holder = "somebody";
  server.lease->resource_version = "900";
  a.Saw(server.lease, 1000);
  EXPECT_FALSE(a.Leads(1000));
  EXPECT_FALSE(a.Wanted(2000, kTime).has_value());
}

TEST(ElectionTest, OfTwoThatWriteAtOnceOneLoses) {
  Server server;
  Election a({.identity = "a"});
  Election b({.identity = "b"});
  server.Round(&a, 0);
  (void)a.Release(kTime);
  server.lease->holder.clear();
  server.lease->resource_version = "7";
  a.Saw(server.lease, 100);
  b.Saw(server.lease, 100);
  const auto by_a = a.Wanted(100, kTime);
  const auto by_b = b.Wanted(100, kTime);
  ASSERT_TRUE(by_a && by_b);
  EXPECT_TRUE(server.Write(&a, *by_a, 100));
  EXPECT_FALSE(server.Write(&b, *by_b, 100));
  EXPECT_TRUE(a.Leads(200));
  EXPECT_FALSE(b.Leads(200));
}

TEST(ElectionTest, WhoLeavesHandsItBack) {
  Server server;
  Election a({.identity = "a"});
  Election b({.identity = "b"});
  server.Round(&a, 0);
  server.Round(&b, 500);
  const auto released = a.Release(kTime);
  ASSERT_TRUE(released.has_value());
  EXPECT_FALSE(a.Leads(600));
  server.lease = *released;
  server.lease->resource_version = "8";
  EXPECT_TRUE(server.Round(&b, 700)) << "without waiting for the lease to run out";
  EXPECT_FALSE(b.Release(kTime) == std::nullopt);
  EXPECT_FALSE(b.Release(kTime).has_value()) << "once";
}

TEST(ElectionTest, ALongerLeaseOfAnotherIsRespected) {
  Server server;
  server.lease = Lease{};
  server.lease->holder = "x";
  server.lease->duration_seconds = 60;
  server.lease->resource_version = "1";
  Election a({.identity = "a"});
  EXPECT_FALSE(server.Round(&a, 0));
  EXPECT_FALSE(server.Round(&a, 59'000));
  EXPECT_TRUE(server.Round(&a, 61'000));
}

}  // namespace
}  // namespace fss
