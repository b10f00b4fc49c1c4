#include "collectors/checkpoint/state_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/unit/collectors/checkpoint/snapshot_bytes.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "name kind ttl" of each: "left map on", "x value ?".
std::vector<std::string> Told(const StatesDescribed& described) {
  std::vector<std::string> lines;
  for (const CheckpointState& state : described.states) {
    const std::string ttl = !state.ttl_enabled ? "?" : *state.ttl_enabled ? "on" : "off";
    lines.push_back(state.name + " " + StateKindName(state.kind) + " " + ttl);
  }
  return lines;
}

const std::string kPlain = KeyedState("plain", "VALUE", SimpleSnapshot());
const std::string kExpiring =
    KeyedState("expiring", "MAP", MapSnapshot(SimpleSnapshot(), TtlSnapshot(SimpleSnapshot())));
const std::string kTimers = Timers("_timer_state/event_user-timers");

TEST(StateDescription, TellsNamesKindsAndTtl) {
  const StatesDescribed described = DescribedKeyedStates(
      KeyedDescription({kPlain, kExpiring, kTimers}) + "the key groups' data follow");
  EXPECT_TRUE(described.complete);
  EXPECT_FALSE(described.cut);
  EXPECT_THAT(Told(described), ElementsAre("plain value off", "expiring map on",
                                           "_timer_state/event_user-timers timers off"));
  EXPECT_EQ(described.states[0].scope, StateScope::kKeyed);
}

TEST(StateDescription, GoesOnBehindASerializerItDoesNotKnow) {
  const std::string strange = KeyedState("strange", "VALUE", UnknownSnapshot());
  const std::string list = KeyedState("list", "LIST", ListSnapshot(UnknownSnapshot()));
  for (const std::string& key : {SimpleSnapshot(), UnknownSnapshot("a key's own")}) {
    const StatesDescribed described =
        DescribedKeyedStates(KeyedDescription({strange, kPlain, list, kTimers, kExpiring}, key));
    EXPECT_TRUE(described.complete);
    EXPECT_THAT(Told(described),
                ElementsAre("strange value ?", "plain value off", "list list ?",
                            "_timer_state/event_user-timers timers off", "expiring map on"));
  }
}

TEST(StateDescription, ATtlAroundAnUnknownSerializerIsPlain) {
  const std::string value = KeyedState("value", "VALUE", TtlSnapshot(UnknownSnapshot()));
  const std::string last = KeyedState("last", "LIST", ListSnapshot(TtlSnapshot(UnknownSnapshot())));
  const StatesDescribed described = DescribedKeyedStates(KeyedDescription({value, kPlain, last}));
  EXPECT_TRUE(described.complete);
  EXPECT_THAT(Told(described), ElementsAre("value value on", "plain value off", "last list on"));
}

TEST(StateDescription, AnUnknownNamespaceDoesNotHideTheValue) {
  const std::string window =
      KeyedState("window", "VALUE", TtlSnapshot(SimpleSnapshot()), UnknownSnapshot("a window"));
  const std::string other = KeyedState("other", "VALUE", SimpleSnapshot(), UnknownSnapshot());
  const StatesDescribed described = DescribedKeyedStates(KeyedDescription({window, other}));
  EXPECT_TRUE(described.complete);
  EXPECT_THAT(Told(described), ElementsAre("window value on", "other value off"));
}

TEST(StateDescription, TheLastStateNeedNotBeUnderstood) {
  const std::string strange = KeyedState("strange", "VALUE", UnknownSnapshot());
  const StatesDescribed described = DescribedKeyedStates(KeyedDescription({kPlain, strange}));
  EXPECT_TRUE(described.complete);
  EXPECT_THAT(Told(described), ElementsAre("plain value off", "strange value ?"));
}

TEST(StateDescription, EveryCutIsToldAndNothingIsMadeUp) {
  const std::string whole = KeyedDescription({kPlain, kExpiring, kTimers});
  const std::vector<std::string> all = Told(DescribedKeyedStates(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const StatesDescribed described = DescribedKeyedStates(whole.substr(0, size));
    EXPECT_TRUE(described.cut) << size;
    const std::vector<std::string> told = Told(described);
    ASSERT_LE(told.size(), all.size());
    for (std::size_t i = 0; i < told.size(); ++i) {
      const bool ttl_lost = told[i].ends_with(" ?");
      EXPECT_TRUE(told[i] == all[i] || (ttl_lost && i + 1 == told.size())) << told[i];
    }
    EXPECT_EQ(described.complete, told.size() == all.size());
  }
}

TEST(StateDescription, OtherVersionsAndOtherBytesDescribeNothing) {
  std::string old = KeyedDescription({kPlain});
  old[3] = 5;  // Flink 1.6
  for (const std::string& bytes :
       {std::string(), std::string("no description at all"), old, std::string(1000, '\0')}) {
    const StatesDescribed described = DescribedKeyedStates(bytes);
    EXPECT_THAT(described.states, IsEmpty());
    EXPECT_FALSE(described.complete);
  }
  EXPECT_TRUE(DescribedKeyedStates(KeyedDescription({})).complete);
}

TEST(StateDescription, OperatorStatesListThenBroadcast) {
  const auto state = [](const std::string& name, std::int32_t type, const std::string& mode) {
    return JavaBytes()
        .Text(name)
        .I32(type)
        .I32(1)
        .Text("OPERATOR_STATE_DISTRIBUTION_MODE")
        .Text(mode)
        .I32(1)
        .Text("VALUE_SERIALIZER")
        .Raw(Described(SimpleSnapshot()))
        .bytes();
  };
  const std::string lists = state("offsets", 1, "UNION") + state("buckets", 1, "SPLIT_DISTRIBUTE");
  const std::string broadcast = state("rules", 2, "BROADCAST");
  const std::string states = JavaBytes().U16(2).Raw(lists).U16(1).Raw(broadcast).bytes();
  for (const std::string& head : {JavaBytes().I32(5).bytes(), JavaBytes().I32(6).U8(1).bytes()}) {
    const StatesDescribed described = DescribedOperatorStates(head + states);
    EXPECT_TRUE(described.complete);
    EXPECT_THAT(Told(described), ElementsAre("offsets union-list off", "buckets split-list off",
                                             "rules broadcast off"));
    EXPECT_EQ(described.states[0].scope, StateScope::kOperator);
  }
}

TEST(StateDescription, HostileBytesCostLittle) {
  // As many beginnings of states as fit, none of which can be read on.
  const std::string strange = KeyedState("s", "VALUE", UnknownSnapshot(""));
  std::string bytes = KeyedDescription(std::vector<std::string>(30'000, strange));
  bytes.resize(1U << 20U);
  // And bytes each of which might begin a long name.
  const std::string names(1U << 20U, ' ');
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_LE(DescribedKeyedStates(bytes).states.size(), 100U);
  EXPECT_FALSE(
      DescribedKeyedStates(KeyedDescription({strange, strange}).substr(0, 200) + names).complete);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace fss
