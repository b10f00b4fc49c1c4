// The hash behind Flink's operator ids.
#pragma once

#include <string>
#include <string_view>

namespace fss {

// The JobVertexID / OperatorID that Flink derives from an operator uid, as 32 lower-case hex
// digits: MurmurHash3 x64 128 with seed 0 over the UTF-8 text, the two halves little endian
// (StreamGraphHasherV2.generateUserSpecifiedHash, Guava's murmur3_128; 1.18 to 2.3).
// "19_join" → "41278ca6737f2182d66d9b3d641765b6". Safe from any thread.
std::string OperatorIdFromUid(std::string_view uid);

}  // namespace fss
