// Takes the names out of an operator's description, and leaves what Flink wrote round them.
//
// By exclusion: whatever is not a word of Flink's own, in a place where Flink writes it, is
// replaced: names of tables, columns and functions, literals, addresses, numbers of a condition.
// Numbers of windows, intervals, limits, types and node ids stay: verdicts rest on them. Equal
// texts stay equal, brackets and attributes stay as they are, so that plan and job still match.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "collectors/pseudonyms.h"

namespace fss {

template <std::size_t N>
bool IsOneOf(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// `text` may be any bytes; the cost is linear in its length.
std::string AnonymousText(std::string_view text, Pseudonyms* names);

}  // namespace fss
