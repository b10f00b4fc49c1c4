#include "sidecar/analysis/join_chains.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "sidecar/analysis/plan_columns.h"
#include "sidecar/analysis/plan_text.h"

namespace fss {
namespace {

// Operators between two joins: one exchange and one Calc in all plans seen.
constexpr int kMaxBetween = 8;
// More key columns, or more equal columns of one key, than any query has: a hostile plan must not
// cost the product of its lengths.
constexpr std::size_t kMaxColumns = 64;

// Columns that are equal in every row of a join's output, and the name of the first one.
struct SharedKey {
  std::vector<std::string_view> columns;
  std::string_view name;
};

bool Contains(const std::vector<std::string_view>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::vector<SelectItem> ItemsOf(const PlanNode& node) {
  return SelectItems(Attribute(node.description, "select").value_or(""));
}

// A Calc that leaves columns out, or calls them by another number, as Flink does between two joins.
bool OnlyPicksColumns(const PlanNode& calc) {
  if (Attribute(calc.description, "where")) return false;
  const std::vector<SelectItem> items = ItemsOf(calc);
  return !items.empty() && std::all_of(items.begin(), items.end(), [](const SelectItem& item) {
    return WithoutNumber(item.expression) == WithoutNumber(item.name);
  });
}

// "CAST(ts AS TIMESTAMP(3))": an event-time attribute made a plain column for a regular join.
bool IsMaterialisedTime(const SelectItem& item) {
  return item.expression.starts_with("CAST(") &&
         item.expression.find(" AS TIMESTAMP") != std::string_view::npos;
}

// A condition that compares times: Flink takes it for an interval join when it decides on merging,
// whether or not it then becomes one.
bool BoundsTime(const PlanGraph& graph, std::size_t join, std::string_view where) {
  if (where.find(":INTERVAL") != std::string_view::npos) return true;
  std::vector<std::string_view> times;
  for (std::size_t input : graph.Inputs(join)) {
    if (graph.node(input).kind == "exchange" && graph.Inputs(input).size() == 1) {
      input = graph.Inputs(input)[0];
    }
    if (graph.node(input).kind != "calc") continue;
    for (const SelectItem& item : ItemsOf(graph.node(input))) {
      if (IsMaterialisedTime(item)) times.push_back(WithoutNumber(item.name));
    }
  }
  if (times.empty()) return false;
  const std::vector<ColumnPair> pairs = EqualColumns(where);
  return std::any_of(pairs.begin(), pairs.end(), [&](const ColumnPair& pair) {
    return Contains(times, WithoutNumber(pair.left)) || Contains(times, WithoutNumber(pair.right));
  });
}

// The key columns of a join that can be a part of a chain; empty for any other node.
std::vector<ColumnPair> MergeableKeys(const PlanGraph& graph, std::size_t node) {
  const PlanNode& join = graph.node(node);
  const auto type = Attribute(join.description, "joinType");
  const auto where = Attribute(join.description, "where");
  const bool fits = join.kind == "join" && graph.Inputs(node).size() == 2 && where &&
                    (type == "InnerJoin" || type == "LeftOuterJoin");
  if (!fits || BoundsTime(graph, node, *where)) return {};
  std::vector<ColumnPair> pairs = EqualColumns(*where);
  if (pairs.size() > kMaxColumns) pairs.resize(kMaxColumns);
  return pairs;
}

// How a join's left input comes from the join below.
struct Step {
  std::size_t below = 0;
  std::vector<std::size_t> calcs;  // from the lower join on upwards
};

std::optional<Step> StepBelow(const PlanGraph& graph, std::size_t join,
                              const std::vector<int>& consumers) {
  Step step;
  std::size_t node = graph.Inputs(join)[0];
  for (int i = 0; i < kMaxBetween; ++i) {
    const PlanNode& here = graph.node(node);
    // A result that is used twice is a view's, or comes of a statement set.
    if (consumers[node] != 1) return std::nullopt;
    if (here.kind == "join") {
      step.below = node;
      std::reverse(step.calcs.begin(), step.calcs.end());
      return step;
    }
    const bool passes = here.kind == "exchange" || (here.kind == "calc" && OnlyPicksColumns(here));
    if (!passes || graph.Inputs(node).size() != 1) return std::nullopt;
    if (here.kind == "calc") step.calcs.push_back(node);
    node = graph.Inputs(node)[0];
  }
  return std::nullopt;
}

std::vector<SharedKey> KeysOf(const std::vector<ColumnPair>& pairs) {
  std::vector<SharedKey> keys;
  keys.reserve(pairs.size());
  for (const ColumnPair& pair : pairs) {
    // Of "order_id0 = order_id" the name without the number that Flink added.
    const bool same = WithoutNumber(pair.left) == WithoutNumber(pair.right);
    const bool right = same && pair.right.size() < pair.left.size();
    keys.push_back({{pair.left, pair.right}, right ? pair.right : pair.left});
  }
  return keys;
}

std::vector<SharedKey> ThroughCalc(const std::vector<SharedKey>& keys, const PlanNode& calc) {
  const std::vector<SelectItem> items = ItemsOf(calc);
  std::vector<SharedKey> out;
  for (const SharedKey& key : keys) {
    SharedKey renamed{{}, key.name};
    for (const SelectItem& item : items) {
      if (renamed.columns.size() == kMaxColumns) break;
      if (Contains(key.columns, item.expression)) renamed.columns.push_back(item.name);
    }
    if (!renamed.columns.empty()) out.push_back(std::move(renamed));
  }
  return out;
}

// The keys that the next join has in common with those below: its right input's column joins them.
std::vector<SharedKey> Extended(const std::vector<SharedKey>& keys,
                                const std::vector<ColumnPair>& pairs) {
  std::vector<SharedKey> out;
  for (const SharedKey& key : keys) {
    SharedKey longer = key;
    bool shared = false;
    for (const ColumnPair& pair : pairs) {
      const bool left = Contains(key.columns, pair.left);
      const bool right = Contains(key.columns, pair.right);
      if (left == right) continue;
      shared = true;
      if (longer.columns.size() == kMaxColumns) break;
      longer.columns.push_back(left ? pair.right : pair.left);
    }
    if (shared) out.push_back(std::move(longer));
  }
  return out;
}

class ChainFinder {
 public:
  explicit ChainFinder(const PlanGraph& graph)
      : graph_(graph), keys_(graph.size()), steps_(graph.size()) {
    std::vector<int> consumers(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node) {
      for (std::size_t input : graph.Inputs(node)) ++consumers[input];
    }
    for (std::size_t node = 0; node < graph.size(); ++node) {
      keys_[node] = MergeableKeys(graph, node);
    }
    is_below_.resize(graph.size());
    for (std::size_t node = 0; node < graph.size(); ++node) {
      if (keys_[node].empty()) continue;
      steps_[node] = StepBelow(graph, node, consumers);
      if (steps_[node] && keys_[steps_[node]->below].empty()) steps_[node].reset();
      if (steps_[node]) is_below_[steps_[node]->below] = true;
    }
  }

  std::vector<JoinChain> Chains() {
    for (std::size_t node = 0; node < graph_.size(); ++node) {
      // A ring of joins has no topmost one and is left out: no plan of Flink's has one.
      if (steps_[node] && !is_below_[node]) Climb(node);
    }
    std::sort(chains_.begin(), chains_.end(), [](const JoinChain& a, const JoinChain& b) {
      return a.joins.back() < b.joins.back();
    });
    return std::move(chains_);
  }

 private:
  // From the lowest join below `top` upwards; a join that shares no key begins anew.
  void Climb(std::size_t top) {
    std::vector<std::size_t> joins{top};
    while (steps_[joins.back()]) joins.push_back(steps_[joins.back()]->below);
    std::reverse(joins.begin(), joins.end());
    JoinChain chain{{joins[0]}, {}};
    std::vector<SharedKey> keys = KeysOf(keys_[joins[0]]);
    for (std::size_t i = 1; i < joins.size(); ++i) {
      for (std::size_t calc : steps_[joins[i]]->calcs) keys = ThroughCalc(keys, graph_.node(calc));
      keys = Extended(keys, keys_[joins[i]]);
      if (keys.empty()) {
        Finish(std::move(chain));
        chain = JoinChain{{joins[i]}, {}};
        keys = KeysOf(keys_[joins[i]]);
        continue;
      }
      chain.joins.push_back(joins[i]);
      chain.key = std::string(keys[0].name);
    }
    Finish(std::move(chain));
  }

  void Finish(JoinChain chain) {
    if (chain.joins.size() > 1) chains_.push_back(std::move(chain));
  }

  const PlanGraph& graph_;
  std::vector<std::vector<ColumnPair>> keys_;  // of joins that can be a part of a chain
  std::vector<std::optional<Step>> steps_;
  std::vector<bool> is_below_;
  std::vector<JoinChain> chains_;
};

}  // namespace

std::vector<JoinChain> FindJoinChains(const PlanGraph& graph) {
  return ChainFinder(graph).Chains();
}

}  // namespace fss
