// Serializer snapshots and backends' descriptions of states as Flink writes them, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/checkpoint/serializer_snapshot.h"
#include "tests/unit/collectors/checkpoint/java_bytes.h"

namespace fss {

inline std::string SimpleSnapshot(std::string_view name =
                                      "org.apache.flink.api.common.typeutils.base.LongSerializer$"
                                      "LongSerializerSnapshot") {
  return JavaBytes().Text(name).I32(3).bytes();
}

// A composite one with an outer body.
inline std::string CompositeSnapshot(std::string_view name, const std::vector<std::string>& nested,
                                     std::string_view body = "") {
  JavaBytes bytes;
  bytes.Text(name).I32(3).I32(911108).I32(1).Raw(body);
  bytes.I32(1333245).I32(1).I32(static_cast<std::int32_t>(nested.size()));
  for (const std::string& snapshot : nested) bytes.Raw(snapshot);
  return bytes.bytes();
}

inline std::string ListSnapshot(const std::string& element) {
  return CompositeSnapshot("org.apache.flink.api.common.typeutils.base.ListSerializerSnapshot",
                           {element});
}

inline std::string MapSnapshot(const std::string& key, const std::string& value) {
  return CompositeSnapshot("org.apache.flink.api.common.typeutils.base.MapSerializerSnapshot",
                           {key, value});
}

inline std::string TtlSnapshot(const std::string& value) {
  return CompositeSnapshot(kTtlSnapshotClass, {SimpleSnapshot(), value});
}

// Of a user's class, with a body that nobody knows.
inline std::string UnknownSnapshot(std::string_view body = "whatever it is") {
  return JavaBytes().Text("com.acme.MySerializer$Snapshot").I32(7).Raw(body).bytes();
}

inline std::string Described(const std::string& snapshot) {
  return JavaBytes().I32(2).Raw(snapshot).bytes();
}

// One keyed state: `type` is "VALUE", "MAP", ….
inline std::string KeyedState(std::string_view name, std::string_view type,
                              const std::string& value,
                              const std::string& name_space = SimpleSnapshot()) {
  JavaBytes bytes;
  bytes.Text(name).I32(0).I32(1).Text("KEYED_STATE_TYPE").Text(type).I32(2);
  bytes.Text("NAMESPACE_SERIALIZER").Raw(Described(name_space));
  bytes.Text("VALUE_SERIALIZER").Raw(Described(value));
  return bytes.bytes();
}

inline std::string Timers(std::string_view name) {
  return JavaBytes()
      .Text(name)
      .I32(3)
      .I32(0)
      .I32(1)
      .Text("VALUE_SERIALIZER")
      .Raw(Described(SimpleSnapshot()))
      .bytes();
}

inline std::string KeyedDescription(const std::vector<std::string>& states,
                                    const std::string& key = SimpleSnapshot()) {
  JavaBytes bytes;
  bytes.I32(6).U8(1).Raw(Described(key)).U16(static_cast<std::uint16_t>(states.size()));
  for (const std::string& state : states) bytes.Raw(state);
  return bytes.bytes();
}

}  // namespace fss
