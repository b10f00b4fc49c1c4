#include "collectors/kube/informer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fss {
namespace {

std::string Service(const std::string& name, int version) {
  return R"({"metadata":{"namespace":"ns","name":")" + name + R"(","resourceVersion":")" +
         std::to_string(version) + R"("},"spec":{"ports":[{"name":"rest","port":8081}]}})";
}

KubeAnswer Page(const std::vector<std::string>& objects, int version,
                const std::string& next = "") {
  std::string items;
  for (const std::string& object : objects) items += (items.empty() ? "" : ",") + object;
  return {200, R"({"kind":"ServiceList","metadata":{"resourceVersion":")" +
                   std::to_string(version) + R"(","continue":")" + next + R"("},"items":[)" +
                   items + "]}"};
}

std::string Event(const char* type, const std::string& object) {
  return std::string(R"({"type":")") + type + R"(","object":)" + object + "}";
}

KubeAnswer Refused(int status) {
  return {status, R"({"kind":"Status","message":"no","code":)" + std::to_string(status) + "}"};
}

const Error kBroken{ErrorCode::kUnreachable, "connection reset", ""};
const std::string kGoneEvent =
    R"({"type":"ERROR","object":{"kind":"Status","code":410,"message":"too old resource version"}})";

class InformerTest : public testing::Test {
 protected:
  explicit InformerTest(KubeKind kind = KubeKind::kService)
      : informer_({kind, "ns", "component=jobmanager"}, [] { return 0.5; }) {}

  // The request that is due now; fails the test when there is none.
  KubeRequest Asked() {
    const auto request = informer_.Next(now_);
    EXPECT_TRUE(request.has_value());
    return request.value_or(KubeRequest{});
  }
  void Listed(const std::vector<std::string>& names, int version) {
    std::vector<std::string> objects;
    for (const auto& name : names) objects.push_back(Service(name, 1));
    const KubeRequest request = Asked();
    EXPECT_FALSE(request.watch) << request.path;
    informer_.TakeDone(Page(objects, version), now_);
  }
  KubeRequest Watching() {
    const KubeRequest request = Asked();
    EXPECT_TRUE(request.watch) << request.path;
    informer_.TakeOpen();
    return request;
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    for (const auto& [key, object] : informer_.objects()) names.push_back(object.name);
    return names;
  }
  // Waits until a request is due; how long that took.
  std::int64_t Wait() {
    const std::int64_t from = now_;
    now_ = std::max(now_, informer_.NotBefore().value_or(now_));
    return now_ - from;
  }
  using Texts = std::vector<std::string>;

  Informer informer_;
  std::int64_t now_ = 1000;
};

TEST_F(InformerTest, ListsThenWatchesFromThere) {
  EXPECT_FALSE(informer_.synced());
  const KubeRequest list = Asked();
  EXPECT_EQ(list.path,
            "/api/v1/namespaces/ns/services?limit=250&labelSelector=component%3Djobmanager");
  EXPECT_FALSE(informer_.Next(now_).has_value()) << "one at a time";
  informer_.TakeDone(Page({Service("a", 1)}, 70), now_);
  EXPECT_TRUE(informer_.synced());
  EXPECT_EQ(Names(), Texts{"a"});
  const KubeRequest watch = Watching();
  EXPECT_NE(watch.path.find("resourceVersion=70"), std::string::npos) << watch.path;
  EXPECT_NE(watch.path.find("allowWatchBookmarks=true"), std::string::npos);
  EXPECT_NE(watch.path.find("timeoutSeconds="), std::string::npos);
  EXPECT_GT(watch.timeout, std::chrono::seconds(240)) << "ours is behind the server's";
}

TEST_F(InformerTest, PagesAreOneList) {
  (void)Asked();
  informer_.TakeDone(Page({Service("a", 1)}, 70, "next&page"), now_);
  EXPECT_FALSE(informer_.synced());
  EXPECT_TRUE(informer_.objects().empty()) << "half a list is none";
  EXPECT_NE(Asked().path.find("&continue=next%26page"), std::string::npos);
  informer_.TakeDone(Page({Service("b", 1)}, 70), now_);
  EXPECT_EQ(Names(), (Texts{"a", "b"}));
}

TEST_F(InformerTest, EventsChangeWhatIsKnown) {
  Listed({"a", "b"}, 70);
  (void)Watching();
  const std::uint64_t before = informer_.generation();
  EXPECT_TRUE(informer_.TakeLine(Event("ADDED", Service("c", 71))));
  EXPECT_TRUE(informer_.TakeLine(Event("MODIFIED", Service("a", 72))));
  EXPECT_TRUE(informer_.TakeLine(Event("DELETED", Service("b", 73))));
  EXPECT_EQ(Names(), (Texts{"a", "c"}));
  EXPECT_EQ(informer_.objects().at("ns/a").resource_version, "72");
  EXPECT_GT(informer_.generation(), before);
}

TEST_F(InformerTest, ABookmarkMovesTheVersionAlone) {
  Listed({"a"}, 70);
  (void)Watching();
  const std::uint64_t before = informer_.generation();
  EXPECT_TRUE(
      informer_.TakeLine(R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"99"}}})"));
  EXPECT_EQ(informer_.generation(), before);
  now_ += 240'000;
  informer_.TakeDone(KubeAnswer{200, ""}, now_);
  EXPECT_LE(Wait(), 1000) << "a watch whose time is over is followed by the next";
  EXPECT_NE(Watching().path.find("resourceVersion=99"), std::string::npos);
}

TEST_F(InformerTest, AnErrorEvent410ListsAgainAtOnce) {
  Listed({"a"}, 70);
  (void)Watching();
  now_ += 60'000;
  EXPECT_FALSE(informer_.TakeLine(kGoneEvent)) << "the watch is to be ended";
  informer_.TakeDone(KubeAnswer{200, ""}, now_);
  EXPECT_EQ(Names(), Texts{"a"}) << "what was known stays meanwhile";
  EXPECT_EQ(Wait(), 0);
  Listed({"b"}, 90);
  EXPECT_EQ(Names(), Texts{"b"}) << "what went while nobody looked is gone";
}

TEST_F(InformerTest, AStatus410ListsAgain) {
  Listed({"a"}, 70);
  (void)Asked();
  informer_.TakeDone(Refused(410), now_);
  Wait();
  EXPECT_FALSE(Asked().watch);
}

TEST_F(InformerTest, AnOldContinueTokenBeginsTheListAnew) {
  (void)Asked();
  informer_.TakeDone(Page({Service("a", 1)}, 70, "token"), now_);
  (void)Asked();
  informer_.TakeDone(Refused(410), now_);
  Wait();
  EXPECT_EQ(Asked().path.find("continue"), std::string::npos);
  informer_.TakeDone(Page({Service("b", 1)}, 80), now_);
  EXPECT_EQ(Names(), Texts{"b"}) << "not the first page of the list before";
}

TEST_F(InformerTest, AServerThatAlwaysSays410IsNotAskedInABusyLoop) {
  int requests = 0;
  for (const std::int64_t end = now_ + 120'000; now_ < end; Wait()) {
    const KubeRequest request = Asked();
    ++requests;
    if (!request.watch) {
      informer_.TakeDone(Page({}, 70), now_);
    } else {
      informer_.TakeOpen();
      (void)informer_.TakeLine(kGoneEvent);
      informer_.TakeDone(KubeAnswer{200, ""}, now_);
    }
    ++now_;
  }
  EXPECT_LE(requests, 30);
}

TEST_F(InformerTest, AWatchThatEndsAtOnceIsNotRepeatedInABusyLoop) {
  Listed({}, 70);
  int requests = 0;
  for (const std::int64_t end = now_ + 120'000; now_ < end; Wait(), ++now_) {
    (void)Asked();
    ++requests;
    informer_.TakeDone(KubeAnswer{200, ""}, now_);
  }
  EXPECT_LE(requests, 20);
}

TEST_F(InformerTest, ALostConnectionIsResumed) {
  Listed({"a"}, 70);
  (void)Watching();
  EXPECT_TRUE(informer_.TakeLine(Event("ADDED", Service("b", 75))));
  informer_.TakeDone(kBroken, now_);
  EXPECT_NE(informer_.trouble().find("connection reset"), std::string::npos);
  EXPECT_GE(Wait(), 500);
  EXPECT_EQ(Names(), (Texts{"a", "b"}));
  EXPECT_NE(Watching().path.find("resourceVersion=75"), std::string::npos);
  EXPECT_EQ(informer_.trouble(), "");
}

TEST_F(InformerTest, BackOffGrowsToHalfAMinuteAndIsOverWithSuccess) {
  std::int64_t longest = 0;
  std::int64_t first = 0;
  for (int i = 0; i < 12; ++i) {
    (void)Asked();
    informer_.TakeDone(kBroken, now_);
    const std::int64_t waited = Wait();
    if (i == 0) first = waited;
    longest = std::max(longest, waited);
  }
  EXPECT_EQ(first, 750);
  EXPECT_GE(longest, 15'000);
  EXPECT_LE(longest, 30'000);
  Listed({"a"}, 70);
  (void)Asked();
  informer_.TakeDone(kBroken, now_);
  EXPECT_LE(Wait(), 1000);
}

TEST_F(InformerTest, WhatTheServerAsksForIsWaited) {
  (void)Asked();
  KubeAnswer busy = Refused(429);
  busy.retry_after_ms = 60'000;
  informer_.TakeDone(busy, now_);
  EXPECT_EQ(Wait(), 60'000);
}

TEST_F(InformerTest, ARightThatIsTakenAwayTakesNothingAway) {
  Listed({"a"}, 70);
  (void)Asked();
  informer_.TakeDone(Refused(403), now_);
  EXPECT_EQ(Names(), Texts{"a"});
  EXPECT_NE(informer_.trouble().find("403"), std::string::npos);
  Wait();
  (void)Watching();
  EXPECT_EQ(informer_.trouble(), "") << "given back";
}

// After a restart kube-apiserver 1.37 adds to its 403 which roles it has not read yet.
TEST_F(InformerTest, ARefusalInOtherWordsIsTheSameTrouble) {
  (void)Asked();
  informer_.TakeDone(Refused(403), now_);
  const std::uint64_t said = informer_.generation();
  Wait();
  (void)Asked();
  KubeAnswer other = Refused(403);
  other.body = R"({"kind":"Status","message":"forbidden: RBAC: role not found"})";
  informer_.TakeDone(other, now_);
  EXPECT_EQ(informer_.generation(), said);
  Wait();
  (void)Asked();
  informer_.TakeDone(Refused(500), now_);
  EXPECT_NE(informer_.generation(), said);
  EXPECT_NE(informer_.trouble().find("500"), std::string::npos);
}

TEST_F(InformerTest, AMissingBuiltInKindIsTrouble) {
  (void)Asked();
  informer_.TakeDone(Refused(404), now_);
  EXPECT_NE(informer_.trouble(), "");
  EXPECT_FALSE(informer_.synced());
}

TEST_F(InformerTest, GarbageIsNoObjectAndEndsTheWatch) {
  (void)Asked();
  informer_.TakeDone(KubeAnswer{200, "<html>"}, now_);
  EXPECT_NE(informer_.trouble(), "");
  Wait();
  Listed({"a"}, 70);
  for (const char* line : {"", "{", "[]", R"({"type":"ADDED"})", R"({"type":"NEW","object":{}})",
                           R"({"type":"ADDED","object":{"metadata":{}}})"}) {
    (void)Watching();
    EXPECT_FALSE(informer_.TakeLine(line)) << line;
    informer_.TakeDone(KubeAnswer{200, ""}, now_);
    EXPECT_EQ(Names(), Texts{"a"});
    EXPECT_GT(Wait(), 0);
    Listed({"a"}, 70);
  }
}

class CrdInformerTest : public InformerTest {
 protected:
  CrdInformerTest() : InformerTest(KubeKind::kFlinkDeployment) {}
};

TEST_F(CrdInformerTest, AMissingCrdIsNoTroubleAndIsLookedForNowAndThen) {
  EXPECT_EQ(Asked().path,
            "/apis/flink.apache.org/v1beta1/namespaces/ns/flinkdeployments?limit=250"
            "&labelSelector=component%3Djobmanager");
  informer_.TakeDone(Refused(404), now_);
  EXPECT_TRUE(informer_.synced());
  EXPECT_EQ(informer_.trouble(), "");
  const std::int64_t waited = Wait();
  EXPECT_GE(waited, 30'000);
  EXPECT_LE(waited, 60'000);
  Listed({"a"}, 70);
  EXPECT_EQ(Names(), Texts{"a"}) << "installed meanwhile";
  (void)Asked();
  informer_.TakeDone(Refused(404), now_);
  EXPECT_TRUE(Names().empty()) << "and removed, with all that was of it";
}

}  // namespace
}  // namespace fss
