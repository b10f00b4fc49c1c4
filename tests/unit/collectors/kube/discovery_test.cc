#include "collectors/kube/discovery.h"

#include <gtest/gtest.h>

#include <deque>

namespace fss {
namespace {

// Objects that live as long as the test.
class Objects {
 public:
  KubeObject& Deployment(const std::string& ns, const std::string& name) {
    return Add(&view_.deployments, ns, name);
  }
  KubeObject& SessionJob(const std::string& ns, const std::string& name,
                         const std::string& deployment) {
    KubeObject& job = Add(&view_.session_jobs, ns, name);
    job.deployment = deployment;
    return job;
  }
  KubeObject& Service(const std::string& ns, const std::string& name,
                      std::vector<ServicePort> ports) {
    KubeObject& service = Add(&view_.services, ns, name);
    service.ports = std::move(ports);
    return service;
  }
  KubeObject& ConfigMap(const std::string& ns, const std::string& name) {
    return Add(&view_.config_maps, ns, name);
  }
  std::vector<ClusterTarget> Clusters() const { return FindClusters(view_); }
  KubePlans Plans() const { return FindPlans(view_); }

 private:
  KubeObject& Add(std::vector<const KubeObject*>* list, const std::string& ns,
                  const std::string& name) {
    KubeObject& object = objects_.emplace_back();
    object.namespace_name = ns;
    object.name = name;
    object.uid = "uid-" + name;
    list->push_back(&object);
    return object;
  }
  std::deque<KubeObject> objects_;
  KubeObjects view_;
};

using Urls = std::vector<std::string>;

TEST(DiscoveryTest, NothingIsNothing) { EXPECT_TRUE(Objects().Clusters().empty()); }

TEST(DiscoveryTest, ADeploymentAloneHasFlinksService) {
  Objects objects;
  objects.Deployment("team-a", "orders");
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters[0].name, "team-a/orders");
  EXPECT_EQ(clusters[0].urls, Urls{"http://orders-rest.team-a.svc:8081"});
  EXPECT_EQ(clusters[0].regarding, (ObjectReference{"flink.apache.org/v1beta1", "FlinkDeployment",
                                                    "team-a", "orders", "uid-orders"}));
}

TEST(DiscoveryTest, ADeploymentAndItsServicesAndJobsAreOneCluster) {
  Objects objects;
  objects.Deployment("a", "orders").rest_port = 9999;
  KubeObject& rest = objects.Service("a", "orders-rest", {{"rest", 9091}});
  rest.app = "orders";
  rest.type = "flink-native-kubernetes";
  KubeObject& internal = objects.Service("a", "orders", {{"jobmanager-rpc", 6123}});
  internal.app = "orders";
  internal.type = "flink-native-kubernetes";
  objects.SessionJob("a", "one", "orders");
  objects.SessionJob("a", "two", "orders");
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters[0].urls, Urls{"http://orders-rest.a.svc:9091"})
      << "what the Service listens on";
  EXPECT_EQ(clusters[0].regarding.kind, "FlinkDeployment");
}

TEST(DiscoveryTest, EqualNamesInTwoNamespacesAreTwo) {
  Objects objects;
  objects.Deployment("b", "orders");
  objects.Deployment("a", "orders");
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 2U);
  EXPECT_EQ(clusters[0].name, "a/orders");
  EXPECT_EQ(clusters[1].name, "b/orders");
}

TEST(DiscoveryTest, ServicesAsFlinksExamplesHaveThem) {
  Objects objects;
  objects.Service("x", "flink-jobmanager", {{"rpc", 6123}, {"blob-server", 6124}, {"webui", 8082}});
  objects.Service("x", "flink-jobmanager-rest", {{"rest", 8081}});
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 1U) << "both are the same JobManager";
  EXPECT_EQ(clusters[0].name, "x/flink-jobmanager");
  EXPECT_EQ(clusters[0].urls, Urls{"http://flink-jobmanager-rest.x.svc:8081"});
  EXPECT_EQ(clusters[0].regarding.kind, "Service");
  EXPECT_EQ(clusters[0].regarding.name, "flink-jobmanager-rest");
}

TEST(DiscoveryTest, APortWithoutANameIsKnownByItsNumber) {
  Objects objects;
  objects.Service("x", "jm", {{"", 6123}, {"", 8081}});
  objects.Service("x", "other", {{"", 6123}});
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 1U) << "a Service without REST is no cluster";
  EXPECT_EQ(clusters[0].urls, Urls{"http://jm.x.svc:8081"});
}

TEST(DiscoveryTest, TheAnnotationDecidesTheAddress) {
  Objects objects;
  objects.Service("x", "jm", {}).rest_url = "http://127.0.0.1:4711";
  objects.Deployment("x", "d").rest_url = "http://by-deployment:1";
  objects.Service("x", "d-rest", {{"rest", 8081}}).rest_url = "http://by-service:2";
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 2U);
  EXPECT_EQ(clusters[0].urls, Urls{"http://by-deployment:1"});
  EXPECT_EQ(clusters[1].name, "x/jm");
  EXPECT_EQ(clusters[1].urls, Urls{"http://127.0.0.1:4711"});
  EXPECT_EQ(clusters[1].regarding.name, "jm");
}

TEST(DiscoveryTest, ASuspendedDeploymentIsNotPolled) {
  Objects objects;
  objects.Deployment("x", "d").suspended = true;
  objects.Service("x", "d-rest", {{"rest", 8081}});
  EXPECT_TRUE(objects.Clusters().empty()) << "nobody is to be woken for it";
}

TEST(DiscoveryTest, TlsOfTheDeployment) {
  Objects objects;
  objects.Deployment("x", "d").rest_tls = true;
  EXPECT_EQ(objects.Clusters()[0].urls, Urls{"https://d-rest.x.svc:8081"});
}

TEST(DiscoveryTest, ASessionJobTellsOfACluster) {
  Objects objects;
  objects.SessionJob("x", "job", "session");
  const auto clusters = objects.Clusters();
  ASSERT_EQ(clusters.size(), 1U);
  EXPECT_EQ(clusters[0].urls, Urls{"http://session-rest.x.svc:8081"});
  EXPECT_EQ(clusters[0].regarding.kind, "") << "no Event can be attached";
}

TEST(DiscoveryTest, PlansAndWhoseTheyAre) {
  Objects objects;
  const auto plan = [](const std::string& file) {
    CompiledPlan compiled;
    compiled.file = file;
    return std::make_shared<const CompiledPlan>(std::move(compiled));
  };
  objects.ConfigMap("b", "free").plans = {{"z", plan("b/free/z"), ""}, {"bad", nullptr, "broken"}};
  KubeObject& bound = objects.ConfigMap("a", "bound");
  bound.cluster = "orders";
  bound.plans = {{"p", plan("a/bound/p"), ""}};
  KubeObject& far = objects.ConfigMap("a", "far");
  far.cluster = "b/orders";
  far.plans = {{"p", plan("a/far/p"), ""}};
  const KubePlans plans = objects.Plans();
  ASSERT_EQ(plans.plans.size(), 3U);
  EXPECT_EQ(plans.plans[0].plan->file, "a/bound/p");
  EXPECT_EQ(plans.plans[0].cluster, "a/orders");
  EXPECT_EQ(plans.plans[1].cluster, "b/orders");
  EXPECT_EQ(plans.plans[2].cluster, "");
  ASSERT_EQ(plans.unreadable.size(), 1U);
  EXPECT_EQ(plans.unreadable[0].file, "b/free/bad");
}

}  // namespace
}  // namespace fss
