// What a JSON parser tells of a value.
#pragma once

#include <string_view>

namespace fss {

struct JsonToken {
  enum class Type { kNull, kBool, kNumber, kString, kObject, kArray };
  Type type = Type::kNull;
  std::string_view text;  // a string's value, or the literal: "true", "1.5e3"; valid for the call
};

}  // namespace fss
