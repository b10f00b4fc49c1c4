#include "sidecar/analysis/operator_catalogue.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sidecar/base/murmur3.h"

namespace fss {
namespace {

PlanNode Node(const std::string& kind, const std::string& description = "") {
  PlanNode node;
  node.kind = kind;
  node.description = description;
  return node;
}

TEST(OperatorCatalogueTest, RowsAreSortedAndFoundByKind) {
  std::string_view last;
  for (const OperatorKind& row : AllOperatorKinds()) {
    EXPECT_LT(last, row.kind);
    last = row.kind;
    EXPECT_EQ(FindOperatorKind(row.kind), &row);
    EXPECT_FALSE(row.operator_name.empty()) << row.kind;
  }
  EXPECT_EQ(FindOperatorKind("null"), nullptr);
  EXPECT_EQ(FindOperatorKind(""), nullptr);
  EXPECT_EQ(FindOperatorKind("zzz"), nullptr);
}

TEST(OperatorCatalogueTest, RowsAgreeWithThemselves) {
  for (const OperatorKind& row : AllOperatorKinds()) {
    SCOPED_TRACE(row.kind);
    if (row.cleanup == Cleanup::kStateless) {
      EXPECT_FALSE(row.keyed);
    }
    if (row.cleanup == Cleanup::kTtl) {
      EXPECT_TRUE(row.keyed);
      EXPECT_FALSE(row.expiry.empty());
    }
    if (row.keyed) {
      EXPECT_FALSE(row.instead.empty());
    }
    if (row.takes_hint) {
      EXPECT_FALSE(row.entries.empty());
    }
    // A clause, to be put after "then" or a comma; a sentence or more.
    if (!row.expiry.empty()) {
      EXPECT_TRUE(row.expiry.front() >= 'a' && row.expiry.front() <= 'z') << row.expiry;
      EXPECT_NE(row.expiry.back(), '.');
    }
    if (!row.instead.empty()) {
      EXPECT_TRUE(row.instead.front() >= 'A' && row.instead.front() <= 'Z') << row.instead;
      EXPECT_EQ(row.instead.back(), '.');
    }
  }
}

// An advice that names a hint where none works sends people the wrong way.
TEST(OperatorCatalogueTest, OnlyJoinsAndGroupByTakeHints) {
  std::set<std::string_view> kinds;
  for (const OperatorKind& row : AllOperatorKinds()) {
    if (row.takes_hint) kinds.insert(row.kind);
  }
  EXPECT_EQ(kinds,
            (std::set<std::string_view>{"global-group-aggregate", "group-aggregate",
                                        "incremental-group-aggregate", "join", "multi-join"}));
}

TEST(OperatorCatalogueTest, NeverCallsAKeeperStateless) {
  for (const char* kind : {"over-aggregate",
                           "interval-join",
                           "temporal-join",
                           "window-join",
                           "match",
                           "temporal-sort",
                           "window-aggregate",
                           "global-window-aggregate",
                           "local-window-aggregate",
                           "window-rank",
                           "window-deduplicate",
                           "window-table-function",
                           "group-window-aggregate",
                           "delta-join",
                           "process-table-function",
                           "table-source-scan",
                           "sink",
                           "python-over-aggregate",
                           "python-group-aggregate",
                           "python-group-window-aggregate"}) {
    EXPECT_NE(CleanupOf(Node(kind)), Cleanup::kStateless) << kind;
    EXPECT_NE(CleanupOf(Node(kind)), Cleanup::kUnknown) << kind;
  }
}

// An operator of a savepoint of Flink's restore tests, and the plan's node that it belongs to.
struct SavepointOperator {
  std::string type, node_id, transformation, operator_id, state, description;
};

std::vector<SavepointOperator> SavepointOperators() {
  std::ifstream in(std::string(FSS_TEST_DATA) + "/plans/savepoint_operators.tsv");
  std::vector<SavepointOperator> operators;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    SavepointOperator op;
    for (std::string* field :
         {&op.type, &op.node_id, &op.transformation, &op.operator_id, &op.state, &op.description}) {
      std::getline(fields, *field, '\t');
    }
    operators.push_back(op);
  }
  return operators;
}

PlanNode NodeOf(const SavepointOperator& op) {
  constexpr std::string_view kPrefix = "stream-exec-";
  PlanNode node =
      Node(op.type.substr(kPrefix.size(), op.type.rfind('_') - kPrefix.size()), op.description);
  node.id = std::stoll(op.node_id);
  if (op.transformation.rfind("uid:", 0) == 0) node.uid = op.transformation.substr(4);
  return node;
}

TEST(OperatorCatalogueTest, FindsEverySavepointOperatorByItsHash) {
  const std::vector<SavepointOperator> operators = SavepointOperators();
  ASSERT_GE(operators.size(), 40U);
  for (const SavepointOperator& op : operators) {
    const PlanNode node = NodeOf(op);
    const OperatorKind* row = FindOperatorKind(node.kind);
    ASSERT_NE(row, nullptr) << node.kind;
    std::set<std::string> ids = {OperatorIdFromUid(node.uid)};
    for (const std::string_view name : row->transformations) {
      ids.insert(OperatorIdFromUid(op.node_id + "_" + std::string(name)));
    }
    EXPECT_EQ(ids.count(op.operator_id), 1U) << op.type << " " << op.transformation;
  }
}

TEST(OperatorCatalogueTest, AgreesWithWhatSavepointsHold) {
  for (const SavepointOperator& op : SavepointOperators()) {
    const PlanNode node = NodeOf(op);
    SCOPED_TRACE(op.type + " " + op.transformation + " " + op.description);
    if (op.state != "none") {
      EXPECT_NE(CleanupOf(node), Cleanup::kStateless);
    }
    // A delta join's keyed state is its rows in flight: bounded, not what grows.
    if (op.state == "keyed" && node.kind != "delta-join") {
      EXPECT_TRUE(KeepsKeyedState(node));
    }
    if (op.state == "none" &&
        op.transformation == FindOperatorKind(node.kind)->transformations[0]) {
      EXPECT_FALSE(KeepsKeyedState(node));
    }
  }
}

TEST(OperatorNameTest, FindsKindsByOperatorNames) {
  const std::vector<std::pair<std::string_view, std::string_view>> names = {
      {"Join", "join"},
      {"Join[19]", "join"},
      {"Join(joinType=[InnerJoin], where=[(a = b)])", "join"},
      {"GroupAggregate", "group-aggregate"},
      {"GlobalGroupAggregate", "global-group-aggregate"},
      {"Rank", "rank"},
      {"MLPredictTableFunction", "ml-predict-table-function"},
      {"ProcessTableFunction", "process-table-function"},
      {"TableSourceScan", "table-source-scan"},
      {"Source: orders", "table-source-scan"},
      {"Source: orders[63]", "table-source-scan"},
      {"Source: odd: Writer", "table-source-scan"},
      {"kv_sink: Writer", "sink"},
      {"kv_sink[26]: Writer", "sink"},
      {"Join: Committer", "sink"},
      {"Sink: out", "sink"},
      {"ConstraintEnforcer", "sink"},
      {"ConstraintEnforcer[73]", "sink"},
      {"SinkMaterializer[73]", "upsert-materialize"},
      {"SinkMaterializer(pk=[id])", "upsert-materialize"},
      {"HashJoin", "hash-join"},
      {"PythonCalc", "python-calc"},
      {"LocalHashAggregate", "hash-aggregate"},
  };
  for (const auto& [name, kind] : names) {
    const OperatorKind* row = FindKindByOperatorName(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_EQ(row->kind, kind) << name;
  }
  for (const char* name : {"", "Map", "join", "Joiner", "KeyedProcess", "[19]", "(", "orders"}) {
    EXPECT_EQ(FindKindByOperatorName(name), nullptr) << name;
  }
}

TEST(CleanupTest, IsMadePreciseByTheNode) {
  EXPECT_EQ(CleanupOf(Node("brand-new")), Cleanup::kUnknown);
  EXPECT_EQ(CleanupOf(Node("sink")), Cleanup::kConnector);
  EXPECT_FALSE(KeepsKeyedState(Node("sink")));
  PlanNode materializing = Node("sink");
  materializing.state.push_back({0, "sinkMaterializeState", "0 ms", 0});
  EXPECT_EQ(CleanupOf(materializing), Cleanup::kTtl);
  EXPECT_TRUE(KeepsKeyedState(materializing));
  // The list was taken out of the plan by hand.
  const PlanNode by_text = Node("sink", "Sink(table=[t], fields=[a], upsertMaterialize=[true])");
  EXPECT_EQ(CleanupOf(by_text), Cleanup::kTtl);
  EXPECT_TRUE(KeepsKeyedState(by_text));

  EXPECT_EQ(CleanupOf(Node("lookup-join", "LookupJoin(table=[t])")), Cleanup::kStateless);
  EXPECT_EQ(CleanupOf(Node("lookup-join", "LookupJoin(table=[t], async=[ORDERED, 300 s])")),
            Cleanup::kBounded);
  EXPECT_FALSE(KeepsKeyedState(Node("lookup-join", "LookupJoin(table=[t])")));

  EXPECT_FALSE(KeepsKeyedState(Node("window-table-function", "W(window=[TUMBLE(size=[1 s])])")));
  EXPECT_TRUE(KeepsKeyedState(Node("window-table-function", "W(window=[SESSION(gap=[1 s])])")));
}

TEST(CleanupTest, OverWindowsByTimeGoByThemselves) {
  const auto over = [](const std::string& window) {
    return CleanupOf(Node("over-aggregate", "OverAggregate(partitionBy=[a], orderBy=[ts ASC], " +
                                                window + ", select=[a, b])"));
  };
  EXPECT_EQ(over("window=[ RANG BETWEEN 10000 PRECEDING AND CURRENT ROW]"), Cleanup::kWatermark);
  EXPECT_EQ(over("window=[ RANGE BETWEEN 10000 PRECEDING AND CURRENT ROW]"), Cleanup::kWatermark);
  EXPECT_EQ(over("window=[ RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW]"), Cleanup::kTtl);
  EXPECT_EQ(over("window=[ ROWS BETWEEN 5 PRECEDING AND CURRENT ROW]"), Cleanup::kTtl);
  EXPECT_EQ(CleanupOf(Node("over-aggregate")), Cleanup::kTtl);
}

TEST(CleanupTest, BatchNodesKeepNone) {
  for (const OperatorKind& row : AllOperatorKinds()) {
    PlanNode node = Node(std::string(row.kind));
    node.batch = true;
    EXPECT_FALSE(KeepsKeyedState(node)) << row.kind;
    EXPECT_EQ(CleanupOf(node),
              row.cleanup == Cleanup::kConnector ? Cleanup::kConnector : Cleanup::kStateless);
  }
}

TEST(CleanupTest, AFunctionOverRowsKeepsNothing) {
  PlanNode node = Node("process-table-function");
  EXPECT_FALSE(KeepsKeyedState(node));
  node.uid = "f";
  EXPECT_TRUE(KeepsKeyedState(node));
  EXPECT_EQ(CleanupOf(node), Cleanup::kTtl);
}

}  // namespace
}  // namespace fss
