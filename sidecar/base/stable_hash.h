// A hash that is the same in every process, version and machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace fss {

// FNV-1a, 64 bit. Not for what an adversary chooses.
constexpr std::uint64_t StableHash(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

}  // namespace fss
