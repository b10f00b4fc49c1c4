#include "collectors/plan_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fss {
namespace {

std::string Golden(const std::string& name) {
  return std::string(FSS_TEST_DATA) + "/plans/" + name;
}

// A plan around `nodes`, with fitting version and edges.
std::string Around(const std::string& nodes, const std::string& version = "\"2.3\"") {
  return R"({"flinkVersion":)" + version + R"(,"nodes":[)" + nodes + R"(],"edges":[]})";
}

// A plan whose one join has `state` as its state list.
std::string WithState(const std::string& state, const std::string& version = "\"2.3\"") {
  return Around(R"({"id":19,"type":"stream-exec-join_1","state":)" + state + "}", version);
}

CompiledPlan Read(const std::string& json) {
  Result<CompiledPlan> plan = ReadPlan(json, "p.json");
  EXPECT_TRUE(plan.ok()) << (plan.ok() ? "" : plan.error().ToString());
  return plan.ok() ? *std::move(plan) : CompiledPlan();
}

// The message of a malformed plan.
std::string Why(const std::string& json) {
  const Result<CompiledPlan> plan = ReadPlan(json, "p.json");
  if (plan.ok()) return "it was read";
  EXPECT_EQ(plan.error().code, ErrorCode::kMalformed);
  EXPECT_EQ(plan.error().context, "p.json");
  EXPECT_EQ(plan.error().message.find('\n'), std::string::npos);
  return plan.error().message;
}

TEST(PlanReaderTest, ReadsACascade) {
  const Result<CompiledPlan> plan = ReadPlanFile(Golden("cascade.json"), "cascade.json");
  ASSERT_TRUE(plan.ok()) << plan.error().ToString();
  EXPECT_EQ(plan->file, "cascade.json");
  EXPECT_EQ(plan->flink_version, "2.3");
  EXPECT_TRUE(plan->problems.empty());
  ASSERT_EQ(plan->nodes.size(), 4U);
  const PlanNode& join = plan->nodes[2];
  EXPECT_EQ(join.id, 24);
  EXPECT_EQ(join.type, "stream-exec-join_1");
  EXPECT_EQ(join.kind, "join");
  EXPECT_EQ(join.version, 1);
  EXPECT_FALSE(join.batch);
  EXPECT_EQ(join.line, 14);
  EXPECT_EQ(join.description, "Join(joinType=[InnerJoin], where=[(user_id = user_id0)])");
  ASSERT_TRUE(join.declares_state);
  ASSERT_EQ(join.state.size(), 2U);
  EXPECT_EQ(join.state[0].index, 0);
  EXPECT_EQ(join.state[0].name, "leftState");
  EXPECT_EQ(join.state[0].ttl, "30 min");
  EXPECT_EQ(join.state[0].ttl_ms, 1800000);
  EXPECT_FALSE(join.state[0].Forever());
  EXPECT_EQ(join.state[1].ttl, "0 ms");
  EXPECT_TRUE(join.state[1].Forever());
  EXPECT_FALSE(plan->nodes[1].declares_state);
  EXPECT_EQ(plan->InputsOf(24), (std::vector<std::int64_t>{9, 11}));
}

struct TypeCase {
  const char* type;
  const char* kind;
  int version;
  bool batch;
};

TEST(PlanReaderTest, SplitsTypes) {
  for (const TypeCase& c : {TypeCase{"stream-exec-join_1", "join", 1, false},
                            {"stream-exec-table-source-scan_2", "table-source-scan", 2, false},
                            {"batch-exec-sort-limit_1", "sort-limit", 1, true},
                            {"stream-exec-brand-new_kind_12", "brand-new_kind", 12, false},
                            {"null_null", "null", 0, false},
                            {"stream-exec-x_99999999999", "x", 0, false},
                            {"stream-exec-join", "join", 0, false},
                            {"_", "", 0, false}}) {
    const CompiledPlan plan = Read(Around(std::string(R"({"id":1,"type":")") + c.type + "\"}"));
    ASSERT_EQ(plan.nodes.size(), 1U);
    EXPECT_EQ(plan.nodes[0].type, c.type);
    EXPECT_EQ(plan.nodes[0].kind, c.kind) << c.type;
    EXPECT_EQ(plan.nodes[0].version, c.version) << c.type;
    EXPECT_EQ(plan.nodes[0].batch, c.batch) << c.type;
  }
}

TEST(PlanReaderTest, FlinkVersionIsText) {
  const std::string node = R"({"id":1,"type":"a_1"})";
  EXPECT_EQ(Read(Around(node, "\"1.20\"")).flink_version, "1.20");
  EXPECT_EQ(Read(Around(node, "1.20")).flink_version, "1.20");  // not 1.2
  EXPECT_EQ(Read(Around(node, "\"\"")).problems.size(), 0U);
  for (const char* odd : {"null", "{}", "[1]", "true"}) {
    const CompiledPlan plan = Read(Around(node, odd));
    EXPECT_EQ(plan.flink_version, "");
    EXPECT_EQ(plan.problems, std::vector<std::string>{"it has no \"flinkVersion\""}) << odd;
  }
}

TEST(PlanReaderTest, IgnoresUnknownFieldsAndOrder) {
  const CompiledPlan plan = Read(
      R"({"edges":[{"shuffle":{"type":"FORWARD"},"target":2,"source":1,"x":[[]]}],"new":{"nodes":[1]},
          "nodes":[{"state":null,"deep":{"id":7,"state":[{"ttl":"x"}]},"type":"a_1","id":1},
                   {"id":"2","type":"b_1","list":[[{"id":3}]]}],"flinkVersion":"9.9"})");
  ASSERT_EQ(plan.nodes.size(), 2U);
  EXPECT_EQ(plan.nodes[0].id, 1);
  EXPECT_FALSE(plan.nodes[0].declares_state);
  EXPECT_EQ(plan.nodes[1].id, 2);  // Flink's JSON library takes "2" for 2
  ASSERT_EQ(plan.edges.size(), 1U);
  EXPECT_EQ(plan.edges[0].source, 1);
  EXPECT_EQ(plan.problems, std::vector<std::string>());
}

TEST(PlanReaderTest, TakesTheLastOfRepeatedFields) {
  const CompiledPlan plan = Read(
      R"({"flinkVersion":"1.0","nodes":[{"id":5,"type":"x_1"}],"edges":[],
          "nodes":[{"id":4,"id":1,"type":"a_1","state":[{"index":0,"ttl":"1 d","name":"n"}],
          "state":[{"index":0,"ttl":"1 d","ttl":"2 d","name":"n"}]}],"flinkVersion":"2.3"})");
  ASSERT_EQ(plan.nodes.size(), 1U);
  EXPECT_EQ(plan.nodes[0].id, 1);
  ASSERT_EQ(plan.nodes[0].state.size(), 1U);
  EXPECT_EQ(plan.nodes[0].state[0].ttl, "2 d");
  EXPECT_EQ(plan.flink_version, "2.3");
}

// A plan whose one node has this output type.
PlanNode WithOutputType(const std::string& type) {
  const CompiledPlan plan =
      Read(Around(R"({"id":1,"outputType":)" + type + R"(,"type":"stream-exec-calc_1"})"));
  EXPECT_TRUE(plan.nodes.size() == 1 && plan.nodes[0].type == "stream-exec-calc_1") << type;
  return plan.nodes.empty() ? PlanNode() : plan.nodes[0];
}

TEST(PlanReaderTest, FindsTheEventTimeAttribute) {
  const std::string rowtime = R"({"type":"TIMESTAMP_WITHOUT_TIME_ZONE","kind":"ROWTIME"})";
  const std::string ltz =
      R"({"kind":"ROWTIME","type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","precision":3})";
  const auto row = [](const std::string& fields) {
    return R"({"type":"ROW","nullable":false,"fields":[)" + fields + "]}";
  };
  const auto field = [](const std::string& name, const std::string& type) {
    return R"({"name":")" + name + R"(","fieldType":)" + type + "}";
  };
  const PlanNode one = WithOutputType(row(field("a", "\"BIGINT\"") + "," + field("ts", rowtime)));
  EXPECT_EQ(one.rowtime, "ts");
  EXPECT_FALSE(one.rowtime_ltz);
  // Of two the first; the type may stand before the name.
  const PlanNode two =
      WithOutputType(row(R"({"fieldType":)" + ltz + R"(,"name":"t1"},)" + field("t2", rowtime)));
  EXPECT_EQ(two.rowtime, "t1");
  EXPECT_TRUE(two.rowtime_ltz);
  for (const std::string& none : std::vector<std::string>{
           "\"ROW<`a` BIGINT, `ts` TIMESTAMP(3)>\"", "null", "[]", "{}", row(""),
           row(field("pt", R"({"type":"TIMESTAMP_WITH_LOCAL_TIME_ZONE","kind":"PROCTIME"})")),
           // An attribute inside of a column is none of the row.
           row(field("r", R"({"type":"ROW","fields":[)" + field("ts", rowtime) + "]}")),
           row(R"("ts",["ts"],{"name":{"kind":"ROWTIME"},"fieldType":["ROWTIME"]})"),
           R"({"fields":{"name":"ts","kind":"ROWTIME"},"kind":"ROWTIME"})"}) {
    EXPECT_EQ(WithOutputType(none).rowtime, "") << none;
  }
  // The last of repeated types counts, and a node without takes none over from the one before it.
  const CompiledPlan plan =
      Read(Around(R"({"id":1,"type":"stream-exec-calc_1","outputType":)" +
                  row(field("a", rowtime)) + R"(,"outputType":)" + row(field("b", rowtime)) +
                  R"(},{"id":2,"type":"stream-exec-calc_1"})"));
  ASSERT_EQ(plan.nodes.size(), 2U);
  EXPECT_EQ(plan.nodes[0].rowtime, "b");
  EXPECT_EQ(plan.nodes[1].rowtime, "");
}

TEST(PlanReaderTest, KnowsEqualColumnTypesWhateverTheColumnsAreCalled) {
  const auto type = [](const std::string& text) { return WithOutputType(text).row_type; };
  const std::uint64_t plain = type(R"("ROW<`a` BIGINT, `b, c` VARCHAR(10) NOT NULL>")");
  EXPECT_NE(plain, 0U);
  EXPECT_EQ(plain, type(R"("ROW<`x` BIGINT, `y` VARCHAR(10) NOT NULL>")"));
  for (const char* other :
       {R"("ROW<`a` BIGINT, `b` VARCHAR(10)>")", R"("ROW<`a` INT, `b` VARCHAR(10) NOT NULL>")",
        R"("ROW<`a` BIGINT, `b` VARCHAR(11) NOT NULL>")", R"("ROW<`a` BIGINT>")",
        R"("ROW<`b` VARCHAR(10) NOT NULL, `a` BIGINT>")"}) {
    EXPECT_NE(type(other), plain) << other;
  }
  // The names within a nested row are a part of its type.
  EXPECT_NE(type(R"("ROW<`r` ROW<`a` BIGINT>>")"), type(R"("ROW<`r` ROW<`b` BIGINT>>")"));
  EXPECT_EQ(type(R"("ROW<`r` ROW<`a` BIGINT>>")"), type(R"("ROW<`s` ROW<`a` BIGINT>>")"));
  // An event-time attribute is stored as the timestamp that it is.
  const std::string object =
      R"({"type":"ROW","fields":[{"name":"a","fieldType":"BIGINT"},{"name":"ts","fieldType":)"
      R"({"type":"TIMESTAMP_WITHOUT_TIME_ZONE","nullable":false,"precision":3,"kind":"ROWTIME"}}]})";
  EXPECT_EQ(type(object), type(R"("ROW<`a` BIGINT, `t` TIMESTAMP(3) NOT NULL>")"));
  EXPECT_NE(type(object), type(R"("ROW<`a` BIGINT, `t` TIMESTAMP(3)>")"));
  EXPECT_NE(type(object), 0U);
}

TEST(PlanReaderTest, ATypeThatIsNotReadWholeIsNotKnown) {
  for (const char* unknown : {"null", "[]", "7", R"("BIGINT")", R"("")",
                              R"({"fields":[{"name":"r","fieldType":{"type":"ROW","fields":[]}}]})",
                              R"({"fields":[{"name":"r","fieldType":[]}]})"}) {
    EXPECT_EQ(WithOutputType(unknown).row_type, 0U) << unknown;
  }
  EXPECT_NE(WithOutputType(R"("ROW<>")").row_type, 0U);
}

TEST(PlanReaderTest, TakesIdsOf64Bits) {
  EXPECT_EQ(Read(Around(R"({"id":-3,"type":"a_1"})")).nodes[0].id, -3);
  EXPECT_EQ(Read(Around(R"({"id":9223372036854775807,"type":"a_1"})")).nodes[0].id,
            9223372036854775807);
  EXPECT_EQ(Why(Around(R"({"id":9223372036854775808,"type":"a_1"})")),
            "the node at nodes[0], line 1: its id is 9223372036854775808, no 64-bit integer");
  EXPECT_EQ(Why(Around(R"({"id":1.5,"type":"a_1"})")),
            "the node at nodes[0], line 1: its id is 1.5, no 64-bit integer");
  EXPECT_EQ(Why(Around(R"({"id":{"x":1},"type":"a_1"})")),
            "the node at nodes[0], line 1: its id is an object, no 64-bit integer");
}

TEST(PlanReaderTest, NamesTheNodeThatIsNone) {
  EXPECT_EQ(Why(Around("{\"id\":1,\"type\":\"a_1\"},\n{\"type\":\"b_1\"}")),
            "the node at nodes[1], line 2 has no id");
  EXPECT_EQ(Why(Around("\n\n{\"id\":7}")), "node 7 (nodes[0], line 3) has no type");
  EXPECT_EQ(Why(Around(R"({"id":7,"type":null})")), "node 7 (nodes[0], line 1) has no type");
  EXPECT_EQ(Why(Around(R"({"id":1,"type":"a_1"},
{"id":2,"type":"a_1"},
{"id":1,"type":"a_1"})")),
            "id 1 occurs twice: nodes[0], line 1, and nodes[2], line 3");
  EXPECT_EQ(Why(Around(R"({"id":0,"type":"a_1"},{"id":0,"type":"a_1"})")),
            "id 0 occurs twice: nodes[0], line 1, and nodes[1], line 1");
  EXPECT_EQ(Why(Around("17")), "nodes[0] is no object but 17");
  EXPECT_EQ(Why(Around("[]")), "nodes[0] is no object but a list");
}

TEST(PlanReaderTest, ReadsFlinksNormalisedPlansWithoutEdges) {
  const CompiledPlan plan = Read(
      R"({"flinkVersion":"","nodes":[{"id":0,"type":"a_1"},{"id":0,"type":"b_1"}],
          "edges":[{"source":0,"target":0}]})");
  EXPECT_EQ(plan.nodes.size(), 2U);
  EXPECT_TRUE(plan.edges.empty());
  EXPECT_EQ(plan.problems.size(), 1U);
}

TEST(PlanReaderTest, ChecksEdges) {
  const auto with = [](const std::string& edges) {
    return R"({"flinkVersion":"2.3","nodes":[{"id":1,"type":"a_1"},{"id":2,"type":"b_1"}],"edges":)" +
           edges + "}";
  };
  EXPECT_EQ(Why(with(R"([{"source":1,"target":2},{"source":1,"target":99}])")),
            "edges[1]: its target 99 is no node of this plan");
  EXPECT_EQ(Why(with(R"([{"source":3,"target":2}])")),
            "edges[0]: its source 3 is no node of this plan");
  EXPECT_EQ(Why(with(R"([{"source":1}])")), "edges[0] has no target");
  EXPECT_EQ(Why(with(R"([{"target":1}])")), "edges[0] has no source");
  EXPECT_EQ(Why(with(R"([{"source":"x","target":1}])")),
            "edges[0]: its source is \"x\", no 64-bit integer");
  EXPECT_EQ(Why(with(R"([{"source":1,"target":2},{"source":2,"target":1}])")),
            "the edges form a circle at node 1");
  EXPECT_EQ(Why(with("[5]")), "edges[0] is no object but 5");
  EXPECT_EQ(Why(with("{}")), "\"edges\" is no list but an object: no compiled plan");
  EXPECT_EQ(Read(R"({"flinkVersion":"2.3","nodes":[{"id":1,"type":"a_1"}]})").problems,
            std::vector<std::string>{"it has no \"edges\""});
}

TEST(PlanReaderTest, NotesOddStateAndKeepsTheRest) {
  struct Case {
    const char* state;
    std::size_t entries;
    const char* problem;
  };
  const std::string node = "node 19 (nodes[0], line 1)";
  for (const Case& c : {
           Case{R"({"a":1})", 0, ": its state is no list but an object"},
           {"7", 0, ": its state is no list but 7"},
           {R"([{"index":0,"ttl":"1 d","name":"a"},5])", 1, ", state[1] is no object but 5"},
           {R"([[],{"index":1,"ttl":"1 d","name":"a"}])", 1, ", state[0] is no object but a list"},
           {R"([{"ttl":"1 d","name":"a"}])", 1, ", state[0] has no index"},
           {R"([{"index":1,"ttl":"1 d","name":"a"}])", 1,
            ", state[0]: its index is 1, not its place in the list"},
           {R"([{"index":-1,"ttl":"1 d","name":"a"}])", 1,
            ", state[0]: its index is -1, its place is taken instead"},
           {R"([{"index":99999999999,"ttl":"1 d","name":"a"}])", 1,
            ", state[0]: its index is 99999999999, its place is taken instead"},
           {R"([{"index":0,"ttl":"1 d"}])", 1, ", state[0] has no name"},
           {R"([{"index":0,"ttl":"1 d","name":5}])", 1, ", state[0] has no name"},
           {R"([{"index":0,"name":"a"}])", 1, ", state[0] has no ttl: Flink refuses such a plan"},
           {R"([{"index":0,"ttl":null,"name":"a"}])", 1,
            ", state[0] has no ttl: Flink refuses such a plan"},
           {R"([{"index":0,"ttl":{"d":[1]},"name":"a"}])", 1,
            ", state[0]: its ttl is an object, which Flink refuses"},
           {R"([{"index":0,"ttl":"","name":"a"}])", 1,
            ", state[0]: its ttl is \"\", which Flink refuses"},
       }) {
    const CompiledPlan plan = Read(WithState(c.state));
    ASSERT_EQ(plan.nodes.size(), 1U) << c.state;
    EXPECT_EQ(plan.nodes[0].state.size(), c.entries) << c.state;
    ASSERT_FALSE(plan.problems.empty()) << c.state;
    EXPECT_EQ(plan.problems[0], node + c.problem) << c.state;
  }
}

// What StateMetadata of Flink 2.3.0 makes of a ttl; absent is refused.
struct TtlCase {
  const char* json;
  const char* text;
  std::optional<std::int64_t> millis;
};

TEST(PlanReaderTest, ReadsTtlsAsFlinkDoes) {
  for (const TtlCase& c : {TtlCase{"\"1 d\"", "1 d", 86400000},
                           {"\" 1 h \"", " 1 h ", 3600000},
                           {"86400000", "86400000", 86400000},
                           {"\"86400000\"", "86400000", 86400000},
                           {"\"PT1H\"", "PT1H", 3600000},
                           {"\"1 \\u00b5s\"", "1 \xC2\xB5s", 0},
                           {"9223372036854775807", "9223372036854775807", 9223372036854775807},
                           {"1.5", "1.5", std::nullopt},
                           {"1.0", "1.0", std::nullopt},
                           {"1e3", "1e3", std::nullopt},
                           {"-1", "-1", std::nullopt},
                           {"true", "true", std::nullopt},
                           {"\"1 w\"", "1 w", std::nullopt},
                           {"9223372036854775808", "9223372036854775808", std::nullopt}}) {
    const std::string entry = std::string(R"([{"index":0,"ttl":)") + c.json + R"(,"name":"s"}])";
    const CompiledPlan plan = Read(WithState(entry));
    ASSERT_EQ(plan.nodes[0].state.size(), 1U) << c.json;
    EXPECT_EQ(plan.nodes[0].state[0].ttl, c.text);
    EXPECT_EQ(plan.nodes[0].state[0].ttl_ms, c.millis) << c.json;
    EXPECT_EQ(plan.problems.size(), c.millis ? 0U : 1U) << c.json;
  }
  EXPECT_EQ(Read(WithState(R"([{"index":0,"ttl":"1 w","name":"leftState"}])")).problems[0],
            "node 19 (stream-exec-join_1), state leftState: \"1 w\" is no duration that Flink "
            "loads: the unit is unknown");
}

TEST(PlanReaderTest, ReadsIso8601From23On) {
  const std::string state = R"([{"index":0,"ttl":"PT1H","name":"s"}])";
  for (const char* version : {"\"2.3\"", "\"2.10\"", "\"3.0\"", "\"2.3-SNAPSHOT\"", "\"\""}) {
    EXPECT_EQ(Read(WithState(state, version)).nodes[0].state[0].ttl_ms, 3600000) << version;
  }
  for (const char* version : {"\"2.2\"", "\"1.20\"", "\"1.18\""}) {
    EXPECT_EQ(Read(WithState(state, version)).nodes[0].state[0].ttl_ms, std::nullopt) << version;
  }
}

TEST(PlanReaderTest, RefusesWhatIsNoPlan) {
  EXPECT_EQ(Why(""), "the file is empty");
  EXPECT_EQ(Why(" \n\t"), "the file is empty");
  EXPECT_EQ(Why("[]"), "the document is no object: no compiled plan");
  EXPECT_EQ(Why("\"text\""), "the document is no object: no compiled plan");
  EXPECT_EQ(Why("{}"), "it has no \"nodes\": no compiled plan");
  EXPECT_EQ(Why(R"({"nodes":[]})"), "its \"nodes\" are empty: no compiled plan");
  EXPECT_EQ(Why(R"({"nodes":{}})"), "\"nodes\" is no list but an object: no compiled plan");
  EXPECT_EQ(Why(R"({"nodes":null})"), "\"nodes\" is no list but null: no compiled plan");
  EXPECT_EQ(Why("{\"nodes\":\n[}"), "no JSON at byte 11 (line 2): Invalid value");
  EXPECT_EQ(Why("{\"nodes\":[{\"id\":1"),
            "no JSON at byte 17 (line 1): Missing a comma or '}' after an object member");
  EXPECT_EQ(Why("<html>"), "no JSON at byte 0 (line 1): Invalid value");
  EXPECT_EQ(Why(std::string("\x7F"
                            "ELF\2\1\1\0",
                            8)),
            "no JSON at byte 0 (line 1): Invalid value");
  EXPECT_EQ(Why(std::string("{\0n\0", 4)), "not UTF-8 text (UTF-16 or binary?): no compiled plan");
  EXPECT_EQ(Why("\xFF\xFE{"), "not UTF-8 text (UTF-16 or binary?): no compiled plan");
  EXPECT_EQ(Why("{\"a\":\"\xFF\"}"), "no JSON at byte 6 (line 1): Invalid encoding in string");
  EXPECT_EQ(Why("{\"a\":NaN}"), "no JSON at byte 5 (line 1): Invalid value");
}

TEST(PlanReaderTest, RefusesBytesAfterTheEnd) {
  const std::string plan = Around(R"({"id":1,"type":"a_1"})");
  EXPECT_TRUE(ReadPlan(plan + "\n \n", "p").ok());
  EXPECT_NE(Why(plan + "{}"), "it was read");
  EXPECT_NE(Why(plan + std::string("\0x", 2)), "it was read");
}

TEST(PlanReaderTest, ReadsAByteOrderMarkAndSaysSo) {
  const CompiledPlan plan = Read("\xEF\xBB\xBF" + Around(R"({"id":1,"type":"a_1"})"));
  EXPECT_EQ(plan.problems, std::vector<std::string>{"the file begins with a byte order mark"});
}

TEST(PlanReaderTest, NestingCostsNoStack) {
  const auto nested = [](std::size_t depth) {
    return Around(R"({"id":1,"type":"a_1","x":)" + std::string(depth, '[') +
                  std::string(depth, ']') + "}");
  };
  EXPECT_TRUE(ReadPlan(nested(9'000), "p").ok());
  EXPECT_NE(Why(nested(11'000)).find("nested deeper than 10000 levels at byte"), std::string::npos);
  EXPECT_NE(Why(std::string(1 << 20, '[')).find("no object"), std::string::npos);
  EXPECT_NE(Why("{\"x\":" + std::string(1 << 20, '[')).find("nested deeper"), std::string::npos);
}

TEST(PlanReaderTest, LimitsSizeAndProblems) {
  const Result<CompiledPlan> large = ReadPlan(std::string(kMaxPlanBytes + 1, ' '), "large.json");
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, ErrorCode::kTooLarge);
  std::string entries = "1";
  for (int i = 0; i < 100'000; ++i) entries += ",1";
  const CompiledPlan plan = Read(WithState("[" + entries + "]"));
  EXPECT_EQ(plan.problems.size(), 101U);
  EXPECT_EQ(plan.problems.back(), "and 99901 more");
}

TEST(PlanReaderTest, ReadsTwoThousandNodes) {
  std::string nodes;
  for (int i = 0; i < 2000; ++i) {
    nodes += (i == 0 ? "" : ",") + (R"({"id":)" + std::to_string(i)) +
             R"(,"type":"stream-exec-calc_1"})";
  }
  EXPECT_EQ(Read(Around(nodes)).nodes.size(), 2000U);
}

TEST(ReadPlanFileTest, SaysWhyAFileCannotBeRead) {
  const Result<CompiledPlan> missing = ReadPlanFile(Golden("none.json"), "none.json");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().ToString(), "none.json: No such file or directory");
  const Result<CompiledPlan> folder = ReadPlanFile(FSS_TEST_DATA, "golden");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, ErrorCode::kIo);
  EXPECT_EQ(folder.error().ToString(), "golden: is a folder");
  const Result<CompiledPlan> endless = ReadPlanFile("/dev/zero", "zero");
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace fss
