#include "collectors/checkpoint/state_handles.h"

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/checkpoint/state_head_reader.h"

namespace fss {
namespace {

// Kinds of handles (MetadataV2V3SerializerBase); the same numbers in formats 2 to 6. "V2" kinds
// came with Flink 1.15 and 1.16, segments with 1.20.
enum HandleKind : std::uint8_t {
  kNoHandle = 0,
  kInlined = 1,
  kFile = 2,
  kKeyGroups = 3,
  kPartitions = 4,
  kIncremental = 5,
  kRelativeFile = 6,
  kSavepointKeyGroups = 7,
  kChangelog = 8,
  kInlinedChanges = 9,
  kChangeFiles = 10,
  kIncrementalV2 = 11,
  kKeyGroupsV2 = 12,
  kChangeFilesV2 = 13,
  kChangelogV2 = 14,
  kSegment = 15,
  kEmptySegment = 16,
  kSegmentPartitions = 17,
};

// Flink nests a handle in a handle in a handle. Bounds the stack.
constexpr int kMaxHandleDepth = 20;

// FileStateHandle and IncrementalRemoteKeyedStateHandle: -1 is "not known".
constexpr std::int64_t kUnknownSize = -1;

constexpr auto kModes =
    std::to_array({StateKind::kSplitList, StateKind::kUnionList, StateKind::kBroadcast});

// A handle of a file in a list: an empty name and a kind at least.
constexpr std::uint64_t kLeastNamedHandleBytes = 3;
constexpr std::uint64_t kOffsetBytes = 8;

// `head` where it still wants to be filled, else nullptr.
HeadSeen* Wanted(HeadSeen* head) { return head != nullptr && !head->any() ? head : nullptr; }

}  // namespace

void StateHandles::Add(std::int64_t bytes, std::int64_t* sum) {
  if (__builtin_add_overflow(*sum, bytes, sum)) in_.Fail("sizes add up to more than 2^63 bytes");
}

void StateHandles::AddBoth(std::int64_t bytes, HandleSizes* sizes) {
  Add(bytes, &sizes->state);
  Add(bytes, &sizes->checkpointed);
}

std::int64_t StateHandles::Size(const char* what, std::int64_t least) {
  const std::int64_t size = in_.I64(what);
  if (size >= least) return size;
  in_.Fail(std::string(what) + " is negative: " + std::to_string(size));
  return 0;
}

void StateHandles::Offsets(const char* what) {
  const std::int32_t count = in_.Count(kOffsetBytes, what);
  in_.Skip(static_cast<std::uint64_t>(count) * kOffsetBytes, what);
}

bool StateHandles::TooDeep(int depth) {
  if (depth <= kMaxHandleDepth) return false;
  in_.Fail("handles are nested too deep");
  return true;
}

// --- Streams -------------------------------------------------------------------------------------

std::optional<std::int64_t> StateHandles::Stream(HeadSeen* head, int depth) {
  return Stream(in_.U8("the kind of a stream's handle"), head, depth);
}

std::optional<std::int64_t> StateHandles::Stream(std::uint8_t kind, HeadSeen* head, int depth) {
  if (TooDeep(depth)) return std::nullopt;
  switch (kind) {
    case kNoHandle:
      return std::nullopt;
    case kInlined:
      return Inlined(head);
    case kFile:
      return File(head);
    case kRelativeFile:
      return RelativeFile(head);
    case kSegment:
      return Segment(head);
    case kEmptySegment:
      return 0;
    case kKeyGroups:
      return KeyGroups(head, depth);
    default:
      in_.Fail("a stream's handle of unknown kind " + std::to_string(kind));
      return std::nullopt;
  }
}

std::int64_t StateHandles::Inlined(HeadSeen* head) {
  in_.SkipText("the name of inlined state");
  const std::uint64_t length = in_.Length("the length of inlined state");
  std::uint64_t kept = 0;
  if (HeadSeen* const wanted = Wanted(head); wanted != nullptr && in_.ok()) {
    kept = std::min(length, kMaxStateHeadBytes);
    in_.Append(kept, &wanted->bytes.emplace(), "inlined state");
  }
  in_.Skip(length - kept, "inlined state");
  return static_cast<std::int64_t>(length);
}

std::int64_t StateHandles::File(HeadSeen* head) {
  const std::int64_t size = Size("the size of a state file", kUnknownSize);
  if (HeadSeen* const wanted = Wanted(head); wanted != nullptr) {
    wanted->file = StateHead{in_.Text("the path of a state file"), false, 0};
  } else {
    in_.SkipText("the path of a state file");
  }
  return size;
}

std::int64_t StateHandles::RelativeFile(HeadSeen* head) {
  if (HeadSeen* const wanted = Wanted(head); wanted != nullptr) {
    wanted->file = StateHead{in_.Text("the name of a state file"), true, 0};
  } else {
    in_.SkipText("the name of a state file");
  }
  return Size("the size of a state file", kUnknownSize);
}

std::int64_t StateHandles::Segment(HeadSeen* head) {
  const std::int64_t offset = Size("the start of a segment");
  const std::int64_t size = Size("the size of a segment");
  in_.I32("the scope of a segment");
  if (HeadSeen* const wanted = Wanted(head); wanted != nullptr) {
    wanted->file = StateHead{in_.Text("the path of a merged file"), false, offset};
  } else {
    in_.SkipText("the path of a merged file");
  }
  in_.SkipText("the logical file of a segment");
  return size;
}

std::optional<std::int64_t> StateHandles::KeyGroups(HeadSeen* head, int depth) {
  in_.I32("the first key group");
  Offsets("the offsets of key groups");
  const auto size = Stream(head, depth + 1);
  if (!size && in_.ok()) in_.Fail("key groups without a stream");
  return size;
}

std::optional<std::int64_t> StateHandles::Coordinator() {
  const std::uint8_t kind = in_.U8("the kind of a coordinator's state");
  if (kind == kNoHandle) return std::nullopt;
  if (kind == kInlined) return Inlined(nullptr);
  in_.Fail("a coordinator's state of unknown kind " + std::to_string(kind));
  return std::nullopt;
}

// --- Keyed state ---------------------------------------------------------------------------------

bool StateHandles::Keyed(HandleSizes* sizes, HeadSeen* head) { return Keyed(sizes, head, 0); }

bool StateHandles::Keyed(HandleSizes* sizes, HeadSeen* head, int depth) {
  const std::uint8_t kind = in_.U8("the kind of a keyed state's handle");
  if (kind == kNoHandle || TooDeep(depth)) return false;
  KeyedOfKind(kind, sizes, head, depth);
  return in_.ok();
}

void StateHandles::KeyedOfKind(std::uint8_t kind, HandleSizes* sizes, HeadSeen* head, int depth) {
  switch (kind) {
    case kKeyGroups:
    case kKeyGroupsV2:
    case kSavepointKeyGroups:
      AddBoth(KeyGroups(head, depth).value_or(0), sizes);
      if (kind == kKeyGroupsV2) in_.SkipText("the id of a handle");
      return;
    case kIncremental:
    case kIncrementalV2:
      Incremental(kind == kIncrementalV2, sizes, head);
      return;
    case kChangelog:
    case kChangelogV2:
      Changelog(kind == kChangelogV2, sizes, head, depth);
      return;
    case kInlinedChanges:
      InlinedChanges(sizes);
      return;
    case kChangeFiles:
    case kChangeFilesV2:
      ChangeFiles(kind == kChangeFilesV2, sizes);
      return;
    default:
      in_.Fail("a keyed state's handle of unknown kind " + std::to_string(kind));
  }
}

void StateHandles::KeyGroupRange() {
  in_.I32("the first key group");
  in_.I32("the number of key groups");
}

void StateHandles::Incremental(bool second_version, HandleSizes* sizes, HeadSeen* head) {
  in_.I64("the checkpoint of an incremental handle");
  in_.SkipText("the backend of an incremental handle");
  KeyGroupRange();
  std::int64_t written = kUnknownSize;
  if (second_version) written = Size("the size that a checkpoint wrote", kUnknownSize);
  HandleSizes own;
  Add(Stream(head, 1).value_or(0), &own.state);  // the description of the states
  Files(&own);                                   // shared with other checkpoints
  Files(&own);                                   // this checkpoint's own
  if (second_version) in_.SkipText("the id of a handle");
  Add(own.state, &sizes->state);
  Add(written == kUnknownSize ? own.state : written, &sizes->checkpointed);
}

void StateHandles::Files(HandleSizes* sizes) {
  const std::int32_t count =
      in_.Count(kLeastNamedHandleBytes, "the number of an increment's files");
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
    in_.SkipText("the local name of a file");
    Add(Stream(nullptr, 1).value_or(0), &sizes->state);
  }
}

void StateHandles::Changelog(bool second_version, HandleSizes* sizes, HeadSeen* head, int depth) {
  KeyGroupRange();
  const std::int64_t written = Size("the size that a checkpoint wrote");
  HandleSizes own;
  const std::int32_t bases = in_.Count(1, "the number of materialized handles");
  for (std::int32_t i = 0; i < bases && in_.ok(); ++i) Keyed(&own, head, depth + 1);
  const std::int32_t changes = in_.Count(1, "the number of changelog handles");
  for (std::int32_t i = 0; i < changes && in_.ok(); ++i) {
    const std::uint8_t kind = in_.U8("the kind of a changelog handle");
    if (kind == kInlinedChanges) {
      InlinedChanges(&own);
    } else if (kind == kChangeFiles || kind == kChangeFilesV2) {
      ChangeFiles(kind == kChangeFilesV2, &own);
    } else {
      in_.Fail("a changelog handle of unknown kind " + std::to_string(kind));
    }
  }
  in_.I64("the materialization of a changelog");
  if (second_version) in_.I64("the checkpoint of a changelog");
  in_.SkipText("the id of a handle");
  Add(own.state, &sizes->state);
  Add(written, &sizes->checkpointed);
}

void StateHandles::InlinedChanges(HandleSizes* sizes) {
  KeyGroupRange();
  in_.I64("the first change");
  in_.I64("the last change");
  constexpr std::uint64_t kLeastChangeBytes = 8;
  const std::int32_t count = in_.Count(kLeastChangeBytes, "the number of changes");
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
    in_.I32("the key group of a change");
    const std::uint64_t length = in_.Length("the length of a change");
    in_.Skip(length, "a change");
    AddBoth(static_cast<std::int64_t>(length), sizes);
  }
  in_.SkipText("the id of a handle");
}

void StateHandles::ChangeFiles(bool second_version, HandleSizes* sizes) {
  KeyGroupRange();
  constexpr std::uint64_t kLeastBytes = 9;
  const std::int32_t count = in_.Count(kLeastBytes, "the number of change files");
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
    in_.I64("the offset in a change file");
    Stream(nullptr, 1);
  }
  Add(Size("the size of changes"), &sizes->state);
  Add(Size("the size of new changes"), &sizes->checkpointed);
  in_.SkipText("the id of a handle");
  if (second_version) in_.SkipText("the storage of changes");
}

// --- Operator state ------------------------------------------------------------------------------

bool StateHandles::Operator(HandleSizes* sizes, HeadSeen* head,
                            std::vector<CheckpointState>* states) {
  const std::uint8_t kind = in_.U8("the kind of an operator state's handle");
  if (kind == kNoHandle) return false;
  if (kind != kPartitions && kind != kSegmentPartitions) {
    in_.Fail("an operator state's handle of unknown kind " + std::to_string(kind));
    return false;
  }
  Partitions(states);
  std::optional<std::int64_t> size;
  if (kind == kSegmentPartitions) {
    in_.SkipText("the task's own folder");
    in_.SkipText("the shared folder");
    in_.U8("whether an operator state is empty");
    const std::uint8_t stream = in_.U8("the kind of a segment's handle");
    if (stream != kSegment && stream != kEmptySegment) in_.Fail("merged state without a segment");
    size = Stream(stream, head, 0);
  } else {
    size = Stream(head, 0);
  }
  if (!size && in_.ok()) in_.Fail("operator state without a stream");
  AddBoth(size.value_or(0), sizes);
  return in_.ok();
}

void StateHandles::Partitions(std::vector<CheckpointState>* states) {
  constexpr std::uint64_t kLeastBytes = 7;  // an empty name, a mode, no offsets
  const std::int32_t count = in_.Count(kLeastBytes, "the number of operator states");
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
    CheckpointState state;
    state.scope = StateScope::kOperator;
    state.name = in_.Text("the name of an operator state");
    const std::uint8_t mode = in_.U8("the distribution of an operator state");
    Offsets("the offsets of an operator state");
    if (mode >= kModes.size()) {
      in_.Fail("an operator state of unknown distribution " + std::to_string(mode));
      return;
    }
    state.kind = kModes[mode];
    if (in_.ok()) states->push_back(std::move(state));
  }
}

// --- In-flight data ------------------------------------------------------------------------------

void StateHandles::Channel(std::optional<std::uint8_t> merged_kind, HandleSizes* sizes) {
  if (merged_kind) {
    // 1 and 2: a channel's, a subpartition's; 3 and 4: merged ones of these.
    const std::uint8_t kind = in_.U8("the kind of in-flight data");
    if (kind != *merged_kind && kind != *merged_kind - 2) {
      in_.Fail("in-flight data of unknown kind " + std::to_string(kind));
      return;
    }
    if (kind == *merged_kind) {
      in_.I32("the subtask of in-flight data");
      AddBoth(Size("the size of in-flight data"), sizes);
      Stream(nullptr, 0);
      in_.Skip(in_.Length("the length of channel offsets"), "channel offsets");
      return;
    }
  }
  in_.I32("the subtask of in-flight data");
  in_.I32("the gate or partition of in-flight data");
  in_.I32("the channel or subpartition of in-flight data");
  Offsets("the offsets of in-flight data");
  AddBoth(Size("the size of in-flight data"), sizes);
  Stream(nullptr, 0);
}

}  // namespace fss
