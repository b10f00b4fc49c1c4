// YAML text as a tree of texts, with the lines to name in errors. The only door to yaml-cpp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/base/result.h"

namespace fss {

enum class YamlKind { kNothing, kText, kList, kMap };

// A value, and the key below which it stands where it is a map's. A plain value type.
struct YamlNode {
  YamlKind kind = YamlKind::kNothing;
  int line = 1;  // where the value begins, from 1
  std::string text;
  std::vector<YamlNode> items;  // of a list or a map, in the order of the text
  std::string key;
  int key_line = 1;
};

// What a document may have: far more than rules need, far less than hurts.
inline constexpr int kMaxYamlDepth = 16;
inline constexpr std::size_t kMaxYamlNodes = 100'000;
inline constexpr std::size_t kMaxYamlKeys = 64;  // of one map
// Brackets, quotes, colons and the like in the whole text. yaml-cpp 0.7 holds all of a flow
// collection's tokens until its end is found, some 240 bytes each: 1 MiB of "[" took 240 MiB.
inline constexpr std::size_t kMaxYamlIndicators = 100'000;

// The one document of `text`; kNothing for an empty text. kMalformed for what is no UTF-8 or no
// YAML, for a second document, a key twice in one map, a key that is no text, tags, anchors and
// aliases (so that nothing can multiply); kTooLarge above the limits. The error's context is the
// line as a number, or empty. Safe from any thread.
Result<YamlNode> ParseYaml(std::string_view text);

}  // namespace fss
