#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "exporters/prometheus/metrics_page.h"
#include "tests/unit/exporters/sample_report.h"

namespace fss {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::shared_ptr<const ClusterView> ViewOf(const std::string& cluster, bool up = true) {
  auto report = std::make_shared<Report>(SampleReport());
  report->cluster = cluster;
  report->health.up = up;
  report->plans_loaded = report->plans_unreadable = 0;
  for (JobReport& job : report->jobs) job.cluster = cluster;
  return std::make_shared<const ClusterView>(ClusterView{std::move(report), SampleStats()});
}

Fleet TwoClusters() {
  Fleet fleet;
  fleet.discovered = true;
  fleet.clusters = {ViewOf("ns/a"), ViewOf("ns/b", /*up=*/false)};
  auto own = std::make_shared<Report>();
  own->health.up = true;
  own->plans_loaded = 7;
  own->plans_unreadable = 1;
  SidecarStats stats;
  stats.collector_success["kubernetes"] = true;
  stats.clusters = 2;
  stats.leader = true;
  fleet.own = {std::move(own), std::move(stats)};
  return fleet;
}

TEST(FleetPageTest, EachMetricHasOneHeadAndEachSeriesIsThere) {
  const std::string page = MetricsPage(TwoClusters());
  std::multiset<std::string> heads;
  std::set<std::string> series;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# TYPE ")) {
      heads.insert(line);
    } else if (!line.starts_with('#')) {
      EXPECT_TRUE(series.insert(line.substr(0, line.rfind(' '))).second) << "twice: " << line;
    }
  }
  EXPECT_EQ(heads.size(), std::set<std::string>(heads.begin(), heads.end()).size());
  EXPECT_THAT(page, HasSubstr("flink_state_up{cluster=\"ns/a\"} 1\n"
                              "flink_state_up{cluster=\"ns/b\"} 0\n"));
}

TEST(FleetPageTest, WhatBelongsToAClusterNamesIt) {
  const std::string page = MetricsPage(TwoClusters());
  EXPECT_THAT(page, HasSubstr("flink_state_sidecar_poll_duration_seconds_count{cluster=\"ns/a\"}"));
  EXPECT_THAT(page,
              HasSubstr("flink_state_sidecar_poll_duration_seconds_bucket{cluster=\"ns/b\",le="));
  EXPECT_THAT(
      page,
      HasSubstr("flink_state_sidecar_collector_success{cluster=\"ns/a\",collector=\"flink\"}"));
  EXPECT_THAT(
      page, HasSubstr("flink_state_sidecar_rest_requests_total{cluster=\"ns/b\",outcome=\"2xx\"}"));
  EXPECT_THAT(page,
              HasSubstr("flink_state_sidecar_last_success_timestamp_seconds{cluster=\"ns/a\"}"));
}

TEST(FleetPageTest, WhatIsTheSidecarsOwnDoesNot) {
  const std::string page = MetricsPage(TwoClusters());
  EXPECT_THAT(page,
              HasSubstr("flink_state_sidecar_collector_success{collector=\"kubernetes\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("flink_state_sidecar_plans{state=\"loaded\"} 7\n"));
  EXPECT_THAT(page, HasSubstr("flink_state_sidecar_plans{state=\"unreadable\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("flink_state_sidecar_clusters 2\n"));
  EXPECT_THAT(page, HasSubstr("flink_state_sidecar_leader 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("flink_state_up 1")));
  EXPECT_THAT(page, Not(HasSubstr("rest_response_bytes_total 0")));
}

TEST(FleetPageTest, WithoutClustersTheSidecarIsStillSeen) {
  Fleet fleet = TwoClusters();
  fleet.clusters.clear();
  const std::string page = MetricsPage(fleet);
  EXPECT_THAT(page, HasSubstr("flink_state_sidecar_build_info"));
  EXPECT_THAT(page, Not(HasSubstr("cluster=")));
}

}  // namespace
}  // namespace fss
