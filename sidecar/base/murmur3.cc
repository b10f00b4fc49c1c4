#include "sidecar/base/murmur3.h"

#include <murmurhash.h>

#include <array>
#include <cstdint>
#include <limits>

namespace fss {

std::string OperatorIdFromUid(std::string_view uid) {
  // The library takes a 32-bit length; a uid that long is no uid.
  uid = uid.substr(0, std::numeric_limits<std::uint32_t>::max());
  std::array<std::uint64_t, 2> halves{};
  lmmh_x64_128(uid.data(), static_cast<std::uint32_t>(uid.size()), 0, halves.data());
  constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(32);
  for (std::uint64_t half : halves) {
    for (int byte = 0; byte < 8; ++byte) {
      const auto b = static_cast<std::uint8_t>(half >> (8 * byte));
      hex += kHex[b >> 4];
      hex += kHex[b & 15];
    }
  }
  return hex;
}

}  // namespace fss
