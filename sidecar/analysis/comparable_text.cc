#include "sidecar/analysis/comparable_text.h"

#include <cctype>
#include <cstddef>

#include "sidecar/base/ascii.h"

namespace fss {
namespace {

// "[19]" behind a word or "#", "[19]:" of a tree that is printed: the end of it, or `at`.
std::size_t SkipId(std::string_view text, std::size_t at) {
  if (text[at] != '[') return at;
  std::size_t end = at + 1;
  if (end < text.size() && text[end] == '#') ++end;
  const std::size_t digits = end;
  while (end < text.size() && IsDigit(text[end])) ++end;
  if (end == digits || end >= text.size() || text[end] != ']') return at;
  const bool hash = text[digits - 1] == '#';
  const bool behind_word = at > 0 && std::isalpha(static_cast<unsigned char>(text[at - 1])) != 0;
  const bool in_tree = end + 1 < text.size() && text[end + 1] == ':';
  return hash || behind_word || in_tree ? end + 1 : at;
}

bool IsNameChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

// Flink counts up what it names itself: "anonymous_datagen$5".
std::string WithoutCounters(std::string_view text) {
  constexpr std::string_view kAnonymous = "anonymous_";
  std::string out;
  bool anonymous = false;  // within such a name
  bool counting = false;   // behind its "$"
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t behind = SkipId(text, i);
    if (behind != i) {
      i = behind - 1;
      continue;
    }
    const char c = text[i];
    anonymous = (anonymous && IsNameChar(c)) || text.substr(i).starts_with(kAnonymous);
    counting = anonymous && (c == '$' || (counting && IsDigit(c)));
    if (!counting || c == '$') out.push_back(c);
  }
  return out;
}

}  // namespace

std::string ComparableDescription(std::string_view description) {
  constexpr std::string_view kHints = ", stateTtlHints=[";
  std::string text(description);
  const std::size_t hints = text.find(kHints);
  if (hints != std::string::npos) {
    int depth = 1;
    std::size_t end = hints + kHints.size();
    while (end < text.size() && depth > 0) {
      if (text[end] == '[') ++depth;
      if (text[end] == ']') --depth;
      ++end;
    }
    if (depth == 0) text.erase(hints, end - hints);
  }
  return WithoutCounters(text);
}

}  // namespace fss
