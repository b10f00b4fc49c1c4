#include "collectors/pseudonyms.h"

#include <algorithm>

namespace fss {
namespace {

// More digits are a part of the name: a year, a number of an order.
constexpr std::size_t kMostDigits = 2;
// What stands for longer ones begins here.
constexpr std::size_t kFirstEnding = 100;

// 0, 1, … as "a", "b", …, "z", "aa", …: no digit, as digits at the end are Flink's.
std::string Letters(std::size_t number) {
  constexpr std::size_t kLetters = 26;
  std::string text;
  for (++number; number > 0; number /= kLetters) {
    --number;
    text += static_cast<char>('a' + number % kLetters);
  }
  std::ranges::reverse(text);
  return text;
}

}  // namespace

const std::string& Pseudonyms::Of(const std::string& prefix, std::string_view text, Names* names) {
  const auto [found, added] = names->try_emplace(std::string(text));
  if (added) found->second = prefix + Letters(names->size() - 1);
  return found->second;
}

std::string Pseudonyms::Word(std::string_view word) {
  const std::size_t last = word.find_last_not_of("0123456789");
  // A name of digits alone has no stem.
  if (last == std::string_view::npos) return Of("x_", word, &words_);
  std::string_view digits = word.substr(last + 1);
  const std::string& stem = Of("x_", word.substr(0, last + 1), &words_);
  if (digits.size() <= kMostDigits) return stem + std::string(digits);
  const auto [found, added] = endings_.try_emplace(std::string(digits));
  if (added) found->second = std::to_string(kFirstEnding + endings_.size() - 1);
  return stem + found->second;
}

std::string Pseudonyms::Literal(std::string_view text) { return Of("s_", text, &literals_); }
std::string Pseudonyms::Number(std::string_view number) { return Of("n_", number, &numbers_); }

}  // namespace fss
