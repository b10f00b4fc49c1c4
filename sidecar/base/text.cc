#include "sidecar/base/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>

#include "sidecar/base/unicode.h"

namespace fss {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";     // U+2026
// The longest reference we look at, from "&" to ";": "&thetasym;", "&#x0010FFFF;".
constexpr std::size_t kMaxReference = 16;

// Line and paragraph separators, C0 and C1 controls: nothing of them may reach a terminal.
bool IsControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029;
}

// Marks that make a terminal show text in another order than it is in: a way to forge a line.
bool IsBidiControl(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// The character that "&quot;", "&#39;", "&#x27;" stands for; `body` is what lies between & and ;.
std::optional<char32_t> ReferencedCharacter(std::string_view body) {
  if (body.empty() || body[0] != '#') return NamedHtmlCharacter(body);
  body.remove_prefix(1);
  int base = 10;
  if (!body.empty() && (body[0] == 'x' || body[0] == 'X')) {
    body.remove_prefix(1);
    base = 16;
  }
  std::uint32_t code = 0;
  const char* end = body.data() + body.size();
  const auto [stop, error] = std::from_chars(body.data(), end, code, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code == 0 || code > 0x10FFFF || surrogate) return std::nullopt;
  return static_cast<char32_t>(code);
}

struct Unit {
  double size;  // in the smallest unit
  const char* name;
};

// `value` in the largest unit that leaves at least 1 after rounding; one decimal below
// `whole_from`.
template <std::size_t N>
std::string InUnits(double value, const std::array<Unit, N>& units, double whole_from) {
  const bool negative = value < 0;
  value = std::fabs(value);
  std::size_t at = 0;
  double shown = value;
  for (;;) {
    shown = value / units[at].size;
    const double rounded =
        at == 0 || shown >= whole_from ? std::round(shown) : std::round(shown * 10) / 10;
    // 1023.99 KiB rounds to 1024 KiB, which is 1 MiB.
    if (at + 1 < N && rounded >= units[at + 1].size / units[at].size) {
      ++at;
      continue;
    }
    shown = rounded;
    break;
  }
  const bool whole = shown == std::floor(shown);
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%s%.*f %s", negative ? "-" : "", whole ? 0 : 1,
                shown, units[at].name);
  return buffer.data();
}

}  // namespace

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  valid.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = DecodeUtf8(text.substr(at));
    valid += c.valid ? text.substr(at, c.length) : kReplacement;
    at += c.length;
  }
  return valid;
}

std::string_view TruncateUtf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t cut = max_bytes;
  // A character has at most three continuation bytes; more of them is no UTF-8 and any cut is good.
  for (int step = 0; step < 4 && cut > 0; ++step) {
    if ((static_cast<unsigned char>(text[cut]) & 0xC0U) != 0x80U) return text.substr(0, cut);
    --cut;
  }
  return text.substr(0, cut == 0 ? 0 : max_bytes);
}

std::string OneLine(std::string_view text, std::size_t max_bytes) {
  std::string line;
  for (std::size_t at = 0; at < text.size() && line.size() <= max_bytes;) {
    const Utf8Character c = DecodeUtf8(text.substr(at));
    if (!c.valid || IsBidiControl(c.code)) {
      line += kReplacement;
    } else if (IsControl(c.code)) {
      line += ' ';
    } else {
      line += text.substr(at, c.length);
    }
    at += c.length;
  }
  if (line.size() <= max_bytes) return line;
  if (max_bytes < kEllipsis.size()) return std::string(TruncateUtf8(line, max_bytes));
  line.resize(TruncateUtf8(line, max_bytes - kEllipsis.size()).size());
  line += kEllipsis;
  return line;
}

std::string UnescapeHtml(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const std::size_t start = text.find('&');
    plain += text.substr(0, start);
    if (start == std::string_view::npos) break;
    text.remove_prefix(start);
    const std::size_t end = text.substr(0, kMaxReference).find(';');
    const auto character =
        end == std::string_view::npos ? std::nullopt : ReferencedCharacter(text.substr(1, end - 1));
    if (character) {
      AppendUtf8(*character, &plain);
      text.remove_prefix(end + 1);
    } else {
      plain += '&';
      text.remove_prefix(1);
    }
  }
  return plain;
}

std::string FormatBytes(std::int64_t bytes) {
  constexpr double kKibi = 1024;
  static constexpr std::array<Unit, 7> kUnits = {{{1, "B"},
                                                  {kKibi, "KiB"},
                                                  {kKibi * kKibi, "MiB"},
                                                  {kKibi * kKibi * kKibi, "GiB"},
                                                  {kKibi * kKibi * kKibi * kKibi, "TiB"},
                                                  {kKibi * kKibi * kKibi * kKibi * kKibi, "PiB"},
                                                  {1152921504606846976.0, "EiB"}}};
  return InUnits(static_cast<double>(bytes), kUnits, 100);
}

std::string FormatAge(std::int64_t millis) {
  static constexpr std::array<Unit, 5> kUnits = {
      {{1, "ms"}, {1000, "s"}, {60'000, "min"}, {3'600'000, "h"}, {86'400'000, "d"}}};
  return InUnits(static_cast<double>(millis), kUnits, 10);
}

std::size_t DisplayWidth(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = DecodeUtf8(text.substr(at));
    width += c.valid ? CharacterWidth(c.code) : 1;  // shown as U+FFFD
    at += c.length;
  }
  return width;
}

}  // namespace fss
