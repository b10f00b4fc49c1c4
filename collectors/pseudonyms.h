// Stand-ins for names: the same for the same name, and telling nothing about it.
//
// Numbered in the order of their first use, so that nobody can find a name by trying names, and the
// same texts in the same order give the same stand-ins again. Not thread safe.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace fss {

class Pseudonyms {
 public:
  // "x_a", "x_b", …: of a word. Flink tells equal names apart by a number at their end: "order_id"
  // and "order_id0" are "x_c" and "x_c0".
  std::string Word(std::string_view word);
  // "s_a", …: of a string literal.
  std::string Literal(std::string_view text);
  // "n_a", …: of a number.
  std::string Number(std::string_view number);

 private:
  using Names = std::unordered_map<std::string, std::string>;
  static const std::string& Of(const std::string& prefix, std::string_view text, Names* names);

  Names words_;
  Names endings_;  // numbers at the end of words that are too long to be Flink's
  Names literals_;
  Names numbers_;
};

}  // namespace fss
