#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "exporters/json/report_json.h"
#include "tests/unit/exporters/sample_report.h"

namespace fss {
namespace {

Fleet TwoClusters() {
  Fleet fleet;
  fleet.discovered = true;
  for (const char* name : {"ns/a", "ns/b"}) {
    auto report = std::make_shared<Report>(SampleReport());
    report->cluster = name;
    for (JobReport& job : report->jobs) job.cluster = name;
    fleet.clusters.push_back(
        std::make_shared<const ClusterView>(ClusterView{std::move(report), {}}));
  }
  return fleet;
}

template <typename Write>
rapidjson::Document Document(const Write& write, const Fleet& fleet,
                             const JsonFilter& filter = {}) {
  const std::string text = JsonText([&](JsonSink sink) { write(fleet, filter, std::move(sink)); });
  rapidjson::Document document;
  document.Parse(text.data(), text.size());
  EXPECT_FALSE(document.HasParseError()) << text;
  return document;
}

TEST(FleetJsonTest, JobsOfAllClusters) {
  const std::size_t each = SampleReport().jobs.size();
  EXPECT_EQ(Document(WriteJobsJson, TwoClusters())["jobs"].Size(), 2 * each);
  const auto one = Document(WriteJobsJson, TwoClusters(), {"ns/b", ""});
  ASSERT_EQ(one["jobs"].Size(), each);
  EXPECT_STREQ(one["jobs"][0]["cluster"].GetString(), "ns/b");
  EXPECT_EQ(Document(WriteJobsJson, TwoClusters(), {"ns/c", ""})["jobs"].Size(), 0U);
}

TEST(FleetJsonTest, FindingsNameTheirCluster) {
  const auto document = Document(WriteFindingsJson, TwoClusters(), {"ns/b", ""});
  ASSERT_GT(document["findings"].Size(), 0U);
  EXPECT_STREQ(document["findings"][0]["cluster"].GetString(), "ns/b");
  Fleet single = TwoClusters();
  single.discovered = false;
  EXPECT_FALSE(Document(WriteFindingsJson, single)["findings"][0].HasMember("cluster"));
}

TEST(FleetJsonTest, TheGravestFindingsOfAllClustersAreFirst) {
  const auto document = Document(WriteFindingsJson, TwoClusters(), {{}, {}, 2});
  ASSERT_EQ(document["findings"].Size(), 2U);
  for (const auto& [at, cluster] : {std::pair(0U, "ns/a"), std::pair(1U, "ns/b")}) {
    EXPECT_STREQ(document["findings"][at]["severity"].GetString(), "critical");
    EXPECT_STREQ(document["findings"][at]["cluster"].GetString(), cluster);
  }
  EXPECT_EQ(document["total"].GetUint64(), 2 * SampleReport().findings.size());
}

TEST(FleetJsonTest, OneThatDoesNotAnswerIsSeenAndSaidWhich) {
  Fleet fleet = TwoClusters();
  auto down = std::make_shared<Report>(*fleet.clusters[1]->report);
  down->health.up = false;
  down->health.stale = true;
  down->health.last_error = "refused";
  fleet.clusters[1] = std::make_shared<const ClusterView>(ClusterView{std::move(down), {}});
  const auto document = Document(WriteClustersJson, fleet);
  EXPECT_FALSE(document["up"].GetBool());
  EXPECT_TRUE(document["stale"].GetBool());
  EXPECT_STREQ(document["error"].GetString(), "refused");
  ASSERT_EQ(document["clusters"].Size(), 2U);
  EXPECT_TRUE(document["clusters"][0]["up"].GetBool());
  EXPECT_FALSE(document["clusters"][1]["up"].GetBool());
  EXPECT_STREQ(document["clusters"][1]["cluster"].GetString(), "ns/b");
  EXPECT_EQ(document["clusters"][1]["jobs"].GetUint64(), SampleReport().jobs.size());
}

TEST(FleetJsonTest, NoClustersAreNoError) {
  Fleet fleet;
  fleet.discovered = true;
  EXPECT_TRUE(Document(WriteJobsJson, fleet)["up"].GetBool());
  auto own = std::make_shared<Report>();
  own->health.last_error = "services: HTTP 403";
  fleet.own.report = std::move(own);
  const auto document = Document(WriteJobsJson, fleet);
  EXPECT_FALSE(document["up"].GetBool()) << "unreachable is never \"no jobs\"";
  EXPECT_STREQ(document["error"].GetString(), "services: HTTP 403");
}

}  // namespace
}  // namespace fss
