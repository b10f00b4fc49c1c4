#include "exporters/junit/xml_text.h"

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// What stands for an ASCII character; empty where it stands for itself.
std::string_view Escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    default:
      return static_cast<unsigned char>(c) < ' ' ? kReplacement : std::string_view();
  }
}

}  // namespace

std::string XmlText(std::string_view text) {
  const std::string valid = ValidUtf8(text);
  const std::string_view rest = valid;
  std::string out;
  out.reserve(valid.size());
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::string_view three = rest.substr(i, 3);
    if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {  // U+FFFE, U+FFFF
      out += kReplacement;
      i += 2;
    } else if (const std::string_view escaped = Escaped(rest[i]); !escaped.empty()) {
      out += escaped;
    } else {
      out += rest[i];
    }
  }
  return out;
}

}  // namespace fss
