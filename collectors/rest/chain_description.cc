#include "collectors/rest/chain_description.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::string_view kBreak = "<br/>";
constexpr std::string_view kArrow = " -> ";
constexpr std::string_view kComma = " , ";
// A name is for people and labels; the whole text stays in the description.
constexpr std::size_t kMaxOperatorNameBytes = 512;
constexpr std::size_t kMarkWidth = 3;

// An operator before its text is read.
struct RawOperator {
  std::string text;
  std::optional<std::size_t> parent;
};

std::vector<std::string_view> SplitLines(std::string_view html) {
  std::vector<std::string_view> lines;
  for (;;) {
    const auto end = html.find(kBreak);
    lines.push_back(html.substr(0, end));
    if (end == std::string_view::npos) break;
    html.remove_prefix(end + kBreak.size());
  }
  // Each operator ends its line: what follows the last break is nothing.
  if (lines.size() > 1 && lines.back().empty()) lines.pop_back();
  return lines;
}

// The operators that are open while the lines of a tree are read, the head first.
class TreePath {
 public:
  struct Match {
    std::size_t depth;
    bool last;
    std::string_view text;
  };

  // What `line` says if it is a line of the tree here: its indentation must continue exactly the
  // branches that are open. Anything else is a line of a literal.
  std::optional<Match> Find(std::string_view line) const {
    for (std::size_t depth = 1;; ++depth) {
      const std::string_view mark = line.substr(0, kMarkWidth);
      if (mark == "+- " || mark == ":- ") {
        const bool fits =
            depth <= levels_.size() && (depth == levels_.size() || !levels_[depth].last);
        if (!fits) return std::nullopt;
        return Match{depth, mark == "+- ", line.substr(kMarkWidth)};
      }
      if (depth >= levels_.size() || mark != (levels_[depth].last ? "   " : ":  ")) {
        return std::nullopt;
      }
      line.remove_prefix(kMarkWidth);
    }
  }

  // The operator `index` stands at `depth` from now on.
  void Enter(std::size_t depth, bool last, std::size_t index) {
    levels_.resize(depth);
    levels_.push_back(Level{index, last});
  }

  std::size_t ParentAt(std::size_t depth) const { return levels_[depth - 1].index; }

 private:
  struct Level {
    std::size_t index;
    bool last;
  };
  std::vector<Level> levels_;
};

std::vector<RawOperator> ParseTree(const std::vector<std::string_view>& lines) {
  std::vector<RawOperator> operators{{UnescapeHtml(lines.front()), std::nullopt}};
  TreePath path;
  path.Enter(0, true, 0);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto match = path.Find(lines[i]);
    if (!match) {
      operators.back().text += '\n';
      operators.back().text += UnescapeHtml(lines[i]);
      continue;
    }
    const std::size_t parent = path.ParentAt(match->depth);
    path.Enter(match->depth, match->last, operators.size());
    operators.push_back({UnescapeHtml(match->text), parent});
  }
  return operators;
}

// Reads "a -> (b -> c , d)". Brackets inside a description are counted, quotes are not: SQL
// descriptions hold single ones (start('w$)).
class CascadeParser {
 public:
  explicit CascadeParser(std::string_view text) : rest_(text) {}

  // Empty when the text is not of this form.
  std::vector<RawOperator> Parse() {
    std::optional<std::size_t> parent;
    for (;;) {
      if (!ReadOperator(parent)) return {};
      const std::size_t current = operators_.size() - 1;
      if (Skip(kArrow)) {
        parent = current;
        if (Skip("(")) branches_.push_back(current);
        continue;
      }
      while (!branches_.empty() && Skip(")")) branches_.pop_back();
      if (branches_.empty()) break;
      if (!Skip(kComma)) return {};
      parent = branches_.back();
    }
    return rest_.empty() ? std::move(operators_) : std::vector<RawOperator>();
  }

 private:
  bool Skip(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  // Up to an arrow, or to the end of this branch. False for an empty text or unbalanced brackets.
  bool ReadOperator(std::optional<std::size_t> parent) {
    std::size_t depth = 0;
    std::size_t at = 0;
    for (; at < rest_.size(); ++at) {
      const char c = rest_[at];
      if (depth == 0 && EndsHere(rest_.substr(at))) break;
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') {
        if (depth == 0) return false;
        --depth;
      }
    }
    if (at == 0 || depth != 0) return false;
    operators_.push_back({std::string(rest_.substr(0, at)), parent});
    rest_.remove_prefix(at);
    return true;
  }

  bool EndsHere(std::string_view text) const {
    if (text.starts_with(kArrow)) return true;
    return !branches_.empty() && (text.starts_with(kComma) || text.front() == ')');
  }

  std::string_view rest_;
  std::vector<std::size_t> branches_;
  std::vector<RawOperator> operators_;
};

std::optional<std::int64_t> NodeId(std::string_view digits) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  if (error != std::errc() || end != digits.data() + digits.size() || id < 0) return std::nullopt;
  return id;
}

bool IsIdentifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '$';
  });
}

// ": Writer" at the end of "Sink(…): Writer", else empty.
std::string_view RoleAfterBrackets(std::string_view text) {
  const auto close = text.find_last_of(")]");
  if (close == std::string_view::npos) return {};
  const std::string_view role = text.substr(close + 1);
  return role.starts_with(": ") ? role : std::string_view();
}

// Where the name ends in "Join(joinType=[…], …)", "ConstraintEnforcer[NotNull…]"; not in "split[3]"
// and "my map[x]", which are names as a whole.
std::size_t EndOfName(std::string_view text) {
  const auto end = text.find_first_of("([");
  if (end == std::string_view::npos || text[end] == '(') return end;
  const auto close = text.find(']', end);
  const bool numbered =
      close != std::string_view::npos && NodeId(text.substr(end + 1, close - end - 1)).has_value();
  return IsIdentifier(text.substr(0, end)) && !numbered ? end : text.find('(', end);
}

std::string NameFromText(std::string_view text) {
  const auto end = EndOfName(text);
  std::string_view name = text.substr(0, end);
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  if (end == std::string_view::npos || name.empty()) return OneLine(text, kMaxOperatorNameBytes);
  return OneLine(std::string(name) + std::string(RoleAfterBrackets(text)), kMaxOperatorNameBytes);
}

// "[19]:Join(…)". False when `text` is not of this form.
bool ReadPrefixed(std::string_view text, ChainOperator* op) {
  const auto close = text.find("]:");
  if (!text.starts_with('[') || close == std::string_view::npos) return false;
  const auto id = NodeId(text.substr(1, close - 1));
  if (!id) return false;
  op->node_id = id;
  op->description = std::string(text.substr(close + 2));
  op->name = NameFromText(op->description);
  return true;
}

// "kv_sink[26]: Writer", "Source: orders[63]". False when `text` is not of this form.
bool ReadSuffixed(std::string_view text, ChainOperator* op) {
  const auto close = text.rfind(']');
  const auto open = text.rfind('[', close);
  if (close == std::string_view::npos || open == std::string_view::npos || open == 0) return false;
  const std::string_view role = text.substr(close + 1);
  const auto id = NodeId(text.substr(open + 1, close - open - 1));
  if (!id || !(role.empty() || role.starts_with(": "))) return false;
  op->node_id = id;
  op->description = std::string(text.substr(0, open)) + std::string(role);
  op->name = OneLine(op->description, kMaxOperatorNameBytes);
  return true;
}

ChainOperator ReadOperator(RawOperator raw, bool trust_suffix_ids) {
  ChainOperator op;
  op.parent = raw.parent;
  if (ReadPrefixed(raw.text, &op)) return op;
  if (trust_suffix_ids && ReadSuffixed(raw.text, &op)) return op;
  op.name = NameFromText(raw.text);
  op.description = std::move(raw.text);
  return op;
}

}  // namespace

std::vector<ChainOperator> ParseChainDescription(std::string_view html, bool trust_suffix_ids) {
  std::vector<RawOperator> raw = ParseTree(SplitLines(html));
  if (raw.size() == 1) {
    std::vector<RawOperator> cascade = CascadeParser(raw.front().text).Parse();
    if (cascade.size() > 1) raw = std::move(cascade);
  }
  std::vector<ChainOperator> chain;
  chain.reserve(raw.size());
  for (RawOperator& op : raw) chain.push_back(ReadOperator(std::move(op), trust_suffix_ids));
  return chain;
}

}  // namespace fss
