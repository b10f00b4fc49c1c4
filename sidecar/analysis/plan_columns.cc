#include "sidecar/analysis/plan_columns.h"

#include <algorithm>

namespace fss {
namespace {

bool Opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool Closes(char c) { return c == ')' || c == ']' || c == '}'; }

// The parts of `text` between separators outside of brackets. Quotes are not looked at: Flink
// prints unpaired ones. Absent where the brackets do not pair.
std::optional<std::vector<std::string_view>> SplitOutside(std::string_view text,
                                                          std::string_view separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (Opens(text[i])) ++depth;
    if (Closes(text[i]) && --depth < 0) return std::nullopt;
    if (depth == 0 && text.substr(i, separator.size()) == separator) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + separator.size();
      i = begin - 1;
    }
  }
  if (depth != 0) return std::nullopt;
  parts.push_back(text.substr(begin));
  return parts;
}

// "(a)" → "a", where the first bracket closes with the last one.
std::string_view WithoutBrackets(std::string_view text) {
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0 && i + 1 < text.size()) return text;
  }
  return text.substr(1, text.size() - 2);
}

bool IsColumn(std::string_view text) {
  return !text.empty() && text.find_first_of(" ()[]',") == std::string_view::npos;
}

}  // namespace

std::vector<SelectItem> SelectItems(std::string_view list) {
  const auto parts = SplitOutside(list, ", ");
  if (list.empty() || !parts) return {};
  std::vector<SelectItem> items;
  items.reserve(parts->size());
  for (std::string_view part : *parts) {
    // The last " AS " that stands outside of brackets: CAST(a AS BIGINT) AS b.
    const std::size_t closed = part.find_last_of(")]}");
    const std::size_t as = part.rfind(" AS ");
    const bool named = as != std::string_view::npos &&
                       (closed == std::string_view::npos || closed < as || part.back() == ')');
    // "(sum$0, count$1)" may stand in place of a name: an accumulator of several fields.
    const bool inside = named && part.back() == ')' && part.substr(as + 4).front() != '(';
    if (!named || inside) {
      items.push_back({part, part});
    } else {
      items.push_back({part.substr(0, as), part.substr(as + 4)});
    }
  }
  return items;
}

std::vector<ColumnPair> EqualColumns(std::string_view condition) {
  const auto parts = SplitOutside(WithoutBrackets(condition), " AND ");
  if (!parts) return {};
  std::vector<ColumnPair> pairs;
  for (std::string_view part : *parts) {
    const std::string_view text = WithoutBrackets(part);
    const std::size_t equals = text.find(" = ");
    if (equals == std::string_view::npos) continue;
    const ColumnPair pair{text.substr(0, equals), text.substr(equals + 3)};
    if (IsColumn(pair.left) && IsColumn(pair.right)) pairs.push_back(pair);
  }
  return pairs;
}

std::string_view WithoutNumber(std::string_view column) {
  const std::size_t end = column.find_last_not_of("0123456789");
  return end == std::string_view::npos ? column : column.substr(0, end + 1);
}

}  // namespace fss
