#include "collectors/checkpoint/state_head_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/collectors/checkpoint/memory_source.h"
#include "tests/unit/collectors/checkpoint/snapshot_bytes.h"

namespace fss {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kDescription =
    KeyedDescription({KeyedState("accState", "VALUE", TtlSnapshot(SimpleSnapshot())),
                      Timers("_timer_state/event_user-timers")});

// An operator whose keyed states are described at this place, and that has an operator state.
CheckpointOperator Lacking(const std::string& address, bool relative = false,
                           std::int64_t offset = 0) {
  CheckpointOperator op;
  op.operator_id = "00000000000000000000000000000001";
  op.keyed_states_known = false;
  op.keyed_head = StateHead{address, relative, offset};
  CheckpointState state;
  state.name = "buckets";
  state.scope = StateScope::kOperator;
  op.states.push_back(state);
  return op;
}

std::vector<std::string> Names(const CheckpointOperator& op) {
  std::vector<std::string> names;
  for (const CheckpointState& state : op.states) names.push_back(state.name);
  return names;
}

class MapStore : public CheckpointStore {
 public:
  Result<std::unique_ptr<ByteSource>> Open(const std::string& address,
                                           std::uint64_t max_bytes) override {
    opened.push_back(address + " " + std::to_string(max_bytes));
    const auto found = files.find(address);
    if (found == files.end()) return Error{ErrorCode::kNotFound, "not there", ""};
    auto source = std::make_unique<MemorySource>(found->second.substr(0, max_bytes));
    source->SetClaimedSize(found->second.size());
    return std::unique_ptr<ByteSource>(std::move(source));
  }

  std::map<std::string, std::string> files;
  std::vector<std::string> opened;
};

TEST(StateHeadReader, PutsKeyedStatesBeforeTheOthers) {
  MemorySource source(kDescription + "rows");
  CheckpointOperator op = Lacking("f");
  EXPECT_TRUE(ReadStateHead(source, &op).ok());
  EXPECT_THAT(Names(op), ElementsAre("accState", "_timer_state/event_user-timers", "buckets"));
  EXPECT_EQ(op.states[0].ttl_enabled, true);
  EXPECT_TRUE(op.keyed_states_known);
  EXPECT_FALSE(op.keyed_head.has_value());
}

TEST(StateHeadReader, BeginsAtTheSegmentsStart) {
  for (const std::size_t piece : {3U, 100'000U}) {
    MemorySource source(std::string(70'000, 'x') + kDescription);
    source.SetPiece(piece);
    CheckpointOperator op = Lacking("f", false, 70'000);
    EXPECT_TRUE(ReadStateHead(source, &op).ok());
    EXPECT_EQ(Names(op).front(), "accState");
  }
  MemorySource shorter("abc");
  CheckpointOperator op = Lacking("f", false, 70'000);
  EXPECT_FALSE(ReadStateHead(shorter, &op).ok());
}

TEST(StateHeadReader, LeavesTheOperatorWhereNothingIsUnderstood) {
  MemorySource source("rows of another format");
  CheckpointOperator op = Lacking("f");
  const Status read = ReadStateHead(source, &op);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, ErrorCode::kMalformed);
  EXPECT_THAT(Names(op), ElementsAre("buckets"));
  EXPECT_TRUE(op.keyed_head.has_value());
  EXPECT_FALSE(op.keyed_states_known);

  MemorySource failing(kDescription);
  failing.FailAt(0, Error{ErrorCode::kTimeout, "no answer", ""});
  EXPECT_EQ(ReadStateHead(failing, &op).error().code, ErrorCode::kTimeout);
}

TEST(StateHeadReader, ReadsOfAFileWhatADescriptionTakes) {
  const std::string rows(4U << 20U, 'x');
  MemorySource source(kDescription + rows);
  CheckpointOperator op = Lacking("f");
  EXPECT_TRUE(ReadStateHead(source, &op).ok());
  EXPECT_LE(source.read(), kMaxStateHeadBytes + (64U << 10U));
}

TEST(StateHeads, AreOpenedWhereTheyLie) {
  EXPECT_EQ(StateHeadAddress("file:/job/chk-7", {"f", true, 0}), "file:/job/chk-7/f");
  EXPECT_EQ(StateHeadAddress("file:/job/chk-7/", {"f", true, 0}), "file:/job/chk-7/f");
  EXPECT_EQ(StateHeadAddress("file:/job/chk-7", {"s3://b/f", false, 0}), "s3://b/f");
}

TEST(StateHeads, OneThatFailsDoesNotStopTheOthers) {
  MapStore store;
  store.files["chk/good"] = kDescription;
  store.files["chk/merged"] = std::string(100, 'x') + kDescription;
  store.files["chk/strange"] = std::string(100, 'x');
  CheckpointMetadata metadata;
  metadata.operators = {Lacking("gone", true), Lacking("chk/good"), Lacking("strange", true),
                        Lacking("chk/merged", false, 100), CheckpointOperator()};
  const HeadsRead heads = ReadStateHeads("chk", store, 10U << 20U, &metadata);
  EXPECT_EQ(heads.read, 2);
  EXPECT_EQ(heads.failed, 2);
  EXPECT_EQ(heads.first_error, "chk/gone: not there");
  EXPECT_EQ(heads.bytes, 2 * kDescription.size() + 100 + 100);
  EXPECT_THAT(store.opened, ElementsAre("chk/gone 65536", "chk/good 65536", "chk/strange 65536",
                                        "chk/merged 65636"));
  EXPECT_EQ(Names(metadata.operators[3]).front(), "accState");
  EXPECT_FALSE(metadata.operators[2].keyed_states_known);
}

TEST(StateHeads, ALongDescriptionIsOpenedOnceMore) {
  std::vector<std::string> states;
  for (int i = 0; i < 1'000; ++i) {
    states.push_back(KeyedState("state-" + std::to_string(i), "VALUE", SimpleSnapshot()));
  }
  MapStore store;
  store.files["f"] = KeyedDescription(states) + std::string(2U << 20U, 'x');
  CheckpointMetadata metadata;
  metadata.operators = {Lacking("f")};
  const HeadsRead heads = ReadStateHeads("", store, 10U << 20U, &metadata);
  EXPECT_EQ(heads.read, 1);
  EXPECT_THAT(store.opened, ElementsAre("f 65536", "f 1048576"));
  EXPECT_EQ(heads.bytes, (64U << 10U) + (1U << 20U));
  EXPECT_EQ(metadata.operators[0].states.size(), 1'001U);
}

TEST(StateHeads, StopAtTheirBudget) {
  MapStore store;
  store.files["a"] = store.files["b"] = kDescription + std::string(1U << 20U, 'x');
  CheckpointMetadata metadata;
  metadata.operators = {Lacking("a"), Lacking("b"), Lacking("c", false, 0x7FFFFFFFFFFFFFFF)};
  const HeadsRead heads = ReadStateHeads("", store, 100'000, &metadata);
  EXPECT_EQ(heads.read, 1);
  EXPECT_EQ(heads.failed, 2);
  EXPECT_THAT(heads.first_error, HasSubstr("b: no bytes left to read state files"));
  EXPECT_LE(heads.bytes, 100'000U);
}

}  // namespace
}  // namespace fss
