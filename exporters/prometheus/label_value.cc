#include "exporters/prometheus/label_value.h"

#include <algorithm>

#include "sidecar/base/text.h"

namespace fss {
namespace {

// Longer than any UTF-8 sequence: a character that the first, rough cut hurts starts behind
// kMaxLabelBytes, so the second cut takes it away.
constexpr std::size_t kSlackBytes = 4;

constexpr std::string_view kLineSeparator = "\u2028";
constexpr std::string_view kParagraphSeparator = "\u2029";

bool IsPlainAscii(char c) { return c >= ' ' && c <= '~'; }

bool IsControlAscii(unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; }

// Bytes of the character at the head of `text` that must not stay: 0 when it may stay.
std::size_t UnwantedBytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (IsControlAscii(first)) {
    return 1;
  }
  const bool c1 = first == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0;
  if (c1) {
    return 2;
  }
  return text.starts_with(kLineSeparator) || text.starts_with(kParagraphSeparator)
             ? kLineSeparator.size()
             : 0;
}

}  // namespace

std::string LabelValue(std::string_view text) {
  text = text.substr(0, kMaxLabelBytes + kSlackBytes);
  if (std::all_of(text.begin(), text.end(), IsPlainAscii)) {
    return std::string(text.substr(0, kMaxLabelBytes));
  }
  const std::string valid = ValidUtf8(text);
  std::string_view rest = TruncateUtf8(valid, kMaxLabelBytes);
  std::string value;
  value.reserve(rest.size());
  while (!rest.empty()) {
    const std::size_t unwanted = UnwantedBytes(rest);
    value.push_back(unwanted == 0 ? rest[0] : ' ');
    rest.remove_prefix(std::max<std::size_t>(unwanted, 1));
  }
  return value;
}

}  // namespace fss
