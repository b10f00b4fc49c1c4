#include "sidecar/analysis/entry_sources.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "sidecar/analysis/plan_columns.h"
#include "sidecar/analysis/plan_text.h"

namespace fss {
namespace {

constexpr std::string_view kInputStatePrefix = "input-state-";
// Tables below an entry, for the reasons of kMaxBelow.
constexpr std::size_t kMaxTables = 64;
// More tables than this are counted, not named.
constexpr std::size_t kNamedTables = 4;

std::vector<std::string> Split(std::string_view list) {
  std::vector<std::string> parts;
  for (const SelectItem& item : SelectItems(list)) parts.emplace_back(item.name);
  return parts;
}

// "catalog.database.orders" out of a scan's "[catalog, database, orders, project=[…]]" or a lookup
// join's "catalog.database.orders".
std::string PathOfTable(std::string_view description) {
  std::string_view table = Attribute(description, "table").value_or("");
  if (!table.starts_with('[') || !table.ends_with(']')) return std::string(table);
  table = table.substr(1, table.size() - 2);
  constexpr std::size_t kPathParts = 3;
  std::string path;
  std::size_t parts = 0;
  for (const std::string& part : Split(table)) {
    if (parts++ == kPathParts) break;
    path.append(path.empty() ? "" : ".").append(part);
  }
  return path;
}

struct SourceTable {
  std::string name;
  std::string path;
};

// Absent where there are too many operators or tables to look at.
std::optional<std::vector<SourceTable>> Gather(const PlanGraph& graph,
                                               std::vector<std::size_t> open) {
  std::vector<SourceTable> tables;
  std::unordered_set<std::size_t> seen(open.begin(), open.end());
  std::reverse(open.begin(), open.end());  // the left input first
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    const PlanNode& here = graph.node(node);
    const std::string_view name = TableOfDescription(here.description);
    if (!name.empty() && !here.kind.ends_with("sink")) {
      SourceTable table{std::string(name), PathOfTable(here.description)};
      const auto same = [&](const SourceTable& known) { return known.path == table.path; };
      if (std::find_if(tables.begin(), tables.end(), same) == tables.end()) {
        if (tables.size() == kMaxTables) return std::nullopt;
        tables.push_back(std::move(table));
      }
    }
    const auto inputs = graph.Inputs(node);
    for (std::size_t left = inputs.size(); left > 0; --left) {
      const std::size_t input = inputs[left - 1];
      if (!seen.insert(input).second) continue;
      if (seen.size() > kMaxBelow) return std::nullopt;
      open.push_back(input);
    }
  }
  return tables;
}

std::vector<std::string> TablesOf(const PlanGraph& graph, std::vector<std::size_t> from) {
  std::vector<std::string> shown;
  const auto tables = Gather(graph, std::move(from));
  if (!tables) return shown;
  for (const SourceTable& table : *tables) {
    const auto same_name = [&](const SourceTable& other) { return other.name == table.name; };
    const bool alone = std::count_if(tables->begin(), tables->end(), same_name) == 1;
    shown.push_back(alone ? table.name : table.path);
  }
  return shown;
}

// "hash[a, b]" of the exchange that brings an input: the key as the input calls it.
std::vector<std::string> KeyOfExchange(const PlanNode& node) {
  const std::string_view distribution = Attribute(node.description, "distribution").value_or("");
  constexpr std::string_view kHash = "hash[";
  if (node.kind != "exchange" || !distribution.starts_with(kHash) || !distribution.ends_with("]")) {
    return {};
  }
  return Split(distribution.substr(kHash.size(), distribution.size() - kHash.size() - 1));
}

// The columns that `node` gives to its consumer, through operators that name none.
std::vector<std::string> ColumnsOf(const PlanGraph& graph, std::size_t node) {
  constexpr int kMaxSteps = 8;
  for (int step = 0; step < kMaxSteps; ++step) {
    const PlanNode& here = graph.node(node);
    for (std::string_view name : {"select", "fields"}) {
      const auto list = Attribute(here.description, name);
      if (list) return Split(*list);
    }
    if (graph.Inputs(node).size() != 1) break;
    node = graph.Inputs(node)[0];
  }
  return {};
}

bool Holds(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

// Out of the condition, for an input that comes without an exchange.
std::vector<std::string> KeyOfCondition(const PlanGraph& graph, std::size_t join,
                                        std::size_t input) {
  const std::vector<std::string> columns = ColumnsOf(graph, graph.Inputs(join)[input]);
  std::vector<std::string> keys;
  const std::string_view where = Attribute(graph.node(join).description, "where").value_or("");
  for (const ColumnPair& pair : EqualColumns(where)) {
    // Flink adds its numbers to the right input's names.
    const std::string_view right =
        Holds(columns, pair.right) ? pair.right : WithoutNumber(pair.right);
    const bool left = input == 0 ? Holds(columns, pair.left) : !Holds(columns, right);
    const std::string_view key = left ? pair.left : right;
    if (Holds(columns, key)) keys.emplace_back(key);
  }
  return keys;
}

std::vector<std::string> KeysOfInput(const PlanGraph& graph, std::size_t node, std::size_t input) {
  std::vector<std::string> keys = KeyOfExchange(graph.node(graph.Inputs(node)[input]));
  if (!keys.empty()) return keys;
  const auto common = Attribute(graph.node(node).description, "commonJoinKey");
  return common ? Split(*common) : KeyOfCondition(graph, node, input);
}

std::vector<std::string> KeysOfOperator(const PlanGraph& graph, std::size_t node) {
  const PlanNode& here = graph.node(node);
  if (here.sink_keys != nullptr) return here.sink_keys->primary;
  const std::string_view key = KeyOf(here.description);
  // A condition is no list of columns.
  if (!key.empty() && Attribute(here.description, "where") != key) return Split(key);
  if (graph.Inputs(node).size() != 1 || here.kind.ends_with("sink")) return {};
  return KeyOfExchange(graph.node(graph.Inputs(node)[0]));
}

}  // namespace

std::optional<std::size_t> InputOfEntry(std::string_view entry) {
  if (entry == "leftState") return 0;
  if (entry == "rightState") return 1;
  if (!entry.starts_with(kInputStatePrefix)) return std::nullopt;
  std::size_t input = 0;
  for (char c : entry.substr(kInputStatePrefix.size())) {
    constexpr std::size_t kMoreThanAnyJoin = 10000;
    if (c < '0' || c > '9' || input > kMoreThanAnyJoin) return std::nullopt;
    input = input * 10 + static_cast<std::size_t>(c - '0');
  }
  return input;
}

EntrySources SourcesOf(const PlanGraph& graph, std::size_t node, std::string_view entry) {
  const auto inputs = graph.Inputs(node);
  const auto input = InputOfEntry(entry);
  if (!input) return {TablesOf(graph, {node}), KeysOfOperator(graph, node)};
  if (*input >= inputs.size()) return {};
  return {TablesOf(graph, {inputs[*input]}), KeysOfInput(graph, node, *input)};
}

std::vector<std::string> TablesBelow(const PlanGraph& graph, std::size_t node) {
  return TablesOf(graph, {node});
}

std::string TablesText(const std::vector<std::string>& tables) {
  return Listed(tables, kNamedTables);
}

}  // namespace fss
