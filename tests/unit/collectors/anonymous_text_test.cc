#include "collectors/anonymous_text.h"

#include <gtest/gtest.h>

#include <string>

namespace fss {
namespace {

std::string Anonymous(std::string_view text) {
  Pseudonyms names;
  return AnonymousText(text, &names);
}

TEST(AnonymousTextTest, KeepsWhatFlinkWrote) {
  EXPECT_EQ(Anonymous("Join(joinType=[InnerJoin], where=[(order_id = order_id0)], "
                      "select=[order_id, amount, order_id0], leftInputSpec=[NoUniqueKey], "
                      "rightInputSpec=[JoinKeyContainsUniqueKey])"),
            "Join(joinType=[InnerJoin], where=[(x_a = x_a0)], select=[x_a, x_b, x_a0], "
            "leftInputSpec=[NoUniqueKey], rightInputSpec=[JoinKeyContainsUniqueKey])");
  EXPECT_EQ(Anonymous("GroupAggregate(groupBy=[user_id], select=[user_id, MAX_RETRACT(amount) AS "
                      "$f1, COUNT(DISTINCT item) FILTER $g_1 AS EXPR$2])"),
            "GroupAggregate(groupBy=[x_a], select=[x_a, MAX_RETRACT(x_b) AS $f1, "
            "COUNT(DISTINCT x_c) FILTER $g_1 AS EXPR$2])");
  EXPECT_EQ(Anonymous("Exchange(distribution=[hash[user_id]])"),
            "Exchange(distribution=[hash[x_a]])");
  EXPECT_EQ(Anonymous("Exchange(distribution=[single])"), "Exchange(distribution=[single])");
  EXPECT_EQ(Anonymous("DropUpdateBefore"), "DropUpdateBefore");
  EXPECT_EQ(Anonymous("TableSourceScan(table=[[default_catalog, shop, orders, project=[id], "
                      "metadata=[]]], fields=[id])"),
            "TableSourceScan(table=[[x_a, x_b, x_c, project=[x_d], metadata=[]]], fields=[x_d])");
  EXPECT_EQ(Anonymous("Calc(select=[CAST(id AS VARCHAR(2147483647)) AS k, d])"),
            "Calc(select=[CAST(x_a AS VARCHAR(2147483647)) AS x_b, x_c])");
}

TEST(AnonymousTextTest, KeepsNumbersThatVerdictsRestOn) {
  for (const char* text : {
           "WindowAggregate(window=[TUMBLE(time_col=[$1], size=[10 min])])",
           "WindowAggregate(window=[CUMULATE(slice_end=[$slice_end], max_size=[10 s], step=[5 "
           "s])])",
           "OverAggregate(window=[ RANGE BETWEEN 10000 PRECEDING AND CURRENT ROW])",
           "GroupWindowAggregate(window=[SlidingGroupWindow('w$, $1, 10000, 5000)])",
           "IntervalJoin(windowBounds=[isRowTime=true, leftLowerBound=-60000, leftUpperBound=0, "
           "leftTimeIndex=2, rightTimeIndex=2])",
           "Rank(strategy=[AppendFastStrategy], rankType=[ROW_NUMBER], rankRange=[rankStart=1, "
           "rankEnd=3])",
           "Limit(offset=[0], fetch=[10])",
           "MiniBatchAssigner(interval=[10000ms], mode=[ProcTime])",
       }) {
    EXPECT_EQ(Anonymous(text), text);
  }
  EXPECT_EQ(Anonymous("WatermarkAssigner(rowtime=[ts], watermark=[(ts - 2000:INTERVAL SECOND)])"),
            "WatermarkAssigner(rowtime=[x_a], watermark=[(x_a - 2000:INTERVAL SECOND)])");
}

TEST(AnonymousTextTest, ReplacesNumbersOfConditions) {
  EXPECT_EQ(Anonymous("Calc(select=[a], where=[((customer = 4711002) AND (b > 4711002))])"),
            "Calc(select=[x_a], where=[((x_b = n_a) AND (x_c > n_a))])");
  EXPECT_EQ(Anonymous("Values(tuples=[[{ 42, _UTF-16LE'Bob' }]])"),
            "Values(tuples=[[{ n_a, _UTF-16LE's_a' }]])");
}

TEST(AnonymousTextTest, ReplacesLiteralsWhole) {
  EXPECT_EQ(Anonymous("Calc(where=[(status = 'AND paid 17':VARCHAR(2147483647))])"),
            "Calc(where=[(x_a = 's_a':VARCHAR(2147483647))])");
  EXPECT_EQ(Anonymous("f('it''s', 'it''s', '')"), "x_a('s_a', 's_a', '')");
  EXPECT_EQ(Anonymous("Calc(where=[(a = 'Bob's SUM(x)')], select=[a])"),
            "Calc(where=[(x_a = 's_a')], select=[x_a])")
      << "a quote that Flink did not double";
  EXPECT_EQ(Anonymous("Calc(where=[(a = 'two\nlines')], select=[a])"),
            "Calc(where=[(x_a = 's_a')], select=[x_a])");
}

TEST(AnonymousTextTest, AnUnpairedQuoteSpoilsNothing) {
  EXPECT_EQ(Anonymous("WindowAggregate(select=[start('w$) AS s, end('w$) AS e, 'secret' AS c])"),
            "WindowAggregate(select=[start('w$) AS x_a, end('w$) AS x_b, 's_a' AS x_c])");
  EXPECT_EQ(Anonymous("Calc(where=[(a = 'never ends)], select=[a])"),
            "Calc(where=[(x_a = 'x_b x_c)], select=[x_a])");
}

TEST(AnonymousTextTest, NamesThatLookLikeFlinksWords) {
  // A column may be called as an attribute, a function or a value of an attribute.
  EXPECT_EQ(Anonymous("Calc(select=[key, where, single, max, Join, hash, s, left, first])"),
            "Calc(select=[x_a, x_b, x_c, x_d, x_e, x_f, x_g, x_h, x_i])");
  EXPECT_EQ(Anonymous("LookupJoin(lookup=[key=order, size=1])"),
            "LookupJoin(lookup=[x_a=x_b, x_c=n_a])");
  EXPECT_EQ(Anonymous("Match(define=[{select=OR(a, LAST(select.$1, 0))}])"),
            "Match(define=[{x_a=OR(x_b, LAST(x_a.$1, n_a))}])");
  EXPECT_EQ(Anonymous("MyUdf(max_price(a), MAX_PRICE(a), secret$0)"),
            "x_a(x_b(x_c), x_d(x_c), x_e0)");
}

TEST(AnonymousTextTest, AnyScriptAndAnyPlace) {
  EXPECT_EQ(Anonymous("Calc(select=[überweisung, 注文, `my col`, a-b.c@d])"),
            "Calc(select=[x_a, x_b, `x_c x_d`, x_e-x_f.x_g@x_h])");
  EXPECT_EQ(Anonymous("f(s3://bucket/path, kafka-1.prod.example.com:9092)"),
            "x_a(x_b3://x_c/x_d, x_e-n_a.x_f.x_g.x_h:n_b)");
  EXPECT_EQ(Anonymous("\xff\xfe(\x80)"), "x_a(x_b)");
  EXPECT_EQ(Anonymous(""), "");
}

TEST(AnonymousTextTest, OperatorsOfSourcesAndSinks) {
  EXPECT_EQ(Anonymous("Source: orders"), "Source: x_a");
  EXPECT_EQ(Anonymous("Sink: Writer"), "Sink: Writer");
  EXPECT_EQ(Anonymous("kv_sink: Committer"), "x_a: Committer");
  EXPECT_EQ(Anonymous("My Secret Map"), "x_a x_b x_c");
  EXPECT_EQ(Anonymous("Writer"), "x_a");
  EXPECT_EQ(Anonymous("rowtime"), "x_a") << "a column";
}

TEST(AnonymousTextTest, HostileTextsCostWhatTheyAreLong) {
  constexpr std::size_t kMany = 300'000;
  std::string quotes;
  for (std::size_t i = 0; i < kMany; ++i) quotes += "'a";
  EXPECT_EQ(Anonymous(quotes).substr(0, 8), "'x_a'x_a");
  std::string nested(kMany, '(');
  for (std::size_t i = 0; i < kMany; ++i) nested += "a ";
  EXPECT_EQ(Anonymous(nested).substr(kMany, 4), "x_a ");
}

}  // namespace
}  // namespace fss
