#include "collectors/checkpoint/serializer_snapshot.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/collectors/checkpoint/snapshot_bytes.h"

namespace fss {
namespace {

constexpr std::string_view kTable = "org.apache.flink.table.runtime.typeutils.";
constexpr std::string_view kRuntime = "org.apache.flink.api.java.typeutils.runtime.";
constexpr std::string_view kBase = "org.apache.flink.api.common.typeutils.base.";

std::string Named(std::string_view package, std::string_view name) {
  return std::string(package) + std::string(name);
}

// "ttl", "no ttl", "not understood", "more" where bytes are left.
std::string Verdict(const std::string& snapshot) {
  ByteReader in(snapshot);
  const bool ttl = SkipSerializerSnapshot(&in);
  if (!in.ok()) return "not understood";
  if (!in.rest().empty()) return "more";
  return ttl ? "ttl" : "no ttl";
}

TEST(SerializerSnapshot, FindsTheTtlWhereverItIsNested) {
  EXPECT_EQ(Verdict(SimpleSnapshot()), "no ttl");
  EXPECT_EQ(Verdict(TtlSnapshot(SimpleSnapshot())), "ttl");
  EXPECT_EQ(Verdict(ListSnapshot(TtlSnapshot(SimpleSnapshot()))), "ttl");
  EXPECT_EQ(Verdict(MapSnapshot(SimpleSnapshot(), TtlSnapshot(SimpleSnapshot()))), "ttl");
  EXPECT_EQ(Verdict(MapSnapshot(SimpleSnapshot(), ListSnapshot(SimpleSnapshot()))), "no ttl");
}

TEST(SerializerSnapshot, ReadsEachLayout) {
  const std::string null = JavaBytes().U16(0xACED).U16(5).U8(0x70).bytes();
  const auto own = [](const std::string& name, std::int32_t version, const std::string& body) {
    return Verdict(JavaBytes().Text(name).I32(version).Raw(body).bytes());
  };
  const std::string nested = JavaBytes().I32(1333245).I32(1).I32(1).Raw(SimpleSnapshot()).bytes();
  EXPECT_EQ(own(Named(kTable, "RowDataSerializer$RowDataSerializerSnapshot"), 3,
                JavaBytes().I32(2).Raw(null).Raw(null).Raw(nested).bytes()),
            "no ttl");
  EXPECT_EQ(own(Named(kTable, "ArrayDataSerializer$ArrayDataSerializerSnapshot"), 3, null + null),
            "no ttl");
  EXPECT_EQ(own(Named(kTable, "MapDataSerializer$MapDataSerializerSnapshot"), 3,
                null + null + null + null),
            "no ttl");
  EXPECT_EQ(own(Named(kTable, "BinaryRowDataSerializer$BinaryRowDataSerializerSnapshot"), 3,
                JavaBytes().I32(4).bytes()),
            "no ttl");
  EXPECT_EQ(own(Named(kTable, "DecimalDataSerializer$DecimalSerializerSnapshot"), 3,
                JavaBytes().I32(10).I32(2).bytes()),
            "no ttl");
  EXPECT_EQ(own(Named(kTable, "SortedMapSerializerSnapshot"), 3, null + nested), "no ttl");
  EXPECT_EQ(own(Named(kBase, "EnumSerializer$EnumSerializerSnapshot"), 3,
                JavaBytes().Text("a.Color").I32(2).Text("RED").Text("BLUE").bytes()),
            "no ttl");
  EXPECT_EQ(own("org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot", 2,
                JavaBytes().Text("a.Record").Text("{}").bytes()),
            "no ttl");
  // A length plus one, then a byte for each character (two for those above 127).
  EXPECT_EQ(own("org.apache.flink.formats.avro.typeutils.AvroSerializerSnapshot", 3,
                JavaBytes().U8(3).Raw("ab").U8(2).U8(0xE9).U8(0x01).bytes()),
            "no ttl");
  EXPECT_EQ(own("org.apache.flink.table.runtime.sequencedmultisetstate.linked."
                "RowDataKeySerializerSnapshot",
                0, JavaBytes().Framed("equals").Framed("hash").Raw(SimpleSnapshot()).bytes()),
            "no ttl");
  const std::string aware = "org.apache.flink.runtime.state.ttl.TtlAwareSerializerSnapshot";
  EXPECT_EQ(own(aware, 1, JavaBytes().U8(1).Raw(SimpleSnapshot()).bytes()), "ttl");
  EXPECT_EQ(own(aware, 1, JavaBytes().U8(0).Raw(SimpleSnapshot()).bytes()), "no ttl");

  EXPECT_EQ(
      Verdict(CompositeSnapshot(Named(kTable, "ExternalSerializer$ExternalSerializerSnapshot"),
                                {SimpleSnapshot()}, null + "\x01")),
      "no ttl");
  EXPECT_EQ(Verdict(CompositeSnapshot(Named(kRuntime, "TupleSerializerSnapshot"),
                                      {SimpleSnapshot(), SimpleSnapshot()},
                                      JavaBytes().Text("Tuple2").bytes())),
            "no ttl");
  for (const std::string_view flag : {"", "\x01"}) {  // older and newer versions
    EXPECT_EQ(Verdict(CompositeSnapshot(Named(kRuntime, "RowSerializer$RowSerializerSnapshot"),
                                        {SimpleSnapshot()}, flag)),
              "no ttl");
  }
  // A user's composite without anything of its own tells its layout itself.
  EXPECT_EQ(Verdict(CompositeSnapshot("com.acme.PairSnapshot",
                                      {SimpleSnapshot(), TtlSnapshot(SimpleSnapshot())})),
            "ttl");
}

TEST(SerializerSnapshot, ReadsPojosAndKryoByTheirFrames) {
  const std::int64_t header = 0x4F2C69A3D70;
  const std::string empty = JavaBytes().I64(header).I32(0).bytes();
  const std::string fields = JavaBytes()
                                 .I64(header)
                                 .I32(2)
                                 .Text("amount")
                                 .U8(1)
                                 .Framed("the field")
                                 .U8(1)
                                 .Framed(UnknownSnapshot())
                                 .Text("gone")
                                 .U8(0)
                                 .U8(0)
                                 .bytes();
  for (const std::string_view name : {"PojoSerializerSnapshot", "kryo.KryoSerializerSnapshot"}) {
    const std::string snapshot = JavaBytes()
                                     .Text(Named(kRuntime, name))
                                     .I32(2)
                                     .Text("com.acme.Order")
                                     .Raw(fields)
                                     .Raw(empty)
                                     .Raw(empty)
                                     .bytes();
    EXPECT_EQ(Verdict(snapshot), "no ttl");
    EXPECT_EQ(Verdict(snapshot.substr(0, snapshot.size() - 1)), "not understood");
  }
}

TEST(SerializerSnapshot, ReadsWhatFlinkBefore18Wrote) {
  // Simple ones with the serializer's class, composites without a magic number.
  EXPECT_EQ(Verdict(JavaBytes()
                        .Text(Named(kBase, "LongSerializer$LongSerializerSnapshot"))
                        .I32(2)
                        .Text(Named(kBase, "LongSerializer"))
                        .bytes()),
            "no ttl");
  EXPECT_EQ(Verdict(JavaBytes()
                        .Text(Named(kBase, "ListSerializerSnapshot"))
                        .I32(1)
                        .I32(1333245)
                        .I32(1)
                        .I32(1)
                        .Raw(TtlSnapshot(SimpleSnapshot()))
                        .bytes()),
            "ttl");
}

TEST(SerializerSnapshot, IsNotUnderstoodWhereTheClassIsNotKnown) {
  EXPECT_EQ(Verdict(UnknownSnapshot()), "not understood");
  EXPECT_EQ(Verdict(ListSnapshot(UnknownSnapshot())), "not understood");
  EXPECT_EQ(Verdict(JavaBytes().Text("com.acme.Simple").I32(3).bytes()), "not understood");
  EXPECT_EQ(Verdict(CompositeSnapshot("com.acme.PairSnapshot", {SimpleSnapshot()}, "body")),
            "not understood");
  EXPECT_EQ(Verdict(""), "not understood");
}

TEST(SerializerSnapshot, DepthIsBounded) {
  std::string snapshot = SimpleSnapshot();
  for (int i = 0; i < 60; ++i) snapshot = ListSnapshot(snapshot);
  EXPECT_EQ(Verdict(snapshot), "no ttl");
  for (int i = 0; i < 60; ++i) snapshot = ListSnapshot(snapshot);
  EXPECT_EQ(Verdict(snapshot), "not understood");
}

}  // namespace
}  // namespace fss
