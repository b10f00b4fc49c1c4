// What a JSON parser tells of a value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fss {

struct JsonToken {
  enum class Type { kNull, kBool, kNumber, kString, kObject, kArray };
  Type type = Type::kNull;
  std::string_view text;  // a string's value, or the literal: "true", "1.5e3"; valid for the call
};

// As much of a text as a message shows.
inline constexpr std::size_t kShownBytes = 80;

// For messages, on one line: "an object", "a list", the string in quotes, or the literal.
std::string Shown(const JsonToken& token);

}  // namespace fss
