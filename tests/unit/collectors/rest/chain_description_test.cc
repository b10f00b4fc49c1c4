#include "collectors/rest/chain_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fss {
namespace {

using ::testing::ElementsAre;

constexpr auto kHead = static_cast<std::size_t>(-1);

// "label <- parent" of each operator.
std::vector<std::string> Shape(const std::vector<ChainOperator>& chain) {
  std::vector<std::string> shape;
  for (const ChainOperator& op : chain) {
    shape.push_back(op.Label() + (op.parent ? " <- " + chain[*op.parent].Label() : ""));
  }
  return shape;
}

std::vector<ChainOperator> Sql(std::string_view html) { return ParseChainDescription(html, true); }

TEST(ChainDescription, AChainOfThree) {
  const auto chain =
      Sql("[10]:GroupAggregate(groupBy=[name], select=[name, COUNT(*) AS c])<br/>"
          "+- [11]:ConstraintEnforcer[NotNullEnforcer(fields=[name])]<br/>"
          "   +- out1[11]: Writer<br/>");
  EXPECT_THAT(Shape(chain),
              ElementsAre("GroupAggregate[10]", "ConstraintEnforcer[11] <- GroupAggregate[10]",
                          "out1[11]: Writer <- ConstraintEnforcer[11]"));
  EXPECT_EQ(chain[0].description, "GroupAggregate(groupBy=[name], select=[name, COUNT(*) AS c])");
  EXPECT_EQ(chain[1].description, "ConstraintEnforcer[NotNullEnforcer(fields=[name])]");
  EXPECT_EQ(chain[2].name, "out1: Writer");
  EXPECT_EQ(chain[2].node_id, 11);
}

TEST(ChainDescription, ABranchingChain) {
  EXPECT_THAT(
      Shape(Sql("[1]:TableSourceScan(table=[[o]])<br/>"
                "+- [2]:WatermarkAssigner(rowtime=[ts])<br/>"
                "   :- [3]:Calc(select=[a])<br/>"
                "   :  :- [4]:Calc(select=[b])<br/>"
                "   :  +- [5]:Calc(select=[c])<br/>"
                "   +- [12]:Calc(select=[ts])<br/>"
                "      +- [13]:LocalWindowAggregate(window=[TUMBLE(x)])<br/>")),
      ElementsAre("TableSourceScan[1]", "WatermarkAssigner[2] <- TableSourceScan[1]",
                  "Calc[3] <- WatermarkAssigner[2]", "Calc[4] <- Calc[3]", "Calc[5] <- Calc[3]",
                  "Calc[12] <- WatermarkAssigner[2]", "LocalWindowAggregate[13] <- Calc[12]"));
}

TEST(ChainDescription, ALineBreakInsideALiteral) {
  const auto chain =
      Sql("[2]:Calc(select=[k], where=[(k &lt;&gt; 'a&quot;b&#92;c<br/>newline')])<br/>"
          "+- [3]:Calc(select=['x<br/><br/>   +- y<br/>:- z'])<br/>"
          "   +- snk[4]: Writer<br/>");
  ASSERT_EQ(chain.size(), 3U);
  EXPECT_EQ(chain[0].description, "Calc(select=[k], where=[(k <> 'a\"b\\c\nnewline')])");
  EXPECT_EQ(chain[2].parent, 1U);
}

TEST(ChainDescription, IndentationThatFitsNoOpenBranchIsText) {
  const auto chain =
      Sql("[2]:Calc(a='<br/>         +- far<br/>:  :- off')<br/>+- [3]:Calc(b)<br/>");
  ASSERT_EQ(chain.size(), 2U);
  EXPECT_EQ(chain[0].description, "Calc(a='\n         +- far\n:  :- off')");
}

TEST(ChainDescription, EscapedCharactersOfEveryAlphabet) {
  const auto chain =
      Sql("[1]:Calc(select=[gr&ouml;&szlig;e, &euro; &amp;lt; &#39;x&#39;, 值])<br/>");
  EXPECT_EQ(chain[0].description, "Calc(select=[größe, € &lt; 'x', 值])");
}

TEST(ChainDescription, DataStreamOperators) {
  const auto chain = ParseChainDescription("Source: Custom Source<br/>+- Flat Map<br/>", false);
  EXPECT_THAT(Shape(chain),
              ElementsAre("Source: Custom Source", "Flat Map <- Source: Custom Source"));
  EXPECT_FALSE(chain[0].node_id);
  EXPECT_EQ(chain[0].description, "Source: Custom Source");
}

TEST(ChainDescription, ABracketedNumberInADataStreamNameIsNoPlanNode) {
  const auto stream = ParseChainDescription("split[3]<br/>", false);
  EXPECT_FALSE(stream[0].node_id);
  EXPECT_EQ(stream[0].Label(), "split[3]");
  EXPECT_EQ(Sql("kv_sink[26]: Writer")[0].node_id, 26);
  EXPECT_EQ(Sql("a[1][26]: Committer")[0].Label(), "a[1][26]: Committer");
}

TEST(ChainDescription, DescriptionsWithoutNodeIds) {
  // table.exec.simplify-operator-name-enabled = false
  const auto chain =
      Sql("Join(joinType=[InnerJoin], where=[(a = b)])<br/>"
          "+- Sink(table=[[kv]], fields=[a]): Writer<br/>");
  EXPECT_FALSE(chain[0].node_id);
  EXPECT_EQ(chain[0].name, "Join");
  EXPECT_EQ(chain[0].description, "Join(joinType=[InnerJoin], where=[(a = b)])");
  EXPECT_EQ(chain[1].name, "Sink: Writer");
}

TEST(ChainDescription, TheCascadingMode) {
  const auto chain =
      Sql("[1]:TableSourceScan(table=[[o]]) -&gt; ([2]:Calc(select=[a, b -&gt; c]) -&gt; "
          "[3]:LocalWindowAggregate(select=[start('w$)]) , [4]:Calc(select=[x , y]) -&gt; "
          "snk[5]: Writer)<br/>");
  EXPECT_THAT(Shape(chain),
              ElementsAre("TableSourceScan[1]", "Calc[2] <- TableSourceScan[1]",
                          "LocalWindowAggregate[3] <- Calc[2]", "Calc[4] <- TableSourceScan[1]",
                          "snk[5]: Writer <- Calc[4]"));
  EXPECT_EQ(chain[1].description, "Calc(select=[a, b -> c])");
}

TEST(ChainDescription, NestedBranchesOfTheCascadingMode) {
  EXPECT_THAT(Shape(ParseChainDescription("s -> (m -> (p , q) , n -> (r , t))", false)),
              ElementsAre("s", "m <- s", "p <- m", "q <- m", "n <- s", "r <- n", "t <- n"));
}

TEST(ChainDescription, WhatIsNearlyCascadingIsOneOperator) {
  for (const char* text : {"a -> (b , c", "a -> ", " -> a", "a -> (b , c)) -> d", "f(x -> y"}) {
    const auto chain = ParseChainDescription(text, false);
    ASSERT_EQ(chain.size(), 1U) << text;
    EXPECT_EQ(chain[0].description, text);
  }
}

TEST(ChainDescription, IsNeverEmpty) {
  for (const char* text : {"", "<br/>", "[", "[]:", "[x]:y", "[99999999999999999999]:Join(a)",
                           "]:", "(", "+- ", "<br/>+- <br/>:- "}) {
    const auto chain = ParseChainDescription(text, true);
    ASSERT_FALSE(chain.empty()) << text;
    EXPECT_FALSE(chain[0].parent) << text;
    for (std::size_t i = 1; i < chain.size(); ++i) EXPECT_LT(chain[i].parent.value_or(kHead), i);
  }
  EXPECT_FALSE(Sql("[99999999999999999999]:Join(a)")[0].node_id);
}

TEST(ChainDescription, LongNamesAreCutLongDescriptionsAreNot) {
  const std::string text(6000, 'x');
  const auto chain = ParseChainDescription(text, false);
  EXPECT_EQ(chain[0].description, text);
  EXPECT_LE(chain[0].name.size(), 512U);
}

TEST(ChainDescription, DeepAndWideTreesTakeNoStack) {
  std::string html = "[0]:A(x)";
  std::string indent;
  for (int i = 1; i < 3000; ++i) {
    html += "<br/>" + indent + "+- [" + std::to_string(i) + "]:A(x)";
    indent += "   ";
  }
  const auto chain = Sql(html);
  ASSERT_EQ(chain.size(), 3000U);
  EXPECT_EQ(chain.back().parent, 2998U);
  std::string cascade = "a";
  for (int i = 0; i < 20000; ++i) cascade += " -> (b";
  EXPECT_EQ(ParseChainDescription(cascade, false).size(), 1U);
}

}  // namespace
}  // namespace fss
