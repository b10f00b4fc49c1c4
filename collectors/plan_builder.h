// Builds a CompiledPlan out of the events of a JSON parser, and checks that it is one.
//
// Knows a plan's fields; knows nothing of the parser. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "collectors/json_token.h"
#include "collectors/output_type_reader.h"
#include "collectors/sink_key_reader.h"
#include "sidecar/base/result.h"
#include "sidecar/model/compiled_plan.h"

namespace fss {

class PlanBuilder {
 public:
  enum class Entered {
    kYes,    // its content is wanted; Close() ends it
    kSkip,   // not wanted: the caller skips it whole, without Close()
    kError,  // error() says why
  };

  void Key(std::string_view key);
  // False on error.
  bool Scalar(const JsonToken& token);
  // An object or array begins on `line` (1-based).
  Entered Open(JsonToken::Type type, int line);
  // The object or array that was entered last ends. False on error.
  bool Close();

  // Notes a part that could not be used as it is; beyond a limit only counted.
  void Problem(std::string line);

  // Why a call failed; empty otherwise.
  const std::string& error() const { return error_; }

  // The plan, after the document's end. kMalformed where it is none.
  Result<CompiledPlan> Finish(std::string file) &&;

 private:
  enum class Place {
    kTop,
    kRoot,
    kNodes,
    kNode,
    kState,
    kEntry,
    kEdges,
    kEdge,
    kOutputType,
    kSinkTable,
    kUpsertKey
  };
  struct EdgeEnds {
    bool source = false;
    bool target = false;
  };

  Place Here() const { return places_.empty() ? Place::kTop : places_.back(); }
  bool Fail(std::string why);
  std::string NodeName() const;   // "node 19 (nodes[3], line 120)", of the one being read
  std::string EntryName() const;  // "…, state[0]"

  bool RootField(const JsonToken& token);
  bool NodeField(const JsonToken& token);
  void EntryField(const JsonToken& token);
  bool EdgeField(const JsonToken& token);
  bool Element(const JsonToken& token);  // a scalar in a list
  Entered OpenRootField(JsonToken::Type type);
  Entered OpenNodeField(JsonToken::Type type);
  Entered OpenElement(JsonToken::Type type, int line);
  Entered Enter(Place place);
  bool CloseNode();
  bool CloseEntry();
  bool CloseEdge();
  void ResolveTtl(const PlanNode& node, StateEntry* entry, bool allow_iso8601);

  CompiledPlan plan_;
  std::vector<Place> places_;
  std::string key_;  // the last key of the innermost entered object
  std::string error_;
  std::size_t problems_left_out_ = 0;
  bool has_nodes_ = false;
  bool has_edges_ = false;
  bool has_version_ = false;

  std::string repeated_;  // the first repetition of id 0, an error unless all ids are 0

  PlanNode node_;
  bool has_id_ = false;
  StateEntry entry_;
  bool has_index_ = false;
  bool has_ttl_ = false;
  std::size_t entries_seen_ = 0;
  OutputTypeReader output_type_;
  SinkKeyReader sink_keys_;
  PlanEdge edge_;
  EdgeEnds ends_;
  std::unordered_map<std::int64_t, std::size_t> index_of_;  // node id → place in plan_.nodes
};

}  // namespace fss
