// Ids of jobs and vertices.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "sidecar/base/text.h"

namespace fss {

// 32 hex digits. What else an answer calls an id never gets into a path.
inline bool IsFlinkId(std::string_view id) {
  constexpr std::size_t kDigits = 32;
  return id.size() == kDigits && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

// A vertex's id as an answer writes it, in small letters for all answers alike. Any text; 64 bytes
// of it at most.
inline std::string VertexIdOf(std::string_view text) {
  constexpr std::size_t kMaxBytes = 64;
  std::string id = OneLine(text, kMaxBytes);
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return id;
}

// "localhost:41023-8ea2c4", a pod's name: a TaskManager's id.
inline constexpr std::size_t kMaxTaskManagerIdBytes = 256;

}  // namespace fss
