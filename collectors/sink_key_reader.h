// Finds the primary key of a sink's table in a plan node's "dynamicTableSink", out of the events of
// a JSON parser.
//
// {"table": {"identifier": …, "resolvedTable": {"schema": {"columns": [{"name": "k", …}, …],
// "primaryKey": {"name": …, "type": "PRIMARY_KEY", "columns": ["k"]}}, …}}} (Flink 1.18 to 2.3;
// "resolvedTable" is missing where table.plan.compile.catalog-objects is IDENTIFIER). Anything else
// is passed over. Not thread safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/json_token.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

class SinkKeyReader {
 public:
  // A node begins: what was found before is forgotten.
  void BeginNode();
  // The object begins: what an earlier one of this node told counts no more.
  void BeginTable();
  // A value that is no container; `key` is the last key of the innermost entered object.
  void Scalar(std::string_view key, const JsonToken& token);
  // A container begins. False: it is not wanted, the caller skips it whole, without Close().
  bool Open(std::string_view key, JsonToken::Type type);
  // The container that was entered last ends. True: it was the whole object.
  bool Close();

  // "inputUpsertKey": the input's key as places of columns.
  void BeginUpsertKey() { upsert_key_.clear(); }
  void UpsertKeyColumn(const JsonToken& token);

  // What the node told, at its end; nullptr where its table has no primary key.
  std::shared_ptr<const SinkKeys> Finish();

 private:
  // Each level but kKey and kKeyColumns, which lie in kSchema, lies in the one before it.
  enum class Level { kSink, kTable, kResolved, kSchema, kColumns, kColumn, kKey, kKeyColumns };

  Level level_ = Level::kSink;
  std::string name_;       // of the column being read
  bool physical_ = false;  // computed and metadata columns have no place in what a sink is given
  std::vector<std::string> columns_;
  std::vector<std::string> primary_key_;
  std::vector<std::size_t> upsert_key_;
};

}  // namespace fss
