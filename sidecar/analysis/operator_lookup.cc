// Finding rows of the operator catalogue, and making them precise by a plan's node.
#include <algorithm>
#include <array>

#include "sidecar/analysis/operator_catalogue.h"

namespace fss {
namespace {

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool EndsWith(std::string_view text, std::string_view suffix) {
  return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What a name says of its kind beside a table's name: "Source: orders", "kv_sink[26]: Writer".
struct NamePattern {
  std::string_view text;
  bool prefix;
  std::string_view kind;
};

// Prefixes first: "Source: x: Writer" is a source of a table with an odd name.
constexpr std::array<NamePattern, 7> kPatterns = {{
    {"Source: ", true, "table-source-scan"},
    {"Sink: ", true, "sink"},
    {": Writer", false, "sink"},
    {": Committer", false, "sink"},
    {": Global Committer", false, "sink"},
    {": Pre Commit Topology", false, "sink"},
    {": Post Commit Topology", false, "sink"},
}};

// Operators that a node adds beside its own, and batch nodes that run in two phases.
struct NameAlias {
  std::string_view name;
  std::string_view kind;
};
constexpr std::array<NameAlias, 8> kAliases = {{
    {"BatchRecordTimestampInserter", "match"},
    {"ConstraintEnforcer", "sink"},
    {"FilterLeft", "interval-join"},
    {"FilterRight", "interval-join"},
    {"LocalHashAggregate", "hash-aggregate"},
    {"LocalSortAggregate", "sort-aggregate"},
    {"PadLeft", "interval-join"},
    {"PadRight", "interval-join"},
}};

// An OVER window's end is in the node's description: "window=[ RANG BETWEEN 10000 PRECEDING AND
// CURRENT ROW]" (1.x writes RANG). An interval is cleaned by time; a count of rows, or all rows of
// a partition, stay until the partition expires.
Cleanup OverCleanup(const PlanNode& node, Cleanup otherwise) {
  const std::string_view text = node.description;
  const std::size_t start = text.find(" RANG");
  if (start == std::string_view::npos) return otherwise;
  const std::string_view window = text.substr(start, text.find(']', start) - start);
  if (!Contains(window, " BETWEEN ") || Contains(window, "UNBOUNDED PRECEDING")) return otherwise;
  return Cleanup::kWatermark;
}

bool IsOver(const OperatorKind& row) { return EndsWith(row.kind, "over-aggregate"); }

// Kinds whose keyed state is there only when the plan lists it.
bool ListsOptionalState(const OperatorKind& row) {
  return row.kind == "sink" || row.kind == "lookup-join";
}

// Says so also where the list was taken out of the plan: the job's default TTL then counts.
bool MaterializesUpserts(const PlanNode& node) {
  return Contains(node.description, "upsertMaterialize=[true]");
}

bool IsSessionWindow(const PlanNode& node) { return Contains(node.description, "[SESSION("); }

}  // namespace

const OperatorKind* FindOperatorKind(std::string_view kind) {
  const std::span<const OperatorKind> rows = AllOperatorKinds();
  const auto found = std::ranges::lower_bound(rows, kind, {}, &OperatorKind::kind);
  return found != rows.end() && found->kind == kind ? &*found : nullptr;
}

const OperatorKind* FindKindByOperatorName(std::string_view name) {
  for (const NamePattern& pattern : kPatterns) {
    const bool fits =
        pattern.prefix ? StartsWith(name, pattern.text) : EndsWith(name, pattern.text);
    if (fits) return FindOperatorKind(pattern.kind);
  }
  // "Join[19]" and "Join(joinType=[InnerJoin], ...)" are Joins too.
  name = name.substr(0, name.find_first_of("[("));
  for (const OperatorKind& row : AllOperatorKinds()) {
    if (row.operator_name == name) return &row;
  }
  for (const NameAlias& alias : kAliases) {
    if (alias.name == name) return FindOperatorKind(alias.kind);
  }
  return nullptr;
}

Cleanup CleanupOf(const PlanNode& node) {
  const OperatorKind* row = FindOperatorKind(node.kind);
  if (row == nullptr) return Cleanup::kUnknown;
  if (node.batch) {
    return row->cleanup == Cleanup::kConnector ? Cleanup::kConnector : Cleanup::kStateless;
  }
  // The plan lists state with a TTL: whatever else the kind keeps, this is what grows.
  if (!node.state.empty()) return Cleanup::kTtl;
  if (ListsOptionalState(*row) && MaterializesUpserts(node)) return Cleanup::kTtl;
  if (row->kind == "lookup-join") {
    return Contains(node.description, "async=[") ? Cleanup::kBounded : Cleanup::kStateless;
  }
  if (IsOver(*row)) return OverCleanup(node, row->cleanup);
  return row->cleanup;
}

bool KeepsKeyedState(const PlanNode& node) {
  if (node.batch) return false;
  if (!node.state.empty()) return true;
  const OperatorKind* row = FindOperatorKind(node.kind);
  if (row == nullptr) return false;
  if (ListsOptionalState(*row)) return MaterializesUpserts(node);
  if (row->kind == "window-table-function") return IsSessionWindow(node);
  // A function over single rows (no PARTITION BY) has no uid and may not keep state.
  if (row->kind == "process-table-function") return !node.uid.empty();
  return row->keyed;
}

}  // namespace fss
