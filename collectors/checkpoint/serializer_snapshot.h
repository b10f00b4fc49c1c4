// Serializer snapshots: Flink's description of how a state's bytes are written (Flink 1.8 to 2.3).
//
// A snapshot begins with its class and version and has no length: to get behind it, its class must
// be known, or its layout be one that tells itself. Pure; safe from any thread.
#pragma once

#include <string_view>

#include "collectors/checkpoint/byte_reader.h"

namespace fss {

// The class of the snapshot of a state with a TTL (Flink 1.8 on). It is the state's own snapshot,
// or that of the elements of a list and the values of a map.
inline constexpr std::string_view kTtlSnapshotClass =
    "org.apache.flink.runtime.state.ttl.TtlStateFactory$TtlSerializerSnapshot";

// Takes one snapshot with what is nested in it off `*in`; true where one of them is
// kTtlSnapshotClass. `*in` fails where a snapshot is not understood.
bool SkipSerializerSnapshot(ByteReader* in);

// The same behind the version that precedes the snapshots in a state's description. Version 1
// (Flink 1.6 and before: serializers as Java objects) is not understood.
bool SkipDescribedSnapshot(ByteReader* in);

}  // namespace fss
