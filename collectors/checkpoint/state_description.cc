#include "collectors/checkpoint/state_description.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "collectors/checkpoint/byte_reader.h"
#include "collectors/checkpoint/java_text.h"
#include "collectors/checkpoint/serializer_snapshot.h"

namespace fss {
namespace {

// KeyedBackendSerializationProxy: 6 since Flink 1.7. OperatorBackendSerializationProxy: 5 since
// 1.7, 6 (with a flag for compression) since 1.20.
constexpr std::int32_t kKeyedVersion = 6;
constexpr std::int32_t kOperatorVersion = 5;
constexpr std::int32_t kOperatorVersionWithFlag = 6;

// A state has one option and up to three serializers.
constexpr std::int32_t kMaxOptions = 8;
constexpr std::int32_t kMaxSerializers = 8;
// How often the reading may be taken up again behind bytes that it did not understand: bounds what
// hostile bytes can cost.
constexpr int kMaxGaps = 32;
// Longer names are not recognised behind a gap, for the same reason.
constexpr std::size_t kMaxNameBehindGap = 128;

constexpr std::string_view kValueSerializer = "VALUE_SERIALIZER";
constexpr auto kSerializerKeys = std::to_array<std::string_view>(
    {"KEY_SERIALIZER", "NAMESPACE_SERIALIZER", kValueSerializer, "USER_KEY_SERIALIZER"});

constexpr std::string_view kKeyedTypeOption = "KEYED_STATE_TYPE";
constexpr std::string_view kModeOption = "OPERATOR_STATE_DISTRIBUTION_MODE";
constexpr auto kOptionKinds = std::to_array<std::pair<std::string_view, StateKind>>({
    {"VALUE", StateKind::kValue},
    {"LIST", StateKind::kList},
    {"MAP", StateKind::kMap},
    {"REDUCING", StateKind::kAggregating},
    {"AGGREGATING", StateKind::kAggregating},
    {"SPLIT_DISTRIBUTE", StateKind::kSplitList},
    {"UNION", StateKind::kUnionList},
    {"BROADCAST", StateKind::kBroadcast},
});

// StateMetaInfoSnapshot.BackendStateType, by ordinal: KEY_VALUE, OPERATOR, BROADCAST,
// PRIORITY_QUEUE, KEY_VALUE_V2 (2.0 on).
constexpr std::int32_t kPriorityQueue = 3;
constexpr std::int32_t kLastBackendType = 4;
constexpr std::string_view kTimerPrefix = "_timer_state/";

struct Header {
  CheckpointState state;
  std::int32_t serializers = 0;
  bool usual = true;  // its options are Flink's own
};

bool IsSerializerKey(std::string_view key) {
  return std::ranges::find(kSerializerKeys, key) != kSerializerKeys.end();
}

StateKind KindOf(std::string_view option) {
  const auto* const found =
      std::ranges::find(kOptionKinds, option, &std::pair<std::string_view, StateKind>::first);
  return found == kOptionKinds.end() ? StateKind::kUnknown : found->second;
}

// The part of a state's description before its serializers; `in` fails for what is none.
Header ReadHeader(ByteReader* in) {
  Header header;
  const std::string_view name = in->Text();
  const std::int32_t type = in->I32();
  if (type < 0 || type > kLastBackendType) in->Fail();
  if (!in->ok() || !AppendJavaText(name, &header.state.name)) in->Fail();
  const std::int32_t options = in->Count(4);
  if (options > kMaxOptions) in->Fail();
  for (std::int32_t i = 0; i < options && in->ok(); ++i) {
    const std::string_view key = in->Text();
    const std::string_view value = in->Text();
    header.usual = header.usual && (key == kKeyedTypeOption || key == kModeOption);
    if (key == kKeyedTypeOption || key == kModeOption) header.state.kind = KindOf(value);
  }
  header.serializers = in->I32();
  if (header.serializers < 0 || header.serializers > kMaxSerializers) in->Fail();
  if (type == kPriorityQueue && header.state.name.starts_with(kTimerPrefix)) {
    header.state.kind = StateKind::kTimers;
  }
  return header;
}

// Whether a serializer's key and the first word of its description begin `bytes`.
bool BeginsSerializer(std::string_view bytes) {
  ByteReader in(bytes);
  const bool known = IsSerializerKey(in.Text());
  const std::int32_t version = in.I32();
  return known && in.ok() && (version == 1 || version == 2);
}

// Whether a state's description begins `bytes`, beyond reasonable doubt.
bool BeginsState(std::string_view bytes) {
  ByteReader in(bytes);
  const std::string_view name = in.Text();
  if (name.empty() || name.size() > kMaxNameBehindGap) return false;
  in.Seek(0);
  const Header header = ReadHeader(&in);
  return in.ok() && header.usual && header.serializers > 0 && BeginsSerializer(in.rest()) &&
         std::ranges::all_of(name, [](char c) { return static_cast<std::uint8_t>(c) >= 0x20; });
}

class DescriptionReader {
 public:
  DescriptionReader(std::string_view bytes, StateScope scope) : in_(bytes), scope_(scope) {}

  StatesDescribed Keyed();
  StatesDescribed Operator();

 private:
  // A number of states, and these.
  void States();
  bool State();
  // Reads a state's serializers; its TTL, where the value's serializer tells.
  bool Serializers(std::int32_t count, std::optional<bool>* ttl);
  // Behind a snapshot that begins at `from` and was not understood: goes to what is recognised
  // next. `in_state`: that may be another serializer of the same state.
  bool Recover(std::size_t from, bool in_state);
  StatesDescribed Finish();

  ByteReader in_;
  StateScope scope_;
  StatesDescribed found_;
  int gaps_ = 0;
  bool all_ = false;
};

bool DescriptionReader::Recover(std::size_t from, bool in_state) {
  if (++gaps_ > kMaxGaps) return false;
  const std::string_view all = in_.all();
  for (std::size_t at = from; at < all.size(); ++at) {
    const std::string_view bytes = all.substr(at);
    if ((in_state && BeginsSerializer(bytes)) || BeginsState(bytes)) {
      in_.Seek(at);
      return true;
    }
  }
  return false;
}

bool DescriptionReader::Serializers(std::int32_t count, std::optional<bool>* ttl) {
  for (std::int32_t left = count; left > 0; --left) {
    const std::string_view key = in_.Text();
    if (!in_.ok()) return false;
    const bool value = key == kValueSerializer;
    const std::size_t from = in_.pos();
    const bool with_ttl = SkipDescribedSnapshot(&in_);
    if (in_.ok()) {
      if (value) *ttl = with_ttl;
      continue;
    }
    const bool recovered = Recover(from, left > 1);
    const std::size_t to = recovered ? in_.pos() : in_.all().size();
    const std::string_view gap = in_.all().substr(from, to - from);
    if (value && gap.find(kTtlSnapshotClass) != std::string_view::npos) *ttl = true;
    if (!recovered) return false;
    // The next state, not the next serializer of this one.
    if (!BeginsSerializer(in_.rest())) return true;
  }
  return true;
}

bool DescriptionReader::State() {
  Header header = ReadHeader(&in_);
  if (!in_.ok()) return false;
  header.state.scope = scope_;
  const bool behind = Serializers(header.serializers, &header.state.ttl_enabled);
  found_.states.push_back(std::move(header.state));
  return behind;
}

void DescriptionReader::States() {
  const std::uint16_t count = in_.U16();
  all_ = false;
  if (!in_.ok()) return;
  for (std::uint16_t i = 0; i < count; ++i) {
    const std::size_t before = found_.states.size();
    if (State()) continue;
    // The end of the last one need not be found.
    all_ = i + 1 == count && found_.states.size() > before;
    return;
  }
  all_ = true;
}

StatesDescribed DescriptionReader::Finish() {
  found_.complete = all_;
  found_.cut = in_.RanOut();
  return std::move(found_);
}

StatesDescribed DescriptionReader::Keyed() {
  const bool known = in_.I32() == kKeyedVersion;
  in_.U8();  // whether key groups are compressed; this description never is
  if (!in_.ok() || !known) return Finish();
  const std::size_t from = in_.pos();
  SkipDescribedSnapshot(&in_);  // of the key
  if (!in_.ok()) {
    constexpr std::size_t kCountBytes = 2;
    const bool cut = in_.RanOut();
    if (!Recover(from + kCountBytes, false)) {
      found_.cut = cut;
      return std::move(found_);
    }
    in_.Seek(in_.pos() - kCountBytes);
  }
  States();
  return Finish();
}

StatesDescribed DescriptionReader::Operator() {
  const std::int32_t version = in_.I32();
  if (version == kOperatorVersionWithFlag) in_.U8();
  if (version != kOperatorVersion && version != kOperatorVersionWithFlag) return Finish();
  States();
  if (all_ && in_.ok()) States();
  return Finish();
}

}  // namespace

StatesDescribed DescribedKeyedStates(std::string_view bytes) {
  return DescriptionReader(bytes, StateScope::kKeyed).Keyed();
}

StatesDescribed DescribedOperatorStates(std::string_view bytes) {
  return DescriptionReader(bytes, StateScope::kOperator).Operator();
}

}  // namespace fss
