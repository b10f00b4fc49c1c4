// Characters: UTF-8 one at a time, terminal columns, HTML names. The tables behind text.h.
// Pure functions; safe from any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fss {

struct Utf8Character {
  char32_t code = 0;       // U+FFFD when not valid
  std::size_t length = 1;  // bytes it takes, at least 1; for broken ones the broken run
  bool valid = false;
};

// The first character of `text`, which is not empty. Broken is what the Unicode standard (table
// 3-7) calls ill-formed: overlong forms, surrogates, above U+10FFFF, cut sequences. A broken run
// is as long as it could have been the start of a character, as in W3C's decoders.
Utf8Character DecodeUtf8(std::string_view text);

// Appends `code`, a Unicode scalar value.
void AppendUtf8(char32_t code, std::string* out);

// Terminal columns: 0 for controls, combining marks and format characters, 2 for wide East Asian
// characters and emoji, else 1 (Unicode 14).
std::size_t CharacterWidth(char32_t code);

// The character that HTML 4 calls `name` ("quot", "auml", "hellip", and "apos"). Flink escapes
// with all 252 names (commons-text escapeHtml4), so a column "größe" arrives as "gr&ouml;&szlig;e".
std::optional<char32_t> NamedHtmlCharacter(std::string_view name);

}  // namespace fss
