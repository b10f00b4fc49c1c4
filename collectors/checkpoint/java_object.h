// Walks over one object of Java's serialization stream, to find its end.
//
// Flink puts such objects between its own bytes, without a length: logical types in serializer
// snapshots, the checkpoint's properties. The stream tells its own structure (Java Object
// Serialization Specification, chapter 6), so no class needs to be known. Not read: exceptions,
// and classes that write themselves in protocol version 1. Pure; safe from any thread.
#pragma once

#include <functional>
#include <string_view>

#include "collectors/checkpoint/byte_reader.h"

namespace fss {

// Called with the class of each object and enum constant, in the order of the stream; as written
// there: "org.apache.flink.runtime.checkpoint.SavepointType".
using ClassSeen = std::function<void(std::string_view class_name)>;

// Takes a stream header and one object off `*in`, which fails where they are not to be
// understood. Memory stays below a small multiple of the bytes taken.
void SkipJavaObject(ByteReader* in, const ClassSeen& seen = nullptr);

}  // namespace fss
