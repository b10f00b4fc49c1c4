#include "sidecar/analysis/plan_text.h"

#include <gtest/gtest.h>

namespace fss {
namespace {

TEST(PlanTextTest, AttributesKeepNestedBrackets) {
  constexpr const char* kJoin = "Join(joinType=[InnerJoin], where=[(a[1] = b)], select=[x])";
  EXPECT_EQ(Attribute(kJoin, "joinType"), "InnerJoin");
  EXPECT_EQ(Attribute(kJoin, "where"), "(a[1] = b)");
  EXPECT_EQ(Attribute(kJoin, "Type"), std::nullopt);
  EXPECT_EQ(Attribute(kJoin, "absent"), std::nullopt);
  EXPECT_EQ(Attribute("Join(where=[(a", "where"), std::nullopt);
  EXPECT_EQ(Attribute("", "where"), std::nullopt);
}

TEST(PlanTextTest, TablesOfScansAndSinks) {
  EXPECT_EQ(TableOfDescription("TableSourceScan(table=[[c, d, orders]], fields=[a])"), "orders");
  EXPECT_EQ(TableOfDescription("TableSourceScan(table=[[c, d, o, project=[a, b]]], fields=[a])"),
            "o");
  EXPECT_EQ(TableOfDescription("Sink(table=[c.d.kv_sink], fields=[a])"), "kv_sink");
  EXPECT_EQ(TableOfDescription("Sink(table=[*anonymous_blackhole$1*], fields=[a])"),
            "*anonymous_blackhole$1*");
  EXPECT_EQ(TableOfDescription("Calc(select=[a])"), "");
  EXPECT_EQ(TableOfDescription("TableSourceScan(table=[["), "");
  EXPECT_EQ(TableOfDescription("TableSourceScan(table=[[]])"), "");
}

TEST(PlanTextTest, TablesInOperatorNames) {
  EXPECT_EQ(TableOfOperatorName("kv_sink: Writer"), "kv_sink");
  EXPECT_EQ(TableOfOperatorName("kv_sink: Committer"), "kv_sink");
  EXPECT_EQ(TableOfOperatorName("Source: orders"), "orders");
  EXPECT_EQ(TableOfOperatorName("Sink: kv"), "kv");
  EXPECT_EQ(TableOfOperatorName("Sink: Writer"), "");
  EXPECT_EQ(TableOfOperatorName("Join"), "");
}

PlanNode Node(const char* kind, const char* description) {
  PlanNode node;
  node.id = 7;
  node.kind = kind;
  node.type = std::string("stream-exec-") + kind + "_1";
  node.description = description;
  return node;
}

TEST(PlanTextTest, LabelsAreFlinksOwn) {
  EXPECT_EQ(NodeLabel(Node("join", "Join(x=[y])")), "Join[7]");
  EXPECT_EQ(NodeLabel(Node("sink", "Sink(table=[c.d.kv], fields=[a])")), "kv[7]");
  EXPECT_EQ(NodeLabel(Node("table-source-scan", "TableSourceScan(table=[[c, d, o]])")),
            "Source: o[7]");
  EXPECT_EQ(NodeLabel(Node("join", "")), "Join[7]");
  EXPECT_EQ(NodeLabel(Node("quantum", "what is this")), "quantum[7]");
}

TEST(PlanTextTest, Keys) {
  EXPECT_EQ(KeyOf("GroupAggregate(groupBy=[user_id], select=[user_id])"), "user_id");
  EXPECT_EQ(KeyOf("Rank(partitionBy=[a, b], orderBy=[c])"), "a, b");
  EXPECT_EQ(KeyOf("Deduplicate(keep=[FirstRow], key=[order_id])"), "order_id");
  EXPECT_EQ(KeyOf("Join(where=[(a = b)])"), "(a = b)");
  EXPECT_EQ(KeyOf("SortLimit(orderBy=[a])"), "");
}

TEST(PlanTextTest, NamesInSql) {
  EXPECT_EQ(SqlName("order_id"), "order_id");
  EXPECT_EQ(SqlName("k x"), "`k x`");
  EXPECT_EQ(SqlName("a`b"), "`a``b`");
  EXPECT_EQ(SqlName("1st"), "`1st`");
}

}  // namespace
}  // namespace fss
