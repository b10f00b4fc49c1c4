#include "sidecar/analysis/plan_text.h"

#include <algorithm>
#include <array>

#include "sidecar/analysis/operator_catalogue.h"

namespace fss {
namespace {

bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsWordChar);
}

// The text from `begin` to the bracket that closes the one before it. Quotes are not looked at:
// Flink prints unpaired ones ("start('w$)").
std::optional<std::string_view> ToClosingBracket(std::string_view text, std::size_t begin) {
  int depth = 1;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && --depth == 0) return text.substr(begin, i - begin);
  }
  return std::nullopt;
}

// Component `index` of a list "a, b, c"; the last one where the list is shorter.
std::string_view ListComponent(std::string_view list, int index) {
  for (; index > 0; --index) {
    const auto comma = list.find(", ");
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 2);
  }
  return list.substr(0, list.find(", "));
}

}  // namespace

std::optional<std::string_view> Attribute(std::string_view description, std::string_view name) {
  for (std::size_t at = description.find(name); at != std::string_view::npos;
       at = description.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool starts = at > 0 && (description[at - 1] == '(' || description[at - 1] == ' ');
    if (starts && description.substr(end, 2) == "=[") return ToClosingBracket(description, end + 2);
  }
  return std::nullopt;
}

std::string_view TableOfDescription(std::string_view description) {
  const auto table = Attribute(description, "table");
  if (!table || table->empty()) return {};
  if (table->front() == '[') {
    // A path of catalog, database and table, then what was pushed down ("project=[…]").
    constexpr int kTablePart = 2;
    std::string_view path = table->substr(1, table->find(']') - 1);
    return ListComponent(path, kTablePart);
  }
  const auto dot = table->rfind('.');
  return dot == std::string_view::npos ? *table : table->substr(dot + 1);
}

std::string_view TableOfOperatorName(std::string_view name) {
  for (std::string_view prefix : {"Source: ", "Sink: "}) {
    if (name.starts_with(prefix)) {
      name.remove_prefix(prefix.size());
      // "Sink: Writer" is a role beside a shortened description, not a table.
      if (name == "Writer" || name == "Committer") return {};
      return name.substr(0, name.rfind(": Writer"));
    }
  }
  for (std::string_view suffix : {": Writer", ": Committer"}) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return {};
}

std::string NodeLabel(const PlanNode& node) {
  const std::string id = "[" + std::to_string(node.id) + "]";
  const std::string_view table = TableOfDescription(node.description);
  if (node.kind.ends_with("source-scan")) {
    return "Source" + (table.empty() ? std::string() : ": " + std::string(table)) + id;
  }
  if (node.kind.ends_with("sink") && !table.empty()) return std::string(table) + id;
  const std::string_view head =
      std::string_view(node.description).substr(0, node.description.find('('));
  if (IsWord(head)) return std::string(head) + id;
  const OperatorKind* row = FindOperatorKind(node.kind);
  if (row != nullptr && !row->operator_name.empty()) return std::string(row->operator_name) + id;
  return (node.kind.empty() ? node.type : node.kind) + id;
}

std::string_view KeyOf(std::string_view description) {
  static constexpr std::array<std::string_view, 8> kAttributes = {
      "groupBy",   "finalAggGrouping", "partitionBy", "key",
      "uniqueKey", "commonJoinKey",    "pk",          "where"};
  for (std::string_view name : kAttributes) {
    const auto value = Attribute(description, name);
    if (value && !value->empty()) return *value;
  }
  return {};
}

std::string Listed(const std::vector<std::string>& names, std::size_t most) {
  const std::size_t named = std::min(names.size(), most);
  const std::size_t more = names.size() - named;
  std::string text;
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == named && more == 0;
    text.append(i == 0 ? "" : (last ? " and " : ", ")).append(names[i]);
  }
  return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

std::string SqlName(std::string_view name) {
  if (IsWord(name) && !(name[0] >= '0' && name[0] <= '9')) return std::string(name);
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`') quoted += '`';
    quoted += c;
  }
  return quoted + "`";
}

}  // namespace fss
