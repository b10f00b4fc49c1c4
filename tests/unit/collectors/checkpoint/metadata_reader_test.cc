#include "collectors/checkpoint/metadata_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/collectors/checkpoint/memory_source.h"
#include "tests/unit/collectors/checkpoint/snapshot_bytes.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::int32_t kMagic = 0x4960672D;

// --- Handles -------------------------------------------------------------------------------------

const std::string kNull(1, '\0');

std::string Inlined(const std::string& bytes) {
  return JavaBytes().U8(1).Text("a name").Framed(bytes).bytes();
}

std::string File(std::int64_t size, const std::string& path = "file:/job/chk-7/a") {
  return JavaBytes().U8(2).I64(size).Text(path).bytes();
}

std::string RelativeFile(std::int64_t size, const std::string& name) {
  return JavaBytes().U8(6).Text(name).I64(size).bytes();
}

std::string Segment(std::int64_t start, std::int64_t size) {
  return JavaBytes().U8(15).I64(start).I64(size).I32(1).Text("file:/job/merged").Text("id").bytes();
}

std::string KeyGroups(std::uint8_t kind, const std::string& stream) {
  JavaBytes bytes;
  bytes.U8(kind).I32(0).I32(2).I64(10).I64(20).Raw(stream);
  if (kind == 12) bytes.Text("handle id");
  return bytes.bytes();
}

std::string Files(const std::vector<std::string>& streams) {
  JavaBytes bytes;
  bytes.I32(static_cast<std::int32_t>(streams.size()));
  for (const std::string& stream : streams) bytes.Text("000042.sst").Raw(stream);
  return bytes.bytes();
}

// `written`: absent in the first version of the handle.
std::string Incremental(const std::string& meta, const std::vector<std::string>& shared,
                        const std::vector<std::string>& own,
                        std::optional<std::int64_t> written = std::nullopt) {
  JavaBytes bytes;
  bytes.U8(written ? 11 : 5).I64(7).Text("backend").I32(0).I32(128);
  if (written) bytes.I64(*written);
  bytes.Raw(meta).Raw(Files(shared)).Raw(Files(own));
  if (written) bytes.Text("handle id");
  return bytes.bytes();
}

std::string ChangeFiles(bool second, std::int64_t size, std::int64_t written) {
  JavaBytes bytes;
  bytes.U8(second ? 13 : 10).I32(0).I32(128).I32(1).I64(99).Raw(File(5'000));
  bytes.I64(size).I64(written).Text("handle id");
  if (second) bytes.Text("filesystem");
  return bytes.bytes();
}

std::string InlinedChanges(const std::vector<std::string>& changes) {
  JavaBytes bytes;
  bytes.U8(9).I32(0).I32(128).I64(1).I64(3).I32(static_cast<std::int32_t>(changes.size()));
  for (const std::string& change : changes) bytes.I32(-1).Framed(change);
  return bytes.Text("handle id").bytes();
}

std::string Changelog(bool second, std::int64_t written, const std::vector<std::string>& bases,
                      const std::vector<std::string>& changes) {
  JavaBytes bytes;
  bytes.U8(second ? 14 : 8).I32(0).I32(128).I64(written);
  bytes.I32(static_cast<std::int32_t>(bases.size()));
  for (const std::string& base : bases) bytes.Raw(base);
  bytes.I32(static_cast<std::int32_t>(changes.size()));
  for (const std::string& change : changes) bytes.Raw(change);
  bytes.I64(1);
  if (second) bytes.I64(7);
  return bytes.Text("handle id").bytes();
}

std::string Partitions(const std::string& name, std::uint8_t mode) {
  return JavaBytes().I32(1).Text(name).U8(mode).I32(2).I64(0).I64(8).bytes();
}

std::string OperatorState(const std::string& stream, const std::string& name = "buckets",
                          std::uint8_t mode = 0) {
  return JavaBytes().U8(4).Raw(Partitions(name, mode)).Raw(stream).bytes();
}

std::string MergedOperatorState(const std::string& stream) {
  return JavaBytes()
      .U8(17)
      .Raw(Partitions("offsets", 1))
      .Text("file:/own")
      .Text("file:/shared")
      .U8(0)
      .Raw(stream)
      .bytes();
}

std::string Channel(std::int64_t size) {
  return JavaBytes().I32(0).I32(1).I32(2).I32(1).I64(4).I64(size).Raw(File(9'999)).bytes();
}

std::string MergedChannel(std::int64_t size) {
  return JavaBytes().I32(0).I64(size).Raw(File(9'999)).Framed("offsets").bytes();
}

// --- Files ---------------------------------------------------------------------------------------

struct Subtask {
  std::string managed_operator = {};  // empty: none
  std::string raw_operator = {};
  std::string managed_keyed = kNull;
  std::string raw_keyed = kNull;
  std::vector<std::string> inputs = {};  // in-flight; with their tags in format 6
  std::vector<std::string> outputs = {};
};

std::string Optional(const std::string& handle) {
  return JavaBytes().I32(handle.empty() ? 0 : 1).Raw(handle).bytes();
}

std::string SubtaskBytes(int format, const Subtask& subtask) {
  JavaBytes bytes;
  if (format == 2) bytes.I64(-1).I32(0);
  bytes.Raw(Optional(subtask.managed_operator)).Raw(Optional(subtask.raw_operator));
  bytes.Raw(subtask.managed_keyed).Raw(subtask.raw_keyed);
  if (format == 2) return bytes.bytes();
  for (const auto* handles : {&subtask.inputs, &subtask.outputs}) {
    bytes.I32(static_cast<std::int32_t>(handles->size()));
    for (const std::string& handle : *handles) bytes.Raw(handle);
  }
  return bytes.bytes();
}

constexpr std::int64_t kOperatorHigh = 0x0123456789ABCDEF;
constexpr std::int64_t kOperatorLow = 0x00000000000000F0;
const std::string kOperatorId = "0123456789abcdef00000000000000f0";

std::string OperatorHead(int format, std::int32_t parallelism = 4,
                         const std::string& coordinator = kNull) {
  JavaBytes bytes;
  if (format >= 5) bytes.Text("Join[19]").Text("19_join");
  bytes.I64(kOperatorHigh).I64(kOperatorLow).I32(parallelism).I32(128);
  if (format == 2) {
    bytes.I32(1);
  } else {
    bytes.Raw(coordinator);
  }
  return bytes.bytes();
}

std::string Operator(int format, const std::vector<Subtask>& subtasks,
                     const std::string& coordinator = kNull) {
  JavaBytes bytes;
  bytes.Raw(OperatorHead(format, 4, coordinator));
  bytes.I32(static_cast<std::int32_t>(subtasks.size()));
  for (std::size_t i = 0; i < subtasks.size(); ++i) {
    bytes.I32(static_cast<std::int32_t>(i)).Raw(SubtaskBytes(format, subtasks[i]));
  }
  return bytes.bytes();
}

// Java's null for the properties: what the State Processor API writes.
const std::string kNullProperties = JavaBytes().U16(0xACED).U16(5).U8(0x70).bytes();

std::string Metadata(int format, const std::vector<std::string>& operators,
                     const std::vector<std::string>& masters = {}) {
  JavaBytes bytes;
  bytes.I32(kMagic).I32(format).I64(41).I32(static_cast<std::int32_t>(masters.size()));
  for (const std::string& master : masters) bytes.Raw(master);
  bytes.I32(static_cast<std::int32_t>(operators.size()));
  for (const std::string& one : operators) bytes.Raw(one);
  if (format >= 4) bytes.Raw(kNullProperties);
  return bytes.bytes();
}

CheckpointMetadata Read(const std::string& bytes) {
  MemorySource source(bytes);
  Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(source);
  EXPECT_TRUE(metadata.ok()) << (metadata.ok() ? "" : metadata.error().ToString());
  return metadata.ok() ? *std::move(metadata) : CheckpointMetadata();
}

// The one operator of a file of this format whose subtasks are these.
CheckpointOperator ReadOperator(int format, const std::vector<Subtask>& subtasks,
                                const std::string& coordinator = kNull) {
  CheckpointMetadata metadata = Read(Metadata(format, {Operator(format, subtasks, coordinator)}));
  EXPECT_THAT(metadata.operators, SizeIs(1));
  return metadata.operators.empty() ? CheckpointOperator() : std::move(metadata.operators[0]);
}

std::string Why(const std::string& bytes) {
  MemorySource source(bytes);
  const Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(source);
  if (metadata.ok()) return "it was read";
  EXPECT_EQ(metadata.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(metadata.error().message.rfind("byte ", 0), 0U);
  return metadata.error().message;
}

std::string WhyKeyed(const std::string& handle) {
  return Why(Metadata(6, {Operator(6, {{.managed_keyed = handle}})}));
}

// --- What is told --------------------------------------------------------------------------------

TEST(MetadataReader, TellsTheOperatorInEachFormat) {
  for (const int format : {2, 3, 4, 5, 6}) {
    SCOPED_TRACE(format);
    const CheckpointMetadata metadata = Read(Metadata(format, {Operator(format, {Subtask()})}));
    EXPECT_EQ(metadata.version, format);
    EXPECT_EQ(metadata.checkpoint_id, 41);
    EXPECT_EQ(metadata.savepoint, std::nullopt);
    const CheckpointOperator* const op = metadata.FindOperator(kOperatorId);
    ASSERT_NE(op, nullptr);
    EXPECT_EQ(op->name, format >= 5 ? "Join[19]" : "");
    EXPECT_EQ(op->uid, format >= 5 ? "19_join" : "");
    EXPECT_EQ(op->parallelism, 4);
    EXPECT_EQ(op->max_parallelism, 128);
    EXPECT_EQ(op->size_bytes, 0);
    EXPECT_EQ(op->coordinator_bytes, std::nullopt);
    EXPECT_TRUE(op->keyed_states_known);
    EXPECT_FALSE(op->fully_finished);
    EXPECT_EQ(metadata.FindOperator("0123456789abcdef00000000000000f1"), nullptr);
  }
}

TEST(MetadataReader, SkipsMasterStates) {
  const std::string content = JavaBytes().I32(1).Text("a hook").Framed("its state").bytes();
  const std::string master =
      JavaBytes().I32(static_cast<std::int32_t>(0xC96B1696)).Framed(content).bytes();
  EXPECT_THAT(Read(Metadata(3, {Operator(3, {})}, {master, master})).operators, SizeIs(1));
  const std::string longer =
      JavaBytes().I32(static_cast<std::int32_t>(0xC96B1696)).Framed(content + "!").bytes();
  EXPECT_THAT(Why(Metadata(3, {}, {longer})), HasSubstr("a master state that does not fill its"));
}

TEST(MetadataReader, FinishedSubtasksAndOperators) {
  const std::string some = JavaBytes()
                               .Raw(OperatorHead(4))
                               .I32(2)
                               .I32(-1)
                               .I32(3)
                               .Raw(SubtaskBytes(4, {.managed_keyed = KeyGroups(12, File(70))}))
                               .bytes();
  const CheckpointOperator op = Read(Metadata(4, {some})).operators.at(0);
  EXPECT_FALSE(op.fully_finished);
  EXPECT_EQ(op.size_bytes, 70);
  const std::string all = JavaBytes().Raw(OperatorHead(4)).I32(-1).bytes();
  EXPECT_TRUE(Read(Metadata(4, {all})).operators.at(0).fully_finished);
}

TEST(MetadataReader, SizesOfKeyedState) {
  struct Case {
    std::string handle;
    std::int64_t size = 0;
    std::int64_t written = 0;
  };
  const std::string meta = Inlined(std::string(30, 'm'));
  const std::string base = Incremental(meta, {File(1'000)}, {File(200)}, 50);
  const std::vector<Case> cases = {
      {KeyGroups(3, File(70)), 70, 70},
      {KeyGroups(7, RelativeFile(71, "a")), 71, 71},
      {KeyGroups(12, Segment(4'096, 72)), 72, 72},
      {KeyGroups(3, Inlined("12345")), 5, 5},
      {KeyGroups(3, std::string(1, '\x10')), 0, 0},  // an empty segment
      {KeyGroups(3, KeyGroups(3, File(73))), 73, 73},
      {Incremental(meta, {File(1'000), File(1'000)}, {File(200)}), 2'230, 2'230},
      {Incremental(meta, {File(1'000), File(1'000)}, {File(200)}, -1), 2'230, 2'230},
      {Incremental(meta, {File(1'000), File(1'000)}, {File(200)}, 230), 2'230, 230},
      {Incremental(kNull, {Segment(0, 10), std::string(1, '\x10')}, {}, 0), 10, 0},
      {Changelog(false, 8, {base}, {ChangeFiles(false, 300, 8)}), 1'530, 8},
      {Changelog(true, 9, {base, kNull}, {ChangeFiles(true, 300, 9), InlinedChanges({"ab", "c"})}),
       1'533, 9},
      {Changelog(true, 0, {}, {}), 0, 0},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(i);
    const CheckpointOperator op =
        ReadOperator(6, {{.managed_keyed = cases[i].handle}, {.raw_keyed = cases[i].handle}});
    EXPECT_EQ(op.managed_keyed_bytes, cases[i].size);
    EXPECT_EQ(op.raw_keyed_bytes, cases[i].size);
    EXPECT_EQ(op.size_bytes, 2 * cases[i].size);
    EXPECT_EQ(op.checkpointed_bytes, 2 * cases[i].written);
  }
}

TEST(MetadataReader, SizesOfOperatorStateAndCoordinator) {
  const CheckpointOperator op =
      ReadOperator(5,
                   {{.managed_operator = OperatorState(File(100)),
                     .raw_operator = OperatorState(File(7), "raw")},
                    {.managed_operator = MergedOperatorState(Segment(0, 20))},
                    {.managed_operator = OperatorState(Inlined("123"), "rules", 2)}},
                   Inlined("coordinator"));
  EXPECT_EQ(op.managed_operator_bytes, 123);
  EXPECT_EQ(op.raw_operator_bytes, 7);
  EXPECT_EQ(op.coordinator_bytes, 11);
  EXPECT_EQ(op.size_bytes, 141);
  EXPECT_EQ(op.checkpointed_bytes, 141);
  ASSERT_THAT(op.states, SizeIs(3));
  EXPECT_EQ(op.states[0].name, "buckets");
  EXPECT_EQ(op.states[0].kind, StateKind::kSplitList);
  EXPECT_EQ(op.states[1].name, "offsets");
  EXPECT_EQ(op.states[1].kind, StateKind::kUnionList);
  EXPECT_EQ(op.states[2].name, "rules");
  EXPECT_EQ(op.states[2].kind, StateKind::kBroadcast);
  EXPECT_EQ(op.states[2].scope, StateScope::kOperator);
}

TEST(MetadataReader, InFlightDataCountsByItsOwnSizes) {
  EXPECT_EQ(ReadOperator(3, {{.inputs = {Channel(10), Channel(11)}, .outputs = {Channel(12)}}})
                .channel_bytes,
            33);
  const CheckpointOperator op =
      ReadOperator(6, {{.inputs = {"\x01" + Channel(10), "\x03" + MergedChannel(20)},
                        .outputs = {"\x02" + Channel(30), "\x04" + MergedChannel(40)}}});
  EXPECT_EQ(op.channel_bytes, 100);
  EXPECT_EQ(op.size_bytes, 100);
  EXPECT_EQ(op.checkpointed_bytes, 100);
  EXPECT_THAT(Why(Metadata(6, {Operator(6, {{.inputs = {"\x02" + Channel(10)}}})})),
              HasSubstr("in-flight data of unknown kind 2"));
}

// --- States --------------------------------------------------------------------------------------

TEST(MetadataReader, NamesStatesOfInlinedDescriptions) {
  const std::string description =
      KeyedDescription({KeyedState("left-records", "MAP",
                                   MapSnapshot(SimpleSnapshot(), TtlSnapshot(SimpleSnapshot()))),
                        KeyedState("right-records", "VALUE", SimpleSnapshot())});
  for (const std::string& handle :
       {Incremental(Inlined(description), {File(9)}, {}, 9), KeyGroups(12, Inlined(description)),
        Changelog(true, 0, {Incremental(Inlined(description), {}, {})}, {})}) {
    const CheckpointOperator op =
        ReadOperator(6, {{.managed_keyed = handle}, {.managed_keyed = handle}});
    EXPECT_TRUE(op.keyed_states_known);
    EXPECT_FALSE(op.keyed_head.has_value());
    ASSERT_THAT(op.states, SizeIs(2));
    EXPECT_EQ(op.states[0].name, "left-records");
    EXPECT_EQ(op.states[0].ttl_enabled, true);
    EXPECT_EQ(op.states[1].name, "right-records");
    EXPECT_EQ(op.states[1].ttl_enabled, false);
  }
}

TEST(MetadataReader, AStateThatOnlySomeSubtasksHaveIsSeen) {
  const auto handle = [](const std::vector<std::string>& states) {
    return KeyGroups(3, Inlined(KeyedDescription(states)));
  };
  const std::string first = KeyedState("first", "VALUE", SimpleSnapshot());
  const std::string second = KeyedState("second", "VALUE", SimpleSnapshot());
  const CheckpointOperator op = ReadOperator(
      3, {{.managed_keyed = handle({first})}, {.managed_keyed = handle({second, first})}});
  ASSERT_THAT(op.states, SizeIs(2));
  EXPECT_EQ(op.states[1].name, "second");
}

TEST(MetadataReader, TellsWhereADescriptionLies) {
  const auto head = [](const std::string& keyed) {
    const CheckpointOperator op =
        ReadOperator(6, {{}, {.managed_keyed = keyed}, {.managed_keyed = KeyGroups(3, File(9))}});
    EXPECT_FALSE(op.keyed_states_known);
    EXPECT_TRUE(op.keyed_head.has_value());
    return op.keyed_head.value_or(StateHead());
  };
  EXPECT_EQ(head(KeyGroups(12, File(70, "s3://b/chk-7/f"))).address, "s3://b/chk-7/f");
  EXPECT_FALSE(head(KeyGroups(12, File(70))).relative);
  EXPECT_EQ(head(KeyGroups(7, RelativeFile(70, "f"))).address, "f");
  EXPECT_TRUE(head(KeyGroups(7, RelativeFile(70, "f"))).relative);
  // Of two the one that lies nearer to its file's start.
  EXPECT_EQ(head(KeyGroups(12, Segment(4'096, 70))).offset, 0);
  const CheckpointOperator merged =
      ReadOperator(6, {{.managed_keyed = KeyGroups(12, Segment(8'192, 70))},
                       {.managed_keyed = KeyGroups(12, Segment(4'096, 70))},
                       {.managed_keyed = KeyGroups(12, Segment(6'000, 70))}});
  EXPECT_EQ(merged.keyed_head.value_or(StateHead()).offset, 4'096);
  EXPECT_EQ(head(Incremental(File(3, "meta"), {File(70, "sst")}, {})).address, "meta");
  // Changes alone say nowhere what is in them.
  const CheckpointOperator op =
      ReadOperator(6, {{.managed_keyed = Changelog(true, 0, {}, {InlinedChanges({"change"})})}});
  EXPECT_FALSE(op.keyed_states_known);
  EXPECT_FALSE(op.keyed_head.has_value());
}

// --- What is refused -----------------------------------------------------------------------------

TEST(MetadataReader, OtherFilesAndFormats) {
  EXPECT_EQ(Why("PK\x03\x04 some jar"), "byte 4: no checkpoint's or savepoint's _metadata");
  EXPECT_EQ(Why(""), "byte 0: the file ends within the mark of a checkpoint");
  for (const int format : {-1, 0, 1, 7}) {
    MemorySource source(JavaBytes().I32(kMagic).I32(format).I64(1).bytes());
    const auto metadata = ReadCheckpointMetadata(source);
    ASSERT_FALSE(metadata.ok());
    EXPECT_EQ(metadata.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(metadata.error().message,
              "_metadata of format " + std::to_string(format) + "; 2 to 6 are read");
  }
}

TEST(MetadataReader, AlteredFilesAreToldWithTheirPlace) {
  EXPECT_THAT(WhyKeyed("\x2A"), HasSubstr(": a keyed state's handle of unknown kind 42"));
  EXPECT_THAT(WhyKeyed(KeyGroups(3, "\x2A")), HasSubstr(": a stream's handle of unknown kind 42"));
  EXPECT_THAT(WhyKeyed(KeyGroups(3, kNull)), HasSubstr(": key groups without a stream"));
  EXPECT_THAT(WhyKeyed(KeyGroups(3, File(-2))), HasSubstr("the size of a state file is negative"));
  EXPECT_THAT(WhyKeyed(JavaBytes().U8(3).I32(0).I32(-1).bytes()),
              HasSubstr("the offsets of key groups is negative: -1"));
  EXPECT_THAT(WhyKeyed(Changelog(true, 0, {}, {KeyGroups(3, File(1))})),
              HasSubstr("a changelog handle of unknown kind 3"));
  constexpr std::int64_t kMost = 0x7FFFFFFFFFFFFFFF;
  EXPECT_THAT(WhyKeyed(Incremental(kNull, {File(kMost), File(1)}, {})),
              HasSubstr("sizes add up to more than 2^63 bytes"));
  EXPECT_THAT(
      Why(Metadata(6, {Operator(6, {{.managed_operator = OperatorState(File(1), "s", 3)}})})),
      HasSubstr("an operator state of unknown distribution 3"));
  EXPECT_THAT(Why(Metadata(6, {Operator(6, {{.managed_operator = OperatorState(kNull)}})})),
              HasSubstr("operator state without a stream"));
  EXPECT_THAT(Why(Metadata(6, {Operator(6, {{.managed_operator = MergedOperatorState(File(1))}})})),
              HasSubstr("merged state without a segment"));
  EXPECT_THAT(Why(Metadata(6, {Operator(6, {}, File(1))})),
              HasSubstr("a coordinator's state of unknown kind 2"));
  EXPECT_THAT(Why(Metadata(4, {}) + "!"), HasSubstr("bytes behind the checkpoint properties"));
  EXPECT_THAT(Why(Metadata(3, {}) + "!"), HasSubstr("bytes behind the end of the _metadata"));
}

TEST(MetadataReader, SubtasksMustFitTheOperator) {
  const std::string subtask = SubtaskBytes(4, {});
  const auto with = [&](std::int32_t count, const std::vector<std::int32_t>& indexes,
                        std::int32_t parallelism = 4) {
    JavaBytes bytes;
    bytes.Raw(OperatorHead(4, parallelism)).I32(count);
    for (const std::int32_t index : indexes) bytes.I32(index).Raw(subtask);
    return Why(Metadata(4, {bytes.bytes()}));
  };
  EXPECT_THAT(with(1, {4}), HasSubstr("subtask 4 of an operator that has 4"));
  EXPECT_THAT(with(2, {1, 1}), HasSubstr("a subtask that is there twice"));
  EXPECT_THAT(with(5, {0, 1, 2, 3, 4}), HasSubstr("5 subtasks of an operator that has 4"));
  EXPECT_THAT(with(0, {}, 129), HasSubstr("a parallelism of 129, at most 128"));
  EXPECT_THAT(with(0, {}, -1), HasSubstr("a parallelism of -1, at most 128"));
}

TEST(MetadataReader, NestingIsBounded) {
  std::string handle;
  for (int i = 0; i < 100'000; ++i) handle += std::string("\x03\0\0\0\0\0\0\0\0", 9);  // no group
  handle += File(1);
  EXPECT_THAT(WhyKeyed(handle), HasSubstr("handles are nested too deep"));
}

TEST(MetadataReader, PassesTheSourcesErrorsOn) {
  MemorySource source(Metadata(6, {Operator(6, std::vector<Subtask>(4))}));
  source.SetPiece(10);
  source.FailAt(50, Error{ErrorCode::kTimeout, "no answer", "s3://b/k"});
  const auto metadata = ReadCheckpointMetadata(source);
  ASSERT_FALSE(metadata.ok());
  EXPECT_EQ(metadata.error().code, ErrorCode::kTimeout);
}

// --- Real files, cut and altered -----------------------------------------------------------------

std::string BytesOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void ForEachRealFile(const std::function<void(const std::string& bytes)>& check) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(FSS_TEST_DATA "/checkpoints/real/metadata")) {
    SCOPED_TRACE(entry.path());
    check(BytesOf(entry.path()));
    ++files;
  }
  EXPECT_GE(files, 18);
}

TEST(MetadataReader, EveryCutOfARealFileIsTold) {
  ForEachRealFile([](const std::string& bytes) {
    Read(bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      MemorySource source(bytes.substr(0, size));
      // By turns as a file of that size, and as one that its place calls whole.
      if (size % 2 == 1) source.SetClaimedSize(bytes.size());
      const auto metadata = ReadCheckpointMetadata(source);
      ASSERT_FALSE(metadata.ok()) << size;
      EXPECT_EQ(metadata.error().code, ErrorCode::kMalformed);
    }
  });
}

TEST(MetadataReader, NoAlteredByteOfARealFileDoesHarm) {
  ForEachRealFile([](const std::string& bytes) {
    std::string altered = bytes;
    constexpr auto kMasks = std::to_array<int>({0x01, 0x80, 0xFF});
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      altered[at] = static_cast<char>(bytes[at] ^ kMasks[at % kMasks.size()]);
      MemorySource source(altered);
      const auto metadata = ReadCheckpointMetadata(source);
      altered[at] = bytes[at];
      if (!metadata.ok()) {
        ASSERT_FALSE(metadata.error().message.empty());
        continue;
      }
      for (const CheckpointOperator& op : metadata->operators) {
        ASSERT_EQ(op.operator_id.size(), 32U);
        ASSERT_LE(op.parallelism, op.max_parallelism);
      }
    }
  });
}

}  // namespace
}  // namespace fss
