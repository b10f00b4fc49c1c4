#include "sidecar/analysis/live_entries.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

OperatorReport Operator(const std::string& label, const std::vector<std::string>& entries) {
  OperatorReport op;
  op.label = label;
  for (const std::string& name : entries) op.state.emplace_back().name = name;
  return op;
}

TEST(LiveEntries, TheInputsOfAJoinApart) {
  const LiveSample sample{
      1, {{"Join[19]", "right-records", 20, 2}, {"Join[19]", "left-records", 7, 1}}};
  const auto figures =
      LiveFiguresOf(sample, Operator("Join[19]", {"leftState", "rightState"}), true);
  EXPECT_EQ(figures[0].live_bytes, 7);
  EXPECT_EQ(figures[0].keys, 1);
  EXPECT_EQ(figures[1].live_bytes, 20);
  EXPECT_EQ(figures[1].keys, 2);
}

TEST(LiveEntries, AllStatesOfAnOperatorWithOneEntry) {
  const LiveSample sample{
      1,
      {{"GroupAggregate[6]", "accState", 100, 10}, {"GroupAggregate[6]", "distinctAcc_0", 50, 30}}};
  const auto figures =
      LiveFiguresOf(sample, Operator("GroupAggregate[6]", {"groupAggregateState"}), true);
  EXPECT_EQ(figures[0].live_bytes, 150);
  EXPECT_EQ(figures[0].keys, 40);
}

TEST(LiveEntries, TwoOperatorsOfAVertexAreToldApartByName) {
  const LiveSample sample{1,
                          {{"Deduplicate[3]", "deduplicate-state", 5, 1}, {"Rank[4]", "x", 9, 2}}};
  const auto figures = LiveFiguresOf(sample, Operator("Rank[4]", {"rankState"}), false);
  EXPECT_EQ(figures[0].live_bytes, 9);
}

TEST(LiveEntries, InputsOfAMultiJoinByTheirNumber) {
  LiveSample sample;
  for (int i = 0; i < 12; ++i) {
    sample.states.push_back({"MultiJoin[9]", "multi-join-input-" + std::to_string(i), 100 + i, i});
  }
  const auto figures =
      LiveFiguresOf(sample, Operator("MultiJoin[9]", {"input-state-1", "input-state-11"}), true);
  EXPECT_EQ(figures[0].live_bytes, 101);
  EXPECT_EQ(figures[1].live_bytes, 111);
}

TEST(LiveEntries, WhatRocksDbDoesNotTellIsAbsent) {
  const LiveSample sample{1, {{"Join[19]", "left-records", std::nullopt, 4}}};
  const auto figures =
      LiveFiguresOf(sample, Operator("Join[19]", {"leftState", "rightState"}), true);
  EXPECT_EQ(figures[0].live_bytes, std::nullopt);
  EXPECT_EQ(figures[0].keys, 4);
  EXPECT_EQ(figures[1].live_bytes, std::nullopt);
  EXPECT_TRUE(LiveFiguresOf(sample, Operator("Calc[2]", {}), true).empty());
}

}  // namespace
}  // namespace fss
