#include "collectors/checkpoint/java_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sidecar/base/unicode.h"

namespace fss {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char32_t kHighFirst = 0xD800;
constexpr char32_t kLowFirst = 0xDC00;
constexpr char32_t kSurrogateEnd = 0xE000;

// One UTF-16 unit in one to three bytes; takes them off `*bytes`. False for what is none.
bool TakeUnit(std::string_view* bytes, char32_t* unit) {
  const auto at = [&](std::size_t i) { return static_cast<std::uint8_t>((*bytes)[i]); };
  const std::uint8_t first = at(0);
  std::size_t length = 0;
  if (first < 0x80) {
    length = 1;
    *unit = first;
  } else if ((first & 0xE0U) == 0xC0) {
    length = 2;
    *unit = first & 0x1FU;
  } else if ((first & 0xF0U) == 0xE0) {
    length = 3;
    *unit = first & 0x0FU;
  }
  if (length == 0 || bytes->size() < length) return false;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xC0U) != 0x80) return false;
    *unit = (*unit << 6U) | (at(i) & 0x3FU);
  }
  bytes->remove_prefix(length);
  return true;
}

bool IsAscii(char c) { return static_cast<std::uint8_t>(c) < 0x80; }

}  // namespace

bool AppendJavaText(std::string_view bytes, std::string* out) {
  if (std::ranges::all_of(bytes, IsAscii)) {
    out->append(bytes);
    return true;
  }
  char32_t high = 0;  // the first half of a pair, waiting for the second
  while (!bytes.empty()) {
    char32_t unit = 0;
    if (!TakeUnit(&bytes, &unit)) return false;
    const bool low = unit >= kLowFirst && unit < kSurrogateEnd;
    if (high != 0 && low) {
      AppendUtf8(0x10000 + ((high - kHighFirst) << 10U) + (unit - kLowFirst), out);
      high = 0;
      continue;
    }
    if (high != 0) AppendUtf8(kReplacement, out);
    high = unit >= kHighFirst && unit < kLowFirst ? unit : 0;
    if (high == 0) AppendUtf8(low ? kReplacement : unit, out);
  }
  if (high != 0) AppendUtf8(kReplacement, out);
  return true;
}

}  // namespace fss
