// Every `_metadata` among Flink's own test resources, against what Flink's own loader printed.
// FSS_FLINK_TEST_PLANS and FSS_FLINK_TEST_SAVEPOINTS name folders with the unpacked `tests` jars of
// flink-table-planner and flink-tests 2.3.0 and 1.20.1, each in a folder of its version
// (`deploy/setup test-plans` fetches them); without them these tests are skipped. The loader's
// answers and their columns: tests/golden/checkpoints/README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "collectors/checkpoint/local_store.h"
#include "collectors/checkpoint/metadata_reader.h"
#include "collectors/checkpoint/state_head_reader.h"
#include "tests/unit/collectors/checkpoint/memory_source.h"

namespace fss {
namespace {

namespace fs = std::filesystem;
using Row = std::vector<std::string>;

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string Unzipped(const std::string& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  std::string block(1U << 16U, '\0');
  for (int got = 0; (got = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;) {
    text.append(block, 0, static_cast<std::size_t>(got));
  }
  gzclose(file);
  return text;
}

Row Split(const std::string& text, const std::string& by) {
  Row parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(by, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + by.size();
  }
  return parts;
}

// "Optional[x]" and "Optional.empty", as Java prints them.
std::string FromOptional(const std::string& text) {
  const std::string begin = "Optional[";
  return text.starts_with(begin) ? text.substr(begin.size(), text.size() - begin.size() - 1) : "";
}

// The number behind "mk=" and the like.
std::int64_t NumberOf(const std::string& cell) {
  return std::stoll(cell.substr(cell.find('=') + 1));
}

struct NamedStates {
  std::set<std::string> operator_names;
  std::vector<std::string> keyed;  // name/TYPE/KIND/snapshot, in the order of the file
  bool unread = false;             // Flink's own loader could not read the keyed ones
};

// "OP:[a, b] || x/KEY_VALUE/MAP/MapSerializerSnapshot,y/…"
NamedStates StatesOf(const std::string& cell) {
  NamedStates states;
  for (const std::string& part : Split(cell, " || ")) {
    const std::string begin = "OP:[";
    if (part.starts_with(begin)) {
      const Row names = Split(part.substr(begin.size(), part.size() - begin.size() - 1), ", ");
      states.operator_names.insert(names.begin(), names.end());
    } else if (part.starts_with("ERR:")) {
      states.unread = true;
    } else if (!part.empty()) {
      states.keyed = Split(part, ",");
    }
  }
  return states;
}

std::string KindOf(const CheckpointState& state) {
  switch (state.kind) {
    case StateKind::kTimers:
      return "PRIORITY_QUEUE/null";
    case StateKind::kValue:
      return "KEY_VALUE/VALUE";
    case StateKind::kMap:
      return "KEY_VALUE/MAP";
    case StateKind::kList:
      return "KEY_VALUE/LIST";
    default:
      return "?";
  }
}

class Counts {
 public:
  void Add(const CheckpointMetadata& metadata) {
    ++files;
    for (const CheckpointOperator& op : metadata.operators) Add(op);
  }
  int files = 0;
  int operators = 0;
  int heads = 0;
  int without_names = 0;  // operators
  int with_ttl = 0;       // keyed states
  int unknown_ttl = 0;

 private:
  void Add(const CheckpointOperator& op) {
    ++operators;
    if (!op.keyed_states_known) ++without_names;
    for (const CheckpointState& state : op.states) {
      if (state.ttl_enabled == true) ++with_ttl;
      if (!state.ttl_enabled && state.scope == StateScope::kKeyed) ++unknown_ttl;
    }
  }
};

std::set<std::string> OperatorStates(const CheckpointOperator& op) {
  std::set<std::string> names;
  for (const CheckpointState& state : op.states) {
    if (state.scope == StateScope::kOperator) names.insert(state.name);
  }
  return names;
}

void ExpectEqualKeyedStates(const CheckpointOperator& op, const NamedStates& golden) {
  std::vector<std::string> keyed;
  for (const CheckpointState& state : op.states) {
    if (state.scope == StateScope::kKeyed) keyed.push_back(state.name + "/" + KindOf(state));
  }
  EXPECT_TRUE(op.keyed_states_known);
  EXPECT_FALSE(op.keyed_head.has_value());
  if (golden.unread) {
    EXPECT_FALSE(keyed.empty());
    return;
  }
  ASSERT_EQ(keyed.size(), golden.keyed.size());
  for (std::size_t i = 0; i < keyed.size(); ++i) {
    const std::string& printed = golden.keyed[i];
    EXPECT_EQ(keyed[i], printed.substr(0, printed.rfind('/')));
    // The loader printed the outermost snapshot alone; a TTL inside a list or map it does not say.
    const auto state =
        std::ranges::find(op.states, Split(printed, "/KEY_VALUE")[0], &CheckpointState::name);
    if (printed.ends_with("/TtlSerializerSnapshot")) {
      EXPECT_EQ(state->ttl_enabled, true) << printed;
    } else if (!printed.ends_with("/MapSerializerSnapshot") &&
               !printed.ends_with("/ListSerializerSnapshot") && state != op.states.end()) {
      EXPECT_EQ(state->ttl_enabled, false) << printed;
    }
  }
}

void ExpectEqual(const CheckpointOperator& op, const Row& golden) {
  EXPECT_EQ(op.name, FromOptional(golden[2]));
  EXPECT_EQ(op.uid, FromOptional(golden[3]));
  EXPECT_EQ("p=" + std::to_string(op.parallelism) + "/" + std::to_string(op.max_parallelism),
            golden[4]);
  EXPECT_EQ(op.managed_keyed_bytes, NumberOf(golden[5]));
  EXPECT_EQ(op.raw_keyed_bytes, NumberOf(golden[6]));
  EXPECT_EQ(op.managed_operator_bytes, NumberOf(golden[7]));
  EXPECT_EQ(op.raw_operator_bytes, NumberOf(golden[8]));
  EXPECT_EQ(op.size_bytes, NumberOf(golden[9]));
  EXPECT_EQ(op.checkpointed_bytes, NumberOf(golden[10]));
  EXPECT_EQ(op.fully_finished, golden[11] == "fin=true");
  EXPECT_EQ(OperatorStates(op), StatesOf(golden[13]).operator_names);
}

struct GoldenFile {
  Row row;
  std::vector<Row> operators;
};

// By path below the folder of the versions.
std::map<std::string, GoldenFile> GoldenFiles(const std::string& name) {
  std::istringstream lines(Unzipped(FSS_TEST_DATA "/checkpoints/" + name));
  std::map<std::string, GoldenFile> golden;
  std::string path;
  for (std::string line; std::getline(lines, line);) {
    Row row = Split(line, "\t");
    if (row[0] == "FILE") {
      path = row[1];
      golden[path].row = std::move(row);
    } else if (row[0] == "OP") {
      golden[path].operators.push_back(std::move(row));
    }
  }
  return golden;
}

void ExpectEqual(const CheckpointMetadata& metadata, const GoldenFile& golden) {
  EXPECT_EQ(std::to_string(metadata.checkpoint_id), golden.row[2]);
  if (metadata.version >= 4) {
    EXPECT_EQ(metadata.savepoint, golden.row[3].find("SavepointType") != std::string::npos);
  } else {
    EXPECT_EQ(metadata.savepoint, std::nullopt);
    EXPECT_EQ(golden.row[3], "null");
  }
  EXPECT_EQ(metadata.operators.size(), golden.operators.size());
  EXPECT_TRUE(std::ranges::is_sorted(metadata.operators, {}, &CheckpointOperator::operator_id));
  for (const Row& row : golden.operators) {
    SCOPED_TRACE(row[1]);
    const CheckpointOperator* const op = metadata.FindOperator(row[1]);
    ASSERT_NE(op, nullptr);
    ExpectEqual(*op, row);
  }
}

TEST(FlinkSavepoints, OfThePlannersTestsEqualWhatFlinkItselfReads) {
  const char* const folder = std::getenv("FSS_FLINK_TEST_PLANS");
  if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "FSS_FLINK_TEST_PLANS is not set";
  Counts counts;
  for (const auto& [file, golden] : GoldenFiles("restore-tests.tsv.gz")) {
    SCOPED_TRACE(file);
    MemorySource source(ReadAll(fs::path(folder) / file));
    const Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(source);
    ASSERT_TRUE(metadata.ok()) << metadata.error().ToString();
    ExpectEqual(*metadata, golden);
    for (const Row& row : golden.operators) {
      SCOPED_TRACE(row[1]);
      ExpectEqualKeyedStates(*metadata->FindOperator(row[1]), StatesOf(row[13]));
    }
    counts.Add(*metadata);
  }
  // As many as Flink's loader read: none was left out.
  EXPECT_EQ(counts.files, 459);
  EXPECT_EQ(counts.operators, 2745);
  EXPECT_EQ(counts.without_names, 0);
  EXPECT_EQ(counts.with_ttl, 13);
  EXPECT_EQ(counts.unknown_ttl, 0);
}

// Every kind of handle in formats 3 to 6, written by Flink's own classes: FlinkWriter.java in
// tests/bench/checkpoint.
TEST(FlinkSavepoints, OfEveryHandleEqualWhatFlinkItselfReads) {
  Counts counts;
  for (const auto& [file, golden] : GoldenFiles("every-handle.tsv.gz")) {
    SCOPED_TRACE(file);
    MemorySource source(ReadAll(fs::path(FSS_TEST_DATA "/checkpoints/real/metadata") / file));
    const Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(source);
    ASSERT_TRUE(metadata.ok()) << metadata.error().ToString();
    ExpectEqual(*metadata, golden);
    counts.Add(*metadata);
  }
  EXPECT_EQ(counts.files, 4);
  EXPECT_EQ(counts.operators, 12);
}

// Formats 2 to 6 (Flink 1.8 to 2.2): hashmap, RocksDB, changelog, operator, raw and broadcast
// state; checkpoints, canonical and native savepoints; POJOs, Scala and users' serializers.
TEST(FlinkSavepoints, OfOldVersionsEqualWhatFlinkItselfReads) {
  const char* const folder = std::getenv("FSS_FLINK_TEST_SAVEPOINTS");
  if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "FSS_FLINK_TEST_SAVEPOINTS is not set";
  Counts counts;
  std::set<int> versions;
  for (const auto& [file, golden] : GoldenFiles("flink-tests.tsv.gz")) {
    SCOPED_TRACE(file);
    const fs::path path = fs::path(folder) / file;
    MemorySource source(ReadAll(path));
    Result<CheckpointMetadata> metadata = ReadCheckpointMetadata(source);
    ASSERT_TRUE(metadata.ok()) << metadata.error().ToString();
    ExpectEqual(*metadata, golden);
    versions.insert(metadata->version);
    // State of the hashmap backend: beside the _metadata, where it is not inlined.
    const std::string checkpoint = path.parent_path().string();
    LocalStore store(checkpoint);
    const HeadsRead heads = ReadStateHeads(checkpoint, store, 1U << 30U, &*metadata);
    EXPECT_EQ(heads.failed, 0) << heads.first_error;
    counts.heads += heads.read;
    counts.Add(*metadata);
  }
  EXPECT_EQ(versions, (std::set<int>{2, 3, 4, 5, 6}));
  EXPECT_EQ(counts.files, 370);
  EXPECT_EQ(counts.operators, 2372);
  EXPECT_GT(counts.heads, 100);
  // Changelogs that were never materialized: the names stand in the changes alone.
  EXPECT_EQ(counts.without_names, 12);
  // A Scala collection's serializer and a user's own: not known.
  EXPECT_EQ(counts.unknown_ttl, 82);
  EXPECT_EQ(counts.with_ttl, 0);
}

}  // namespace
}  // namespace fss
