#pragma once

namespace fss {

// Of ASCII alone, whatever the locale says: what plans, rules and durations are written in.
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
constexpr char LowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace fss
