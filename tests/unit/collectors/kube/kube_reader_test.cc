#include "collectors/kube/kube_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

KubeObject ReadOne(KubeKind kind, const std::string& object) {
  const auto page =
      ReadKubePage(kind, {200, R"({"metadata":{"resourceVersion":"1"},"items":[)" + object + "]}"});
  EXPECT_TRUE(page.ok()) << (page.ok() ? "" : page.error().ToString());
  if (!page.ok() || page->objects.size() != 1) {
    ADD_FAILURE() << "not one object: " << object;
    return {};
  }
  return page->objects[0];
}

TEST(KubeReaderTest, AFlinkDeployment) {
  const KubeObject object = ReadOne(KubeKind::kFlinkDeployment, R"({
    "metadata":{"namespace":"team-a","name":"orders","uid":"u-1","resourceVersion":"77",
                "annotations":{"flink-state-sidecar/rest-url":"https://flink.example/orders",
                               "other":"x"}},
    "spec":{"flinkVersion":"v2_2","job":{"state":"running"},
            "flinkConfiguration":{"rest.port":"9091","security.ssl.rest.enabled":"true"}}})");
  EXPECT_EQ(object.Key(), "team-a/orders");
  EXPECT_EQ(object.uid, "u-1");
  EXPECT_EQ(object.resource_version, "77");
  EXPECT_EQ(object.rest_url, "https://flink.example/orders");
  EXPECT_EQ(object.rest_port, 9091);
  EXPECT_TRUE(object.rest_tls);
  EXPECT_FALSE(object.suspended);
}

TEST(KubeReaderTest, FlinkConfigurationMayBeNestedAndTyped) {
  const KubeObject object = ReadOne(KubeKind::kFlinkDeployment, R"({
    "metadata":{"namespace":"a","name":"b"},
    "spec":{"job":{"state":"suspended"},
            "flinkConfiguration":{"rest":{"port":9092},"security":{"ssl.rest":{"enabled":"true"}}}}})");
  EXPECT_EQ(object.rest_port, 9092);
  EXPECT_TRUE(object.rest_tls);
  EXPECT_TRUE(object.suspended);
}

TEST(KubeReaderTest, APortThatIsNoneIsNotKnown) {
  for (const char* port : {"\"8081x\"", "\"0\"", "\"70000\"", "\"-1\"", "true", "null", "[]"}) {
    const KubeObject object = ReadOne(
        KubeKind::kFlinkDeployment,
        std::string(R"({"metadata":{"name":"b"},"spec":{"flinkConfiguration":{"rest.port":)") +
            port + "}}}");
    EXPECT_FALSE(object.rest_port.has_value()) << port;
  }
}

TEST(KubeReaderTest, AService) {
  const KubeObject object = ReadOne(KubeKind::kService, R"({
    "metadata":{"namespace":"a","name":"orders-rest",
                "labels":{"app":"orders","type":"flink-native-kubernetes"}},
    "spec":{"ports":[{"name":"rest","port":8081},{"port":6123},{"name":"bad","port":0},7]}})");
  EXPECT_EQ(object.app, "orders");
  EXPECT_EQ(object.type, "flink-native-kubernetes");
  ASSERT_EQ(object.ports.size(), 2U);
  EXPECT_EQ(object.ports[0], (ServicePort{"rest", 8081}));
  EXPECT_EQ(object.ports[1], (ServicePort{"", 6123}));
}

TEST(KubeReaderTest, AFlinkSessionJob) {
  EXPECT_EQ(
      ReadOne(KubeKind::kFlinkSessionJob,
              R"({"metadata":{"namespace":"a","name":"j"},"spec":{"deploymentName":"session"}})")
          .deployment,
      "session");
}

TEST(KubeReaderTest, AnEmptyListMayBeNull) {
  const auto page = ReadKubePage(KubeKind::kService,
                                 {200, R"({"metadata":{"resourceVersion":"5"},"items":null})"});
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(page->objects.empty());
  EXPECT_EQ(page->resource_version, "5");
}

TEST(KubeReaderTest, RefusalsSayWhatTheServerSaid) {
  const auto page = ReadKubePage(
      KubeKind::kService,
      {403,
       R"({"kind":"Status","message":"services is forbidden: User \"x\" cannot list","code":403})"});
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().code, ErrorCode::kHttpStatus);
  EXPECT_EQ(page.error().message, R"(HTTP 403: services is forbidden: User "x" cannot list)");
  EXPECT_EQ(KubeRefusal({404, "404 page not found\n"}).code, ErrorCode::kNotFound);
  EXPECT_EQ(KubeRefusal({500, ""}).message, "HTTP 500");
}

TEST(KubeReaderTest, WhatIsNoListIsMalformed) {
  for (const char* body : {"", "{}", "[]", R"({"items":[]})", "ok", R"({"metadata":{}})"}) {
    const auto page = ReadKubePage(KubeKind::kService, {200, body});
    ASSERT_FALSE(page.ok()) << body;
    EXPECT_EQ(page.error().code, ErrorCode::kMalformed);
    EXPECT_EQ(page.error().message.find("Flink"), std::string::npos) << page.error().message;
  }
}

// {"nodes":[…]} as small as a plan can be.
constexpr const char* kPlan =
    R"({\"flinkVersion\":\"2.3\",\"nodes\":[{\"id\":1,\"type\":\"stream-exec-values_1\"}],\"edges\":[]})";

TEST(KubeReaderTest, PlansOfAConfigMap) {
  const KubeObject object =
      ReadOne(KubeKind::kConfigMap, std::string(R"({"metadata":{"namespace":"a","name":"plans",
        "annotations":{"flink-state-sidecar/cluster":"orders"}},
        "data":{"z.json":")") + kPlan + R"(","bad.json":"{"},"binaryData":{"b.gz":"AAAA"}})");
  EXPECT_EQ(object.cluster, "orders");
  ASSERT_EQ(object.plans.size(), 3U);
  EXPECT_EQ(object.plans[0].key, "b.gz");
  EXPECT_NE(object.plans[0].error, "");
  EXPECT_EQ(object.plans[1].key, "bad.json");
  EXPECT_EQ(object.plans[1].plan, nullptr);
  EXPECT_NE(object.plans[1].error, "");
  ASSERT_NE(object.plans[2].plan, nullptr) << object.plans[2].error;
  EXPECT_EQ(object.plans[2].plan->file, "a/plans/z.json");
  EXPECT_EQ(object.plans[2].plan->nodes.size(), 1U);
}

TEST(KubeReaderTest, GzippedPlans) {
  // gzip of the plan above, base64.
  const KubeObject object = ReadOne(KubeKind::kConfigMap, R"({
    "metadata":{"namespace":"a","name":"plans"},
    "binaryData":{"p.json.gz":"H4sIAAAAAAACAx3LQQqAIBAF0Lv8tQbWzoO0CQnJKSTTcCyK8O5F68d7MAcf154y+xSh0TYdBGJyxNDDA++glUC5d/qUSya7SbpokqcNB/GoUI0AueUPpr6lqmz9UgAAAA=="}})");
  ASSERT_EQ(object.plans.size(), 1U);
  ASSERT_NE(object.plans[0].plan, nullptr) << object.plans[0].error;
  EXPECT_EQ(object.plans[0].plan->flink_version, "2.3");
}

TEST(KubeReaderTest, EventsOfAWatch) {
  const auto event = ReadKubeEvent(
      KubeKind::kService,
      R"({"type":"DELETED","object":{"metadata":{"namespace":"a","name":"b","resourceVersion":"9"}}})");
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->type, KubeEvent::Type::kDeleted);
  EXPECT_EQ(event->object.Key(), "a/b");
  const auto error = ReadKubeEvent(
      KubeKind::kService,
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"message":"The resourceVersion is too old"}})");
  ASSERT_TRUE(error.ok());
  EXPECT_EQ(error->code, 410);
  EXPECT_EQ(error->message, "The resourceVersion is too old");
}

}  // namespace
}  // namespace fss
