#include "collectors/plan_builder.h"

#include <limits>
#include <optional>
#include <utility>

#include "collectors/plan_edges.h"
#include "collectors/plan_words.h"
#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

// A file full of errors must not cost more memory than it has bytes.
constexpr std::size_t kMaxProblems = 100;

// An integer as Flink's JSON library takes it: 19, or "19".
std::optional<std::int64_t> IntegerOf(const JsonToken& token) {
  if (token.type != JsonToken::Type::kNumber && token.type != JsonToken::Type::kString) {
    return std::nullopt;
  }
  return ToInteger(token.text);
}

JsonToken Container(JsonToken::Type type) { return JsonToken{type, {}}; }

}  // namespace

void PlanBuilder::Key(std::string_view key) { key_ = key; }

void PlanBuilder::Problem(std::string line) {
  if (plan_.problems.size() < kMaxProblems) {
    plan_.problems.push_back(std::move(line));
  } else {
    ++problems_left_out_;
  }
}

bool PlanBuilder::Fail(std::string why) {
  error_ = std::move(why);
  return false;
}

std::string PlanBuilder::NodeName() const {
  const std::string place =
      "nodes[" + std::to_string(plan_.nodes.size()) + "], line " + std::to_string(node_.line);
  return has_id_ ? "node " + std::to_string(node_.id) + " (" + place + ")" : "the node at " + place;
}

std::string PlanBuilder::EntryName() const {
  return NodeName() + ", state[" + std::to_string(entries_seen_) + "]";
}

bool PlanBuilder::Scalar(const JsonToken& token) {
  switch (Here()) {
    case Place::kTop:
      return Fail("the document is no object: no compiled plan");
    case Place::kRoot:
      return RootField(token);
    case Place::kNode:
      return NodeField(token);
    case Place::kEntry:
      EntryField(token);
      return true;
    case Place::kEdge:
      return EdgeField(token);
    case Place::kOutputType:
      output_type_.Scalar(key_, token);
      return true;
    case Place::kSinkTable:
      sink_keys_.Scalar(key_, token);
      return true;
    case Place::kUpsertKey:
      sink_keys_.UpsertKeyColumn(token);
      return true;
    case Place::kNodes:
    case Place::kState:
    case Place::kEdges:
      return Element(token);
  }
  return true;
}

bool PlanBuilder::RootField(const JsonToken& token) {
  if (key_ == "flinkVersion") {
    has_version_ = token.type == JsonToken::Type::kString || token.type == JsonToken::Type::kNumber;
    plan_.flink_version = has_version_ ? std::string(token.text) : std::string();
  } else if (key_ == "nodes" || key_ == "edges") {
    return Fail("\"" + key_ + "\" is no list but " + Shown(token) + ": no compiled plan");
  }
  return true;
}

bool PlanBuilder::NodeField(const JsonToken& token) {
  if (key_ == "id") {
    const std::optional<std::int64_t> id = IntegerOf(token);
    if (!id) return Fail(NodeName() + ": its id is " + Shown(token) + ", no 64-bit integer");
    node_.id = *id;
    has_id_ = true;
  } else if (key_ == "outputType") {
    node_.rowtime.clear();
    node_.rowtime_ltz = false;
    node_.row_type = token.type == JsonToken::Type::kString ? RowTypeOfText(token.text) : 0;
  } else if (key_ == "state") {
    // null is what a missing list is to Flink.
    if (token.type != JsonToken::Type::kNull) {
      Problem(NodeName() + ": its state is no list but " + Shown(token));
    }
  } else if (key_ == "type" || key_ == "description" || key_ == "uid") {
    std::string& field =
        key_ == "type" ? node_.type : (key_ == "uid" ? node_.uid : node_.description);
    const bool text = token.type == JsonToken::Type::kString;
    field = text ? std::string(token.text) : std::string();
    if (!text && token.type != JsonToken::Type::kNull) {
      Problem(NodeName() + ": its " + key_ + " is no text but " + Shown(token));
    }
  }
  return true;
}

void PlanBuilder::EntryField(const JsonToken& token) {
  using Type = JsonToken::Type;
  if (key_ == "index") {
    const std::optional<std::int64_t> index = IntegerOf(token);
    has_index_ = index && *index >= 0 && *index <= std::numeric_limits<int>::max();
    if (has_index_) {
      entry_.index = static_cast<int>(*index);
    } else {
      Problem(EntryName() + ": its index is " + Shown(token) + ", its place is taken instead");
    }
  } else if (key_ == "name") {
    entry_.name = token.type == Type::kString ? std::string(token.text) : std::string();
  } else if (key_ == "ttl") {
    // A bare number is text to Flink, read in milliseconds; so is `true`, which it refuses.
    has_ttl_ = token.type != Type::kNull;
    entry_.ttl = has_ttl_ ? std::string(token.text) : std::string();
    if (has_ttl_ && entry_.ttl.empty()) {
      Problem(EntryName() + ": its ttl is " + Shown(token) + ", which Flink refuses");
    }
  }
}

bool PlanBuilder::EdgeField(const JsonToken& token) {
  if (key_ != "source" && key_ != "target") return true;
  const bool source = key_ == "source";
  const std::optional<std::int64_t> id = IntegerOf(token);
  if (!id) {
    return Fail("edges[" + std::to_string(plan_.edges.size()) + "]: its " + key_ + " is " +
                Shown(token) + ", no 64-bit integer");
  }
  (source ? edge_.source : edge_.target) = *id;
  (source ? ends_.source : ends_.target) = true;
  return true;
}

bool PlanBuilder::Element(const JsonToken& token) {
  if (Here() == Place::kNodes) {
    return Fail("nodes[" + std::to_string(plan_.nodes.size()) + "] is no object but " +
                Shown(token));
  }
  if (Here() == Place::kEdges) {
    return Fail("edges[" + std::to_string(plan_.edges.size()) + "] is no object but " +
                Shown(token));
  }
  Problem(EntryName() + " is no object but " + Shown(token));
  ++entries_seen_;
  return true;
}

PlanBuilder::Entered PlanBuilder::Open(JsonToken::Type type, int line) {
  switch (Here()) {
    case Place::kTop:
      if (type == JsonToken::Type::kObject) return Enter(Place::kRoot);
      Fail("the document is no object: no compiled plan");
      return Entered::kError;
    case Place::kRoot:
      return OpenRootField(type);
    case Place::kNode:
      return OpenNodeField(type);
    case Place::kEntry:
      EntryField(Container(type));
      return Entered::kSkip;
    case Place::kEdge:
      return EdgeField(Container(type)) ? Entered::kSkip : Entered::kError;
    case Place::kOutputType:
      return output_type_.Open(key_, type) ? Entered::kYes : Entered::kSkip;
    case Place::kSinkTable:
      return sink_keys_.Open(key_, type) ? Entered::kYes : Entered::kSkip;
    case Place::kUpsertKey:
      sink_keys_.UpsertKeyColumn(Container(type));
      return Entered::kSkip;
    case Place::kNodes:
    case Place::kState:
    case Place::kEdges:
      return OpenElement(type, line);
  }
  return Entered::kSkip;
}

PlanBuilder::Entered PlanBuilder::Enter(Place place) {
  places_.push_back(place);
  return Entered::kYes;
}

// A field that occurs twice counts as its last occurrence says, as in Flink's JSON library.
PlanBuilder::Entered PlanBuilder::OpenRootField(JsonToken::Type type) {
  const bool list = type == JsonToken::Type::kArray;
  if (key_ == "nodes" && list) {
    has_nodes_ = true;
    plan_.nodes.clear();
    index_of_.clear();
    return Enter(Place::kNodes);
  }
  if (key_ == "edges" && list) {
    has_edges_ = true;
    plan_.edges.clear();
    return Enter(Place::kEdges);
  }
  return RootField(Container(type)) ? Entered::kSkip : Entered::kError;
}

PlanBuilder::Entered PlanBuilder::OpenNodeField(JsonToken::Type type) {
  if (key_ == "state" && type == JsonToken::Type::kArray) {
    node_.declares_state = true;
    node_.state.clear();
    entries_seen_ = 0;
    return Enter(Place::kState);
  }
  if (key_ == "outputType" && type == JsonToken::Type::kObject) {
    output_type_.Begin();
    return Enter(Place::kOutputType);
  }
  if (key_ == "dynamicTableSink" && type == JsonToken::Type::kObject) {
    sink_keys_.BeginTable();
    return Enter(Place::kSinkTable);
  }
  if (key_ == "inputUpsertKey" && type == JsonToken::Type::kArray) {
    sink_keys_.BeginUpsertKey();
    return Enter(Place::kUpsertKey);
  }
  return NodeField(Container(type)) ? Entered::kSkip : Entered::kError;
}

PlanBuilder::Entered PlanBuilder::OpenElement(JsonToken::Type type, int line) {
  if (type != JsonToken::Type::kObject) {
    return Element(Container(type)) ? Entered::kSkip : Entered::kError;
  }
  if (Here() == Place::kNodes) {
    node_ = PlanNode();
    node_.line = line;
    has_id_ = false;
    sink_keys_.BeginNode();
    return Enter(Place::kNode);
  }
  if (Here() == Place::kState) {
    entry_ = StateEntry();
    has_index_ = false;
    has_ttl_ = false;
    return Enter(Place::kEntry);
  }
  edge_ = PlanEdge();
  ends_ = EdgeEnds();
  return Enter(Place::kEdge);
}

bool PlanBuilder::Close() {
  const Place place = Here();
  if (place == Place::kOutputType && !output_type_.Close()) return true;
  if (place == Place::kSinkTable && !sink_keys_.Close()) return true;
  places_.pop_back();
  switch (place) {
    case Place::kNode:
      return CloseNode();
    case Place::kEntry:
      return CloseEntry();
    case Place::kEdge:
      return CloseEdge();
    case Place::kOutputType:
      node_.rowtime = output_type_.rowtime();
      node_.rowtime_ltz = output_type_.ltz();
      node_.row_type = output_type_.row_type();
      return true;
    default:
      return true;
  }
}

bool PlanBuilder::CloseNode() {
  if (!has_id_) return Fail(NodeName() + " has no id");
  if (node_.type.empty()) return Fail(NodeName() + " has no type");
  const auto [found, fresh] = index_of_.emplace(node_.id, plan_.nodes.size());
  if (!fresh) {
    const std::size_t first = found->second;
    std::string why = "id " + std::to_string(node_.id) + " occurs twice: nodes[" +
                      std::to_string(first) + "], line " + std::to_string(plan_.nodes[first].line) +
                      ", and nodes[" + std::to_string(plan_.nodes.size()) + "], line " +
                      std::to_string(node_.line);
    if (node_.id != 0 || index_of_.size() > 1) return Fail(std::move(why));
    if (repeated_.empty()) repeated_ = std::move(why);
  }
  SplitType(&node_);
  node_.sink_keys = sink_keys_.Finish();
  plan_.nodes.push_back(std::move(node_));
  return true;
}

bool PlanBuilder::CloseEntry() {
  if (entry_.name.empty()) Problem(EntryName() + " has no name");
  if (!has_index_) {
    Problem(EntryName() + " has no index");
    entry_.index = static_cast<int>(entries_seen_);
  } else if (static_cast<std::size_t>(entry_.index) != entries_seen_) {
    Problem(EntryName() + ": its index is " + std::to_string(entry_.index) +
            ", not its place in the list");
  }
  if (!has_ttl_) Problem(EntryName() + " has no ttl: Flink refuses such a plan");
  ++entries_seen_;
  // Nothing is known of such an entry; keeping it would cost more than its bytes.
  if (!entry_.name.empty() || has_ttl_ || has_index_) node_.state.push_back(std::move(entry_));
  return true;
}

bool PlanBuilder::CloseEdge() {
  if (!ends_.source || !ends_.target) {
    return Fail("edges[" + std::to_string(plan_.edges.size()) + "] has no " +
                (ends_.source ? "target" : "source"));
  }
  plan_.edges.push_back(edge_);
  return true;
}

void PlanBuilder::ResolveTtl(const PlanNode& node, StateEntry* entry, bool allow_iso8601) {
  if (entry->ttl.empty()) return;
  const Result<std::int64_t> millis = ParseFlinkDuration(entry->ttl, allow_iso8601);
  if (millis) {
    entry->ttl_ms = *millis;
  } else {
    Problem("node " + std::to_string(node.id) + " (" + OneLine(node.type, kShownBytes) +
            "), state " + OneLine(entry->name, kShownBytes) + ": " +
            OneLine(millis.error().message, 2 * kShownBytes));
  }
}

Result<CompiledPlan> PlanBuilder::Finish(std::string file) && {
  const auto malformed = [&](std::string message) {
    return Error{ErrorCode::kMalformed, std::move(message), std::move(file)};
  };
  if (!has_nodes_) return malformed("it has no \"nodes\": no compiled plan");
  if (plan_.nodes.empty()) return malformed("its \"nodes\" are empty: no compiled plan");
  if (!repeated_.empty()) {
    // Flink's own tests write plans without version whose ids are all 0. Their nodes can be
    // judged; what feeds what is lost.
    const bool normalised = index_of_.size() == 1 && plan_.flink_version.empty();
    if (!normalised) return malformed(repeated_);
    plan_.edges.clear();
    Problem("the id of every node is 0, so edges mean nothing");
  }
  std::string trouble = EdgeTrouble(plan_, index_of_);
  if (!trouble.empty()) return malformed(std::move(trouble));
  if (!has_edges_) Problem("it has no \"edges\"");
  if (!has_version_) Problem("it has no \"flinkVersion\"");
  const bool iso8601 = AllowsIso8601(plan_.flink_version);
  for (PlanNode& node : plan_.nodes) {
    for (StateEntry& entry : node.state) ResolveTtl(node, &entry, iso8601);
  }
  if (problems_left_out_ > 0) {
    plan_.problems.push_back("and " + std::to_string(problems_left_out_) + " more");
  }
  plan_.file = std::move(file);
  return std::move(plan_);
}

}  // namespace fss
