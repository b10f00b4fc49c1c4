#include "collectors/checkpoint/serializer_snapshot.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "collectors/checkpoint/java_object.h"

namespace fss {
namespace {

// Rows in rows in maps: real ones nest about 10 deep. Bounds the stack.
constexpr int kMaxSnapshotDepth = 100;

constexpr std::int32_t kDescribedVersion = 2;
constexpr std::int32_t kCompositeMagic = 911108;
constexpr std::int32_t kNestedMagic = 1333245;
constexpr std::int32_t kNestedVersion = 1;
constexpr std::int64_t kOptionalMapHeader = 0x4F2C69A3D70;
// Of SimpleTypeSerializerSnapshot (no body) and CompositeTypeSerializerSnapshot (magic first).
constexpr std::int32_t kCurrentVersion = 3;
// Of both before Flink 1.8: the serializer's class name, or the outer body without magic.
constexpr std::int32_t kLegacyVersion = 2;

// A snapshot has a class name and a version at least.
constexpr std::uint64_t kLeastSnapshotBytes = 6;
// A Java object has a stream header and a tag at least.
constexpr std::uint64_t kLeastObjectBytes = 5;

class SnapshotWalker {
 public:
  explicit SnapshotWalker(ByteReader* in) : in_(*in) {}

  void Snapshot(int depth);
  [[nodiscard]] bool ttl() const { return ttl_; }

  // Bodies of snapshots that are neither simple nor composite, and the outer bodies of composites.
  void Nothing(int) {}
  void Text(int) { in_.Text(); }
  void OneInt(int) { in_.I32(); }
  void TwoInts(int) { in_.I64(); }
  // A flag that newer versions of the class have.
  void FlagIfAny(int) {
    if (!NextIsNested()) in_.U8();
  }
  void TwoObjects(int) { Objects(2); }
  void FourObjects(int) { Objects(4); }
  void ObjectAndFlag(int) {
    Objects(1);
    in_.U8();
  }
  void RowData(int depth) {
    Objects(in_.Count(kLeastObjectBytes));
    Nested(depth);
  }
  void SortedMap(int depth) {
    Objects(1);
    Nested(depth);
  }
  void RowDataKey(int depth) {
    in_.Take(static_cast<std::uint64_t>(in_.Count(1)));  // the equaliser
    in_.Take(static_cast<std::uint64_t>(in_.Count(1)));  // the hash function
    Snapshot(depth);
  }
  void TtlAware(int depth) {
    if (in_.U8() != 0) ttl_ = true;
    Snapshot(depth);
  }
  void Enum(int) {
    in_.Text();
    Texts(in_.Count(2));
  }
  void Avro(int) {
    if (version_ == kCurrentVersion) {
      LongText();
      LongText();
    } else {
      Texts(version_);
    }
  }
  // POJOs and Kryo: what is nested lies in frames that have a length. TTL wraps a whole value, so
  // none of it is of interest.
  void OptionalMaps(int) {
    in_.Text();
    for (int i = 0; i < 3 && in_.ok(); ++i) OptionalMap();
  }

 private:
  void Composite(std::string_view name, int depth);
  void Nested(int depth);
  void OptionalMap();
  void LongText();
  std::uint64_t VarLength();
  void Objects(std::int32_t count) {
    for (std::int32_t i = 0; i < count && in_.ok(); ++i) SkipJavaObject(&in_);
  }
  void Texts(std::int32_t count) {
    for (std::int32_t i = 0; i < count && in_.ok(); ++i) in_.Text();
  }
  bool NextIsNested() { return NextIs(kNestedMagic); }
  bool NextIs(std::int32_t number) {
    ByteReader ahead(in_.rest());
    return ahead.I32() == number && ahead.ok();
  }
  // Whether a composite's body begins here, or might where the bytes are cut.
  bool CompositeBegins(std::string_view name);

  ByteReader& in_;
  bool ttl_ = false;
  std::int32_t version_ = 0;  // of the snapshot whose body is about to be read
};

struct ClassBody {
  std::string_view name;
  void (SnapshotWalker::*read)(int depth);
};

const ClassBody* Find(std::span<const ClassBody> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &ClassBody::name);
  return found == table.end() ? nullptr : &*found;
}

#define FSS_TABLE_TYPES "org.apache.flink.table.runtime.typeutils."
#define FSS_JAVA_TYPES "org.apache.flink.api.java.typeutils.runtime."
#define FSS_BASE_TYPES "org.apache.flink.api.common.typeutils.base."

// Snapshots with a layout of their own.
constexpr auto kOwnBodies = std::to_array<ClassBody>({
    {FSS_TABLE_TYPES "RowDataSerializer$RowDataSerializerSnapshot", &SnapshotWalker::RowData},
    {FSS_TABLE_TYPES "ArrayDataSerializer$ArrayDataSerializerSnapshot",
     &SnapshotWalker::TwoObjects},
    {FSS_TABLE_TYPES "MapDataSerializer$MapDataSerializerSnapshot", &SnapshotWalker::FourObjects},
    {FSS_TABLE_TYPES "BinaryRowDataSerializer$BinaryRowDataSerializerSnapshot",
     &SnapshotWalker::OneInt},
    {FSS_TABLE_TYPES "DecimalDataSerializer$DecimalSerializerSnapshot", &SnapshotWalker::TwoInts},
    {FSS_TABLE_TYPES "TimestampDataSerializer$TimestampDataSerializerSnapshot",
     &SnapshotWalker::OneInt},
    {FSS_TABLE_TYPES "SortedMapSerializerSnapshot", &SnapshotWalker::SortedMap},
    {"org.apache.flink.table.runtime.sequencedmultisetstate.linked.RowDataKeySerializerSnapshot",
     &SnapshotWalker::RowDataKey},
    {"org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshot", &SnapshotWalker::TtlAware},
    {FSS_JAVA_TYPES "PojoSerializerSnapshot", &SnapshotWalker::OptionalMaps},
    {FSS_JAVA_TYPES "kryo.KryoSerializerSnapshot", &SnapshotWalker::OptionalMaps},
    {FSS_JAVA_TYPES "CopyableValueSerializer$CopyableValueSerializerSnapshot",
     &SnapshotWalker::Text},
    {FSS_JAVA_TYPES "ValueSerializer$ValueSerializerSnapshot", &SnapshotWalker::Text},
    {FSS_BASE_TYPES "EnumSerializer$EnumSerializerSnapshot", &SnapshotWalker::Enum},
    {"org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot", &SnapshotWalker::Avro},
});

// Composites whose outer body is not empty.
constexpr auto kOuterBodies = std::to_array<ClassBody>({
    {FSS_TABLE_TYPES "ExternalSerializer$ExternalSerializerSnapshot",
     &SnapshotWalker::ObjectAndFlag},
    {FSS_TABLE_TYPES "LinkedListSerializer$LinkedListSerializerSnapshot",
     &SnapshotWalker::FlagIfAny},
    {FSS_JAVA_TYPES "TupleSerializerSnapshot", &SnapshotWalker::Text},
    {FSS_JAVA_TYPES "RowSerializer$RowSerializerSnapshot", &SnapshotWalker::FlagIfAny},
    {FSS_JAVA_TYPES "NullableSerializer$NullableSerializerSnapshot", &SnapshotWalker::OneInt},
    {"org.apache.flink.api.scala.typeutils.ScalaCaseClassSerializerSnapshot",
     &SnapshotWalker::Text},
    {FSS_BASE_TYPES "GenericArraySerializerSnapshot", &SnapshotWalker::Text},
    {"org.apache.flink.cep.nfa.NFAStateSerializerSnapshot", &SnapshotWalker::FlagIfAny},
    {"org.apache.flink.streaming.api.functions.sink.TwoPhaseCommitSinkFunction$"
     "StateSerializerSnapshot",
     &SnapshotWalker::FlagIfAny},
});

// Composites that a TTL may be in: never to be taken for simple ones where the bytes are cut.
constexpr auto kComposites = std::to_array<std::string_view>({
    kTtlSnapshotClass,
    FSS_BASE_TYPES "ListSerializerSnapshot",
    FSS_BASE_TYPES "MapSerializerSnapshot",
});

#undef FSS_TABLE_TYPES
#undef FSS_JAVA_TYPES
#undef FSS_BASE_TYPES

void SnapshotWalker::Snapshot(int depth) {
  if (depth > kMaxSnapshotDepth) in_.Fail();
  const std::string_view name = in_.Text();
  version_ = in_.I32();
  if (!in_.ok()) return;
  if (name == kTtlSnapshotClass) ttl_ = true;
  if (const ClassBody* body = Find(kOwnBodies, name); body != nullptr) {
    (this->*body->read)(depth + 1);
  } else if (version_ == kCurrentVersion && CompositeBegins(name)) {
    if (in_.I32() != kCompositeMagic) in_.Fail();
    in_.I32();  // the outer version
    Composite(name, depth);
  } else if (version_ <= kLegacyVersion &&
             (Find(kOuterBodies, name) != nullptr || NextIsNested())) {
    Composite(name, depth);
  } else if (name.starts_with("org.apache.flink.") && version_ == kCurrentVersion) {
    // A simple one: its class says all.
  } else if (name.starts_with("org.apache.flink.") && version_ == kLegacyVersion) {
    in_.Text();
  } else {
    in_.Fail();
  }
}

bool SnapshotWalker::CompositeBegins(std::string_view name) {
  if (NextIs(kCompositeMagic) || std::ranges::find(kComposites, name) != kComposites.end()) {
    return true;
  }
  constexpr std::string_view kMagicBytes("\x00\x0D\xE7\x04", 4);
  return !in_.rest().empty() && kMagicBytes.starts_with(in_.rest());
}

void SnapshotWalker::Composite(std::string_view name, int depth) {
  if (const ClassBody* body = Find(kOuterBodies, name); body != nullptr) {
    (this->*body->read)(depth + 1);
  }
  Nested(depth);
}

void SnapshotWalker::Nested(int depth) {
  if (in_.I32() != kNestedMagic || in_.I32() != kNestedVersion) in_.Fail();
  const std::int32_t count = in_.Count(kLeastSnapshotBytes);
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) Snapshot(depth + 1);
}

void SnapshotWalker::OptionalMap() {
  if (in_.I64() != kOptionalMapHeader) in_.Fail();
  const std::int32_t count = in_.Count(4);
  for (std::int32_t i = 0; i < count && in_.ok(); ++i) {
    in_.Text();
    for (int frame = 0; frame < 2; ++frame) {
      if (in_.U8() != 0) in_.Take(static_cast<std::uint64_t>(in_.Count(1)));
    }
  }
}

// StringValue.writeString: a length and characters of 7 bits a byte each.
std::uint64_t SnapshotWalker::VarLength() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 35 && in_.ok(); shift += 7) {
    const std::uint8_t byte = in_.U8();
    number |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return number;
  }
  in_.Fail();
  return 0;
}

void SnapshotWalker::LongText() {
  const std::uint64_t length = VarLength();  // plus one; 0 is null
  for (std::uint64_t i = 1; i < length && in_.ok(); ++i) VarLength();
}

}  // namespace

bool SkipSerializerSnapshot(ByteReader* in) {
  SnapshotWalker walker(in);
  walker.Snapshot(0);
  return walker.ttl();
}

bool SkipDescribedSnapshot(ByteReader* in) {
  if (in->I32() != kDescribedVersion) in->Fail();
  return SkipSerializerSnapshot(in);
}

}  // namespace fss
