// Ids of jobs and vertices.
#pragma once

#include <algorithm>
#include <string_view>

namespace fss {

// 32 hex digits. What else an answer calls an id never gets into a path.
inline bool IsFlinkId(std::string_view id) {
  constexpr std::size_t kDigits = 32;
  return id.size() == kDigits && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
         });
}

}  // namespace fss
