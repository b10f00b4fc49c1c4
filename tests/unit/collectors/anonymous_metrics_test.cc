#include "collectors/anonymous_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

using testing::Pair;
using testing::UnorderedElementsAre;

const std::string kOnlyVertex(32, 'a');

ChainOperator Operator(std::int64_t id, const std::string& name) {
  return {id, name, name + "(…)", std::nullopt};
}

TEST(AnonymousMetricsTest, OperatorsAreCalledAsInTheAnonymousGraph) {
  JobGraph graph;
  graph.vertices.push_back(
      {kOnlyVertex, 1, {Operator(19, "Join"), Operator(26, "kv_sink: Writer")}, {}});
  JobGraph anonymous = graph;
  anonymous.vertices[0].chain[1] = Operator(26, "x_c: Writer");
  const MetricNames names = MetricNamesOf(graph, anonymous);
  EXPECT_THAT(names, UnorderedElementsAre(Pair("Join[19]", "Join[19]"),
                                          Pair("kv_sink[26]__Writer", "x_c[26]__Writer")));

  std::map<std::string, LiveSample> live;
  live[kOnlyVertex] = {1000,
                       {{"Join[19]", "left-records", 7, 1},
                        {"Join[19]", "right-records", 8, std::nullopt},
                        {"kv_sink[26]__Writer", "my-secret", 9, 2},
                        {"another secret", "my-secret", 10, 3}}};
  live["a secret"] = {1000, {}};
  const auto renamed = AnonymousLive(live, names);
  ASSERT_EQ(renamed.size(), 1U);
  const LiveSample& sample = renamed.at(kOnlyVertex);
  EXPECT_EQ(sample.taken_ms, 1000);
  ASSERT_EQ(sample.states.size(), 4U);
  const auto name = [&](std::size_t i) {
    return sample.states[i].operator_name + " " + sample.states[i].state_name;
  };
  EXPECT_EQ(name(0), "Join[19] left-records");
  EXPECT_EQ(name(1), "Join[19] right-records");
  EXPECT_EQ(name(2), "x_c[26]__Writer state_0");
  EXPECT_EQ(name(3), "operator_0 state_0");
  EXPECT_EQ(sample.states[3].live_bytes, 10);
}

}  // namespace
}  // namespace fss
