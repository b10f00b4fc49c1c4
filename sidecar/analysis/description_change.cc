#include "sidecar/analysis/description_change.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/analysis/comparable_text.h"
#include "sidecar/analysis/operator_catalogue.h"
#include "sidecar/analysis/plan_columns.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// So much of an attribute's value is shown.
constexpr std::size_t kShownValueBytes = 120;

// Attributes in the order of the text.
std::vector<std::string_view> AttributeNames(std::string_view description) {
  std::vector<std::string_view> names;
  int depth = 0;
  for (std::size_t i = 0; i < description.size(); ++i) {
    if (depth == 0 && description.substr(i).starts_with("=[")) {
      const std::size_t before = description.find_last_of("( ", i);
      const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
      names.push_back(description.substr(begin, i - begin));
    }
    if (description[i] == '[') ++depth;
    if (description[i] == ']') --depth;
  }
  return names;
}

bool IsAggregate(std::string_view kind) { return kind.ends_with("aggregate"); }

bool IsConnector(const PlanNode& node) {
  const OperatorKind* row = FindOperatorKind(node.kind);
  return row != nullptr && row->cleanup == Cleanup::kConnector;
}

// Kinds whose rows in state are those of their inputs. A function's state is its own; what a
// connector keeps has nothing to do with columns, unless a materializer stands before the sink.
bool KeepsInputRows(const PlanNode& node) {
  return KeepsKeyedState(node) && !IsAggregate(node.kind) && node.kind != "process-table-function";
}

enum class Types { kSame, kOther, kUnknown };

Types Compare(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return Types::kUnknown;
  return a == b ? Types::kSame : Types::kOther;
}

// The types of the rows that the operator stores, as far as the plans show them: its inputs' rows,
// or for an aggregation its own result, which has the keys, and types that follow the
// accumulators'.
Types CompareRows(const PlanGraph& old_graph, std::size_t old_node, const PlanGraph& new_graph,
                  std::size_t new_node) {
  const PlanNode& node = new_graph.node(new_node);
  if (IsAggregate(node.kind)) {
    return Compare(old_graph.node(old_node).row_type, node.row_type);
  }
  if (!KeepsInputRows(node)) return Types::kUnknown;
  const auto old_inputs = old_graph.Inputs(old_node);
  const auto new_inputs = new_graph.Inputs(new_node);
  // A union before it has as many inputs as it likes.
  if (old_inputs.size() != new_inputs.size() || old_inputs.empty()) return Types::kUnknown;
  bool known = true;
  for (std::size_t i = 0; i < old_inputs.size(); ++i) {
    const Types types =
        Compare(old_graph.node(old_inputs[i]).row_type, new_graph.node(new_inputs[i]).row_type);
    if (types == Types::kOther) return types;
    known = known && types == Types::kSame;
  }
  return known ? Types::kSame : Types::kUnknown;
}

std::vector<std::string_view> Expressions(std::string_view select) {
  std::vector<std::string_view> expressions;
  for (const SelectItem& item : SelectItems(select)) expressions.push_back(item.expression);
  return expressions;
}

// The columns that a join's condition compares, by which its state is kept.
std::vector<std::pair<std::string_view, std::string_view>> Keys(std::string_view where) {
  std::vector<std::pair<std::string_view, std::string_view>> keys;
  for (const ColumnPair& pair : EqualColumns(where)) keys.emplace_back(pair.left, pair.right);
  std::ranges::sort(keys);
  return keys;
}

// Of a Top-N: a place for the first row alone is another class with another state.
bool FirstRowAlone(std::string_view value) { return value == "1" || value.ends_with("rankEnd=1"); }

// Why state of before fits although this attribute changed; absent where it does not.
std::optional<std::string> WhyItFits(const PlanNode& node, std::string_view name,
                                     std::string_view before, std::string_view now, Types rows) {
  if (IsConnector(node) && !KeepsKeyedState(node)) {
    return "what the connector keeps does not hang on it";
  }
  if (name == "select" && IsAggregate(node.kind) && rows != Types::kOther &&
      !Expressions(now).empty() && Expressions(before) == Expressions(now)) {
    return "only names of columns differ";
  }
  const bool columns = name == "select" || name == "fields" || name == "rowType";
  if (columns && !IsAggregate(node.kind) && rows == Types::kSame) {
    return "the rows in state have the same types";
  }
  if (name == "where" && rows == Types::kSame && !Keys(now).empty() && Keys(before) == Keys(now)) {
    return "the columns that are compared for equality are the same; results that the old "
           "condition gave stay as they are";
  }
  if (node.kind == "interval-join" && name == "windowBounds") {
    return "the new bounds hold from the restore on; rows that the old ones let go do not come "
           "back";
  }
  const bool range = name == "rankRange" || name == "fetch";
  if (name == "offset" || (range && FirstRowAlone(before) == FirstRowAlone(now))) {
    return "rows that fell out of the old range do not come back";
  }
  return std::nullopt;
}

bool IsKey(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kKeys = {
      "groupBy", "grouping", "partitionBy", "key", "uniqueKey", "commonJoinKey", "where", "pk"};
  return std::ranges::find(kKeys, name) != kKeys.end();
}

std::string WhyItDoesNot(const PlanNode& node, std::string_view name) {
  if (IsKey(name)) {
    return "the state is kept by other keys: Flink refuses it where their types differ "
           "(StateMigrationException), and where they do not, it starts and takes old values for "
           "those of other keys";
  }
  if (IsAggregate(node.kind) && name == "select") {
    return "other aggregates have other accumulators: Flink refuses the old ones where their types "
           "differ (StateMigrationException), and where they do not, it starts and goes on from "
           "the numbers of other aggregates";
  }
  if (name.ends_with("indow")) {  // of joins: leftWindow, rightWindow
    return "windows that are open in the savepoint have other bounds: Flink does not compare them, "
           "and their results are wrong";
  }
  return "the state may be laid out in another way: Flink refuses it where its types differ "
         "(StateMigrationException), and where they do not, it starts and may read it wrongly";
}

std::string Was(std::string_view name, std::optional<std::string_view> before,
                std::optional<std::string_view> now) {
  const auto shown = [](std::optional<std::string_view> value) {
    return value ? "[" + OneLine(*value, kShownValueBytes) + "]" : std::string("not there");
  };
  return OneLine(name, kShownValueBytes) + " was " + shown(before) + ", is " + shown(now);
}

constexpr std::string_view kOtherRows =
    "the columns that it keeps have other types: Flink refuses the old state "
    "(StateMigrationException)";

class Comparison {
 public:
  Comparison(const PlanNode& node, std::string_view before, std::string_view now, Types rows,
             bool same_version)
      : node_(node), before_(before), now_(now), rows_(rows), same_version_(same_version) {}

  DescriptionChange Run() {
    std::vector<std::string_view> names = AttributeNames(now_);
    for (const std::string_view name : AttributeNames(before_)) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    for (const std::string_view name : names) {
      const auto before = Attribute(before_, name);
      const auto now = Attribute(now_, name);
      if (before != now) Note(name, before, now);
    }
    const bool unexplained = !explained_ && before_ != now_ && same_version_;
    if (unexplained) Add("its text was '" + OneLine(before_, kShownValueBytes) + "'", {}, false);
    if (rows_ == Types::kOther && change_.fits) {
      Add(std::string(kOtherRows), {}, false);
    }
    return std::move(change_);
  }

 private:
  void Note(std::string_view name, std::optional<std::string_view> before,
            std::optional<std::string_view> now) {
    explained_ = true;
    // The entry of the materializer tells it.
    if (name == "upsertMaterialize") return;
    // A newer Flink prints more; and in 1.x some was printed in another way.
    if (!same_version_ && (!before || !now)) return;
    std::optional<std::string> fits;
    if (before && now) fits = WhyItFits(node_, name, *before, *now, rows_);
    if (!before || !now) {
      const bool connector = IsConnector(node_) && !KeepsKeyedState(node_);
      if (connector) fits = "what the connector keeps does not hang on it";
    }
    Add(Was(name, before, now), fits ? *fits : WhyItDoesNot(node_, name), fits.has_value());
  }

  void Add(const std::string& what, const std::string& why, bool fits) {
    change_.changed = true;
    change_.fits = change_.fits && fits;
    if (!change_.message.empty()) change_.message += ". ";
    change_.message += what;
    if (!why.empty()) change_.message += ": " + why;
  }

  const PlanNode& node_;
  std::string_view before_;
  std::string_view now_;
  Types rows_;
  bool same_version_;
  bool explained_ = false;  // an attribute differs
  DescriptionChange change_;
};

}  // namespace

DescriptionChange CompareDescriptions(const PlanGraph& old_graph, std::size_t old_node,
                                      const PlanGraph& new_graph, std::size_t new_node,
                                      bool same_version) {
  const std::string before = ComparableDescription(old_graph.node(old_node).description);
  const std::string now = ComparableDescription(new_graph.node(new_node).description);
  const Types rows =
      same_version ? CompareRows(old_graph, old_node, new_graph, new_node) : Types::kUnknown;
  return Comparison(new_graph.node(new_node), before, now, rows, same_version).Run();
}

}  // namespace fss
