#include "collectors/json_token.h"

#include "sidecar/base/text.h"

namespace fss {

std::string Shown(const JsonToken& token) {
  switch (token.type) {
    case JsonToken::Type::kObject:
      return "an object";
    case JsonToken::Type::kArray:
      return "a list";
    case JsonToken::Type::kString:
      return "\"" + OneLine(token.text, kShownBytes) + "\"";
    default:
      return OneLine(token.text, kShownBytes);
  }
}

}  // namespace fss
