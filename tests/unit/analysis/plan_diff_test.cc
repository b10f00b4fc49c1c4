#include "sidecar/analysis/plan_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "sidecar/base/millis.h"
#include "tests/unit/analysis/sample_plans.h"

namespace fss {
namespace {

using sample::PlanBuilder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<PlanChange> Diff(const CompiledPlan& old_plan, const CompiledPlan& new_plan,
                             const std::string& version = {}, const std::string& backend = {}) {
  return DiffPlans(old_plan, new_plan, {version, backend, {}}).changes;
}

std::string Id(const std::optional<std::int64_t>& id) { return id ? std::to_string(*id) : "-"; }

// "4>5 groupAggregateState ttl lost".
std::vector<std::string> Lines(const std::vector<PlanChange>& changes) {
  std::vector<std::string> lines;
  for (const PlanChange& change : changes) {
    lines.push_back(Id(change.node_id_old) + ">" + Id(change.node_id_new) + " " +
                    (change.state.empty() ? "-" : change.state) + " " +
                    PlanChangeName(change.change) + " " + RestoreOutcomeName(change.restore));
  }
  return lines;
}

std::string MessageOf(const std::vector<PlanChange>& changes, std::size_t index = 0) {
  return index < changes.size() ? changes[index].message : "";
}

TEST(PlanDiffTest, APlanDoesNotDifferFromItself) {
  EXPECT_THAT(Diff(sample::Totals("a.json", 0), sample::Totals("a.json", 0)), IsEmpty());
  EXPECT_THAT(Diff(sample::Cascade("a.json"), sample::Cascade("a.json")), IsEmpty());
}

// No Flink writes such a plan; somebody's tool may.
TEST(PlanDiffTest, AnExchangeThatDeclaresStateIsPairedLikeAnOperator) {
  CompiledPlan odd = sample::Totals("a.json", 0);
  for (PlanNode& node : odd.nodes) {
    if (!node.state.empty()) node.kind = "exchange";
  }
  EXPECT_THAT(Diff(odd, odd), IsEmpty());
}

// --- TTL
// ------------------------------------------------------------------------------------------

struct Row {
  const char* version;
  const char* backend;
  const char* restore;
};

TEST(PlanDiffTest, SwitchingATtlIsJudgedByVersionAndBackend) {
  const CompiledPlan forever = sample::Totals("a.json", 0);
  const CompiledPlan hour = sample::Totals("b.json", kMillisPerHour);
  for (const Row& row : std::vector<Row>{{"1.20.5", "rocksdb", "refused"},
                                         {"1.20.5", "hashmap", "refused"},
                                         {"1.20.5", "forst", "refused"},
                                         {"1.20.5", "", "refused"},
                                         {"2.0", "rocksdb", "refused"},
                                         {"2.0", "hashmap", "refused"},
                                         {"2.1", "rocksdb", "migrates"},
                                         {"2.1", "hashmap", "refused"},
                                         {"2.1", "", "refused"},
                                         {"2.2", "rocksdb", "migrates"},
                                         {"2.2", "hashmap", "migrates"},
                                         {"2.3", "", "migrates"},
                                         {"2.3", "forst", "refused"},
                                         {"unknown", "rocksdb", "refused"}}) {
    SCOPED_TRACE(std::string(row.version) + " " + row.backend);
    const std::string line = std::string("4>4 groupAggregateState ttl ") + row.restore;
    const auto on = Diff(forever, hour, row.version, row.backend);
    EXPECT_THAT(Lines(on), ElementsAre(line));
    EXPECT_THAT(Lines(Diff(hour, forever, row.version, row.backend)), ElementsAre(line));
    ASSERT_EQ(on.size(), 1U);
    EXPECT_EQ(on[0].label, "GroupAggregate[4]");
    EXPECT_EQ(on[0].old_ttl_ms, 0);
    EXPECT_EQ(on[0].new_ttl_ms, kMillisPerHour);
    EXPECT_THAT(on[0].message, HasSubstr("its TTL was for ever, is 1 h"));
    // What nobody has seen is said to be so.
    const std::string pair = std::string(row.version) + " " + row.backend;
    const bool guessed = pair == "2.0 rocksdb" || pair == "2.0 hashmap" || pair == "2.3 forst";
    EXPECT_EQ(on[0].message.find("not tried") != std::string::npos, guessed);
    EXPECT_EQ(on[0].message.find("version is not known") != std::string::npos,
              pair == "unknown rocksdb");
  }
}

TEST(PlanDiffTest, TheVersionIsTheNewPlansUnlessItIsGiven) {
  CompiledPlan before = sample::Totals("a.json", 0);
  CompiledPlan now = sample::Totals("b.json", kMillisPerHour);
  before.flink_version = "1.20";
  EXPECT_EQ(DiffPlans(before, now, {}).flink_version, "2.3");
  EXPECT_THAT(Lines(Diff(before, now)), ElementsAre("4>4 groupAggregateState ttl migrates"));
  EXPECT_EQ(DiffPlans(before, now, {"1.20.5", "", ""}).flink_version, "1.20.5");
  now.flink_version = "";
  EXPECT_THAT(Lines(Diff(before, now)), ElementsAre("4>4 groupAggregateState ttl refused"));
}

TEST(PlanDiffTest, AnotherTtlIsTakenOver) {
  const CompiledPlan shorter = sample::Totals("a.json", kMillisPerHour);
  const CompiledPlan longer = sample::Totals("b.json", 2 * kMillisPerHour);
  const auto up = Diff(shorter, longer, "1.20", "hashmap");
  EXPECT_THAT(Lines(up), ElementsAre("4>4 groupAggregateState ttl compatible"));
  EXPECT_THAT(MessageOf(up), HasSubstr("does not revive what has expired"));
  const auto down = Diff(longer, shorter, "1.20", "hashmap");
  EXPECT_THAT(Lines(down), ElementsAre("4>4 groupAggregateState ttl compatible"));
  EXPECT_THAT(MessageOf(down), HasSubstr("only at its next access"));
}

TEST(PlanDiffTest, EachSideOfAJoinIsTold) {
  const auto changes =
      Diff(sample::Cascade("a.json"),
           sample::Cascade("b.json", {kMillisPerDay, 2 * kMillisPerHour, 0, kMillisPerDay}), "2.1",
           "hashmap");
  EXPECT_THAT(Lines(changes),
              ElementsAre("11>11 leftState ttl refused", "11>11 rightState ttl compatible"));
}

TEST(PlanDiffTest, ATtlThatAPlanDoesNotTellMayBeASwitch) {
  PlanBuilder plan("b.json");
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto group = plan.GroupBy(plan.Calc(orders, "user_id, amount"), "user_id", kMillisPerHour);
  plan.Sink(group, "totals");
  plan.Node(group)->state.clear();
  plan.Node(group)->declares_state = false;
  const auto changes =
      Diff(sample::Totals("a.json", kMillisPerHour), plan.Build(), "1.20", "rocksdb");
  EXPECT_THAT(Lines(changes), ElementsAre("4>4 groupAggregateState ttl refused"));
  EXPECT_EQ(changes[0].old_ttl_ms, kMillisPerHour);
  EXPECT_EQ(changes[0].new_ttl_ms, std::nullopt);
  EXPECT_THAT(MessageOf(changes), HasSubstr("table.exec.state.ttl of the day"));
  EXPECT_THAT(Diff(plan.Build(), plan.Build()), IsEmpty());
}

TEST(PlanDiffTest, ATtlThatFlinkDoesNotLoadIsRefused) {
  CompiledPlan now = sample::Totals("b.json", kMillisPerHour);
  now.nodes[3].state[0].ttl = "1 w";
  now.nodes[3].state[0].ttl_ms.reset();
  const auto changes = Diff(sample::Totals("a.json", kMillisPerHour), now, "2.3", "rocksdb");
  EXPECT_THAT(Lines(changes), ElementsAre("4>4 groupAggregateState ttl refused"));
  EXPECT_THAT(MessageOf(changes), HasSubstr("'1 w'"));
}

// --- uids
// -----------------------------------------------------------------------------------------

TEST(PlanDiffTest, OtherNumbersLoseTheState) {
  const auto changes = Diff(sample::Totals("a.json", 0), sample::Totals("b.json", 0, 101));
  EXPECT_THAT(Lines(changes),
              ElementsAre("1>101 - description lost", "4>104 groupAggregateState description lost",
                          "5>105 - description lost"));
  EXPECT_THAT(MessageOf(changes, 1),
              AllOf(HasSubstr("'4_group-aggregate'"), HasSubstr("'104_group-aggregate'"),
                    HasSubstr("--allowNonRestoredState")));
  EXPECT_THAT(MessageOf(changes, 0), HasSubstr("if the connector keeps state"));
  EXPECT_THAT(MessageOf(changes, 1), Not(HasSubstr("if the connector")));
  // And a TTL with them.
  const auto with_ttl =
      Diff(sample::Totals("a.json", 0), sample::Totals("b.json", kMillisPerHour, 101));
  EXPECT_THAT(Lines(with_ttl)[1], "4>104 groupAggregateState ttl lost");
}

TEST(PlanDiffTest, AFormatWithoutNumbersKeepsTheState) {
  const DiffOptions options{"2.3", "", "<type>_<transformation>"};
  EXPECT_THAT(
      DiffPlans(sample::Totals("a.json", 0), sample::Totals("b.json", 0, 101), options).changes,
      IsEmpty());
}

TEST(PlanDiffTest, StateThatWouldGoToAnotherOperatorIsRefused) {
  const auto two = [](const std::string& first, const std::string& second) {
    PlanBuilder plan("two.json");
    const auto orders = plan.Source("orders", "user_id, product_id, amount");
    plan.Sink(plan.GroupBy(orders, first, 0), "by_" + first);
    plan.Sink(plan.GroupBy(orders, second, 0), "by_" + second);
    return plan.Build();
  };
  const auto changes = Diff(two("user_id", "product_id"), two("product_id", "user_id"));
  EXPECT_THAT(
      Lines(changes),
      ElementsAre("6>3 groupAggregateState description refused", "7>4 - description refused",
                  "3>6 groupAggregateState description refused", "4>7 - description refused"));
  EXPECT_THAT(MessageOf(changes, 2),
              AllOf(HasSubstr("now is that of GroupAggregate[3]"),
                    HasSubstr("was that of GroupAggregate[6]"), HasSubstr("wrong results")));
}

TEST(PlanDiffTest, ANewOperatorThatTakesAnOldNumberIsRefused) {
  // The old GROUP BY is gone; another one over another table has its number.
  const auto grouped = [](const std::string& table, const std::string& key) {
    PlanBuilder plan("g.json");
    plan.Sink(plan.GroupBy(plan.Source(table, key), key, 0), "out_" + table);
    return plan.Build();
  };
  const auto changes = Diff(grouped("orders", "user_id"), grouped("clicks", "page"));
  EXPECT_THAT(Lines(changes), ElementsAre("->1 - added refused", "1>- - removed refused",
                                          "->3 groupAggregateState added refused",
                                          "3>- groupAggregateState removed refused",
                                          "->4 - added refused", "4>- - removed refused"));
}

TEST(PlanDiffTest, AnOperatorThatOnlyLooksAlikeIsRefused) {
  const auto deduplicated = [](const std::string& table) {
    PlanBuilder plan("d.json");
    const auto rows = plan.Exchange(plan.Source(table, "id"), "id");
    plan.Sink(plan.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[id])", {rows},
                       {{"deduplicateState", 0}}),
              "out");
    return plan.Build();
  };
  const auto changes = Diff(deduplicated("orders"), deduplicated("clicks"));
  EXPECT_THAT(Lines(changes), ElementsAre("->1 - added refused", "1>- - removed refused",
                                          "3>3 - description refused"));
  EXPECT_THAT(MessageOf(changes, 2), HasSubstr("No table that feeds it is the same"));
}

TEST(PlanDiffTest, TheSameNumberOfAnotherKindIsLost) {
  PlanBuilder plan("b.json");
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto calc = plan.Calc(orders, "user_id, amount");
  const auto dedup = plan.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[user_id])",
                              {plan.Exchange(calc, "user_id")}, {{"deduplicateState", 0}});
  plan.Sink(dedup, "totals");
  const auto changes = Diff(sample::Totals("a.json", 0), plan.Build());
  EXPECT_THAT(Lines(changes), ElementsAre("->4 deduplicateState added new",
                                          "4>- groupAggregateState removed lost"));
}

TEST(PlanDiffTest, KindsThatShareATransformationShareTheirUids) {
  const auto limited = [](const std::string& kind, const std::string& text) {
    PlanBuilder plan("l.json");
    plan.Sink(plan.Add(kind, text, {plan.Source("orders", "a")}, {{"rankState", 0}}), "out");
    return plan.Build();
  };
  const auto changes = Diff(limited("limit", "Limit(offset=[0], fetch=[10])"),
                            limited("rank", "Rank(rankRange=[rankStart=1, rankEnd=10])"));
  EXPECT_THAT(Lines(changes),
              ElementsAre("->2 rankState added refused", "2>- rankState removed refused"));
}

TEST(PlanDiffTest, AnOperatorInTheMiddleIsNewAndShiftsTheOthers) {
  PlanBuilder plan("b.json");
  const auto orders = plan.Source("orders", "order_id, user_id, amount");
  const auto dedup =
      plan.Add("deduplicate", "Deduplicate(keep=[LastRow], key=[order_id])",
               {plan.Exchange(orders, "order_id")}, {{"deduplicateState", kMillisPerDay}});
  const auto calc = plan.Calc(dedup, "user_id, amount");
  plan.Sink(plan.GroupBy(calc, "user_id", 0), "totals");
  const auto changes = Diff(sample::Totals("a.json", 0), plan.Build());
  EXPECT_THAT(Lines(changes),
              ElementsAre("->3 deduplicateState added new",
                          "4>6 groupAggregateState description lost", "5>7 - description lost"));
  EXPECT_EQ(changes[0].new_ttl_ms, kMillisPerDay);
  EXPECT_EQ(changes[1].old_ttl_ms, 0);
  EXPECT_EQ(changes[1].new_ttl_ms, 0);
}

TEST(PlanDiffTest, StateThatPlansDoNotListIsToldToo) {
  const auto windowed = [](const std::string& kind, std::int64_t first_id) {
    PlanBuilder plan("w.json", first_id);
    const auto orders = plan.Source("orders", "a");
    plan.Sink(plan.Add(kind, "Node(x=[1])", {orders}), "out");
    return plan.Build();
  };
  for (const char* kind : {"global-window-aggregate", "interval-join", "over-aggregate",
                           "temporal-join", "window-join", "match", "temporal-sort",
                           "window-deduplicate", "delta-join", "a-kind-of-tomorrow"}) {
    EXPECT_THAT(Lines(Diff(windowed(kind, 1), windowed(kind, 11))),
                ElementsAre("1>11 - description lost", "2>12 - description lost",
                            "3>13 - description lost"))
        << kind;
  }
  for (const char* kind : {"calc", "watermark-assigner", "local-window-aggregate"}) {
    EXPECT_EQ(Diff(windowed(kind, 1), windowed(kind, 11)).size(), 2U) << kind;
  }
}

TEST(PlanDiffTest, AMaterializerBeforeTheSinkIsAnOperatorOfItsOwn) {
  const auto sunk = [](bool materialized) {
    PlanBuilder plan("s.json");
    const auto orders = plan.Source("orders", "a");
    const std::string text = "Sink(table=[c.d.out], fields=[a]";
    const std::vector<std::pair<std::string, std::int64_t>> entry = {{"sinkMaterializeState", 0}};
    materialized ? plan.Add("sink", text + ", upsertMaterialize=[true])", {orders}, entry)
                 : plan.Add("sink", text + ")", {orders});
    return plan.Build();
  };
  const auto gone = Diff(sunk(true), sunk(false));
  EXPECT_THAT(Lines(gone), ElementsAre("2>2 sinkMaterializeState removed lost"));
  EXPECT_THAT(MessageOf(gone), HasSubstr("'2_upsert-materialize'"));
  EXPECT_THAT(Lines(Diff(sunk(false), sunk(true))),
              ElementsAre("2>2 sinkMaterializeState added new"));
}

// --- descriptions
// ---------------------------------------------------------------------------------

// One node of a kind over two tables, with the types of its inputs' and its own columns.
CompiledPlan OneNode(const std::string& kind, const std::string& text,
                     std::uint64_t input_types = 7, std::uint64_t own_types = 8) {
  PlanBuilder plan("n.json");
  const auto left = plan.Source("orders", "a, b");
  const auto right = plan.Source("payments", "c, d");
  const auto node = plan.Add(kind, text, {left, right});
  plan.Sink(node, "out");
  plan.Node(left)->row_type = input_types;
  plan.Node(right)->row_type = input_types;
  plan.Node(node)->row_type = own_types;
  return plan.Build();
}

std::string TextOutcome(const std::string& kind, const std::string& before, const std::string& now,
                        std::uint64_t old_types = 7, std::uint64_t new_types = 7) {
  const auto changes = Diff(OneNode(kind, before, old_types, old_types),
                            OneNode(kind, now, new_types, new_types), "2.3");
  const auto found = std::ranges::find_if(changes, [](const PlanChange& change) {
    return change.node_id_new == 3 && change.state.empty();
  });
  if (found == changes.end()) return "equal";
  EXPECT_EQ(found->change, PlanChangeKind::kDescription);
  return RestoreOutcomeName(found->restore);
}

TEST(PlanDiffTest, OtherKeysAreRefused) {
  EXPECT_EQ(TextOutcome("group-aggregate", "GroupAggregate(groupBy=[a], select=[a, SUM(b) AS s])",
                        "GroupAggregate(groupBy=[b], select=[a, SUM(b) AS s])"),
            "refused");
  EXPECT_EQ(TextOutcome("deduplicate", "Deduplicate(keep=[LastRow], key=[a])",
                        "Deduplicate(keep=[LastRow], key=[a, b])"),
            "refused");
  EXPECT_EQ(TextOutcome("join", "Join(where=[(a = c)], select=[a, c])",
                        "Join(where=[(b = c)], select=[a, c])"),
            "refused");
}

TEST(PlanDiffTest, OtherAggregatesAreRefusedOtherNamesAreNot) {
  const std::string sum = "GroupAggregate(groupBy=[a], select=[a, SUM(b) AS s])";
  EXPECT_EQ(TextOutcome("group-aggregate", sum,
                        "GroupAggregate(groupBy=[a], select=[a, SUM(b) AS s, MAX(b) AS m])"),
            "refused");
  EXPECT_EQ(TextOutcome("group-aggregate", sum,
                        "GroupAggregate(groupBy=[a], select=[a, SUM(b) AS total])"),
            "compatible");
  EXPECT_EQ(TextOutcome("group-aggregate", sum,
                        "GroupAggregate(groupBy=[a], select=[a, SUM(b) AS total])", 7, 9),
            "refused");
}

TEST(PlanDiffTest, OtherTypesOfTheRowsInStateAreRefused) {
  const std::string dedup = "Deduplicate(keep=[LastRow], key=[a])";
  EXPECT_EQ(TextOutcome("deduplicate", dedup, dedup, 7, 9), "refused");
  EXPECT_EQ(TextOutcome("deduplicate", dedup, dedup, 7, 0), "equal");  // not known
  EXPECT_EQ(TextOutcome("rank", "Rank(partitionBy=[a])", "Rank(partitionBy=[a])", 7, 9), "refused");
  // What is not stored does not count.
  EXPECT_EQ(TextOutcome("calc", "Calc(select=[a])", "Calc(select=[b])", 7, 9), "equal");
}

TEST(PlanDiffTest, ChangesThatLeaveTheStateWhatItIs) {
  EXPECT_EQ(TextOutcome("join", "Join(where=[((a = c) AND (b > 1))], select=[a, c])",
                        "Join(where=[((a = c) AND (b > 2))], select=[x, y])"),
            "compatible");
  EXPECT_EQ(TextOutcome("interval-join", "IntervalJoin(windowBounds=[leftLowerBound=-60000])",
                        "IntervalJoin(windowBounds=[leftLowerBound=-90000])"),
            "compatible");
  EXPECT_EQ(TextOutcome("rank", "Rank(rankRange=[rankStart=1, rankEnd=3], partitionBy=[a])",
                        "Rank(rankRange=[rankStart=1, rankEnd=5], partitionBy=[a])"),
            "compatible");
  // The first row alone is kept by another class.
  EXPECT_EQ(TextOutcome("rank", "Rank(rankRange=[rankStart=1, rankEnd=1], partitionBy=[a])",
                        "Rank(rankRange=[rankStart=1, rankEnd=5], partitionBy=[a])"),
            "refused");
  // Types that are not known may differ.
  EXPECT_EQ(TextOutcome("join", "Join(where=[(a = c)], select=[a, c])",
                        "Join(where=[(a = c)], select=[a, c, b])", 0, 0),
            "refused");
}

TEST(PlanDiffTest, WindowsInvalidateWhatIsOpen) {
  EXPECT_EQ(TextOutcome("window-aggregate", "WindowAggregate(window=[TUMBLE(size=[1 h])])",
                        "WindowAggregate(window=[TUMBLE(size=[2 h])])"),
            "refused");
}

TEST(PlanDiffTest, ANewerFlinkThatPrintsMoreChangesNothing) {
  CompiledPlan before = OneNode("deduplicate", "Deduplicate(keep=[LastRow], key=[a])", 7);
  CompiledPlan now =
      OneNode("deduplicate", "Deduplicate(keep=[LastRow], key=[a], outputInsertOnly=[false])", 9);
  before.flink_version = "1.20";
  EXPECT_THAT(Lines(Diff(before, now)), IsEmpty());
  before.flink_version = "2.3";
  EXPECT_THAT(Lines(Diff(before, now)), ElementsAre("3>3 - description refused"));
}

TEST(PlanDiffTest, AnotherProjectionOfASourceIsNoMatter) {
  const auto read = [](const std::string& fields) {
    PlanBuilder plan("p.json");
    plan.Sink(plan.Source("orders", fields), "out");
    return plan.Build();
  };
  EXPECT_THAT(Lines(Diff(read("a"), read("a, b"))), ElementsAre("1>1 - description compatible"));
}

TEST(PlanDiffTest, AnInputMoreOfAMultiJoin) {
  const auto joined = [](int inputs) {
    PlanBuilder plan("m.json");
    std::vector<std::int64_t> sources;
    std::vector<std::pair<std::string, std::int64_t>> state;
    for (int i = 0; i < inputs; ++i) {
      sources.push_back(plan.Source("t", "a"));
      state.emplace_back("input-state-" + std::to_string(i), 0);
    }
    for (std::size_t i = sources.size(); i < 3; ++i) plan.Calc(sources[0], "pad");
    plan.Sink(plan.Add("multi-join", "MultiJoin(commonJoinKey=[a])", sources, state), "out");
    return plan.Build();
  };
  EXPECT_EQ(Lines(Diff(joined(2), joined(3))).back(), "4>4 input-state-2 added new");
  const auto fewer = Diff(joined(3), joined(2));
  const auto gone = std::ranges::find(fewer, std::string("input-state-2"), &PlanChange::state);
  ASSERT_NE(gone, fewer.end());
  EXPECT_EQ(gone->restore, RestoreOutcome::kLost);
  EXPECT_THAT(gone->message, HasSubstr("silently"));
}

// --- order
// ----------------------------------------------------------------------------------------

TEST(PlanDiffTest, TheOrderOfNodesPlaysNoPart) {
  const CompiledPlan before = sample::Cascade("a.json");
  const CompiledPlan now =
      sample::Cascade("b.json", {kMillisPerDay, kMillisPerHour, 0, kMillisPerDay}, 4);
  const auto shuffled = [](CompiledPlan plan, unsigned seed) {
    std::mt19937 random(seed);
    std::shuffle(plan.nodes.begin(), plan.nodes.end(), random);
    return plan;
  };
  const auto expected = Diff(before, now);
  ASSERT_FALSE(expected.empty());
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto changes = Diff(shuffled(before, seed), shuffled(now, seed + 50));
    ASSERT_EQ(Lines(changes), Lines(expected));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      EXPECT_EQ(changes[i].message, expected[i].message);
    }
  }
}

TEST(PlanDiffTest, BatchPlansHaveNoState) {
  CompiledPlan before = sample::Totals("a.json", 0);
  CompiledPlan now = sample::Totals("b.json", 0, 101);
  for (CompiledPlan* plan : {&before, &now}) {
    for (PlanNode& node : plan->nodes) {
      node.batch = true;
      node.state.clear();
    }
  }
  EXPECT_THAT(Diff(before, now), IsEmpty());
}

}  // namespace
}  // namespace fss
