#include "collectors/anonymous_json.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "collectors/anonymous_text.h"
#include "collectors/flink_words.h"
#include "collectors/rest/flink_id.h"
#include "sidecar/base/text.h"

namespace fss {
namespace {

constexpr std::array<std::string_view, 11> kKnownValues = {"EmbeddedRocksDBStateBackend",
                                                           "RocksDBStateBackend",
                                                           "ForStStateBackend",
                                                           "HashMapStateBackend",
                                                           "FsStateBackend",
                                                           "MemoryStateBackend",
                                                           "FileSystemCheckpointStorage",
                                                           "JobManagerCheckpointStorage",
                                                           "FORWARD",
                                                           "HASH",
                                                           "REBALANCE"};
constexpr std::array<std::string_view, 5> kMoreStrategies = {"GLOBAL", "BROADCAST", "RESCALE",
                                                             "SHUFFLE", "CUSTOM"};

std::string KnownOr(const std::string& value, const char* other) {
  return IsOneOf(kKnownValues, value) || IsOneOf(kMoreStrategies, value) ? value : other;
}

class AnonymousWriter {
 public:
  void Begin() { out_.StartObject(); }
  void Begin(const char* name) {
    out_.Key(name);
    out_.StartObject();
  }
  void End() { out_.EndObject(); }
  void BeginList(const char* name) {
    out_.Key(name);
    out_.StartArray();
  }
  void EndList() { out_.EndArray(); }

  void Text(const char* name, std::string_view text) {
    out_.Key(name);
    out_.String(ValidUtf8(text));
  }
  void TextIfAny(const char* name, std::string_view text) {
    if (!text.empty()) Text(name, text);
  }
  void Number(const char* name, std::int64_t number) {
    out_.Key(name);
    out_.Int64(number);
  }
  void Element(std::string_view text) { out_.String(ValidUtf8(text)); }
  void Element(std::int64_t number) { out_.Int64(number); }
  void NumberIfAny(const char* name, const std::optional<std::int64_t>& number) {
    if (number) Number(name, *number);
  }
  void FlagIfAny(const char* name, const std::optional<bool>& flag) {
    if (!flag) return;
    out_.Key(name);
    out_.Bool(*flag);
  }

  std::string Finish() { return std::string(buffer_.GetString(), buffer_.GetSize()) + "\n"; }

 private:
  rapidjson::StringBuffer buffer_;
  rapidjson::Writer<rapidjson::StringBuffer> out_{buffer_};
};

std::string EscapeHtml(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        html += "&amp;";
        break;
      case '<':
        html += "&lt;";
        break;
      case '>':
        html += "&gt;";
        break;
      case '"':
        html += "&quot;";
        break;
      default:
        html += c;
    }
  }
  return html;
}

// A chain's operators as the tree that Flink writes, a line each.
class ChainTree {
 public:
  ChainTree(const std::vector<ChainOperator>& chain, Pseudonyms* names)
      : chain_(chain), names_(names), children_(chain.size()) {
    for (std::size_t i = 1; i < chain.size(); ++i) {
      children_[std::min(chain[i].parent.value_or(0), i - 1)].push_back(i);
    }
  }

  std::string Html() {
    // A stack of its own: chains are as long as anybody writes them.
    std::vector<Line> open{{0, "", ""}};
    while (!open.empty()) {
      const Line line = std::move(open.back());
      open.pop_back();
      const ChainOperator& op = chain_[line.index];
      if (op.node_id) {
        html_ += line.mark + "[" + std::to_string(*op.node_id) + "]:";
      } else {
        html_ += line.mark;
      }
      html_ += EscapeHtml(AnonymousText(op.description, names_)) + "<br/>";
      const std::vector<std::size_t>& children = children_[line.index];
      for (std::size_t i = children.size(); i-- > 0;) {
        const bool last = i + 1 == children.size();
        open.push_back({children[i], line.indent + (last ? "+- " : ":- "),
                        line.indent + (last ? "   " : ":  ")});
      }
    }
    return std::move(html_);
  }

 private:
  struct Line {
    std::size_t index;
    std::string mark;    // before the operator
    std::string indent;  // before the marks of its children
  };

  const std::vector<ChainOperator>& chain_;
  Pseudonyms* const names_;
  std::vector<std::vector<std::size_t>> children_;
  std::string html_;
};

// "stream-exec-join_1", with words that are not Flink's replaced.
std::string TypeOf(const PlanNode& node, Pseudonyms* names) {
  std::string type;
  std::string_view rest = node.type;
  while (!rest.empty()) {
    const auto end = std::min(rest.find_first_of("-_"), rest.size());
    const std::string_view part = rest.substr(0, end);
    const bool number = part.find_first_not_of("0123456789") == std::string_view::npos;
    type += number || IsFlinkTypePart(part) ? std::string(part) : names->Word(part);
    if (end < rest.size()) type += rest[end];
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return type;
}

// "2.3", "2.3.0" of a version that says more.
std::string_view NumbersOf(std::string_view version) {
  return version.substr(0, version.find_first_not_of("0123456789."));
}

void Rowtime(const PlanNode& node, Pseudonyms* names, AnonymousWriter* out) {
  if (node.rowtime.empty()) return;
  out->Begin("outputType");
  out->Text("type", "ROW");
  out->BeginList("fields");
  out->Begin();
  out->Text("name", AnonymousText(node.rowtime, names));
  out->Begin("fieldType");
  out->Text("type",
            node.rowtime_ltz ? "TIMESTAMP_WITH_LOCAL_TIME_ZONE" : "TIMESTAMP_WITHOUT_TIME_ZONE");
  out->Text("kind", "ROWTIME");
  out->End();
  out->End();
  out->EndList();
  out->End();
}

// A list of columns without one of them twice is enough to say where the keys stand.
void SinkKeysOf(const PlanNode& node, Pseudonyms* names, AnonymousWriter* out) {
  if (node.sink_keys == nullptr) return;
  const SinkKeys& keys = *node.sink_keys;
  out->Begin("dynamicTableSink");
  out->Begin("table");
  out->Begin("resolvedTable");
  out->Begin("schema");
  out->BeginList("columns");
  for (const std::string& column : keys.upsert) {
    out->Begin();
    out->Text("name", AnonymousText(column, names));
    out->End();
  }
  out->EndList();
  out->Begin("primaryKey");
  out->BeginList("columns");
  for (const std::string& column : keys.primary) out->Element(AnonymousText(column, names));
  out->EndList();
  out->End();
  out->End();
  out->End();
  out->End();
  out->End();
  out->BeginList("inputUpsertKey");
  for (std::size_t i = 0; i < keys.upsert.size(); ++i) {
    out->Element(static_cast<std::int64_t>(i));
  }
  out->EndList();
}

void States(const PlanNode& node, Pseudonyms* names, AnonymousWriter* out) {
  if (!node.declares_state) return;
  out->BeginList("state");
  for (const StateEntry& entry : node.state) {
    out->Begin();
    out->Number("index", entry.index);
    out->TextIfAny("name", IsFlinkState(entry.name) || entry.name.empty()
                               ? entry.name
                               : names->Word(entry.name));
    // A text that Flink refuses may say anything.
    if (entry.ttl_ms) {
      out->Text("ttl", entry.ttl);
    } else if (!entry.ttl.empty()) {
      out->Text("ttl", "?");
    }
    out->End();
  }
  out->EndList();
}

}  // namespace

std::string AnonymousJobPlanJson(const std::string& job_id, const JobGraph& graph,
                                 Pseudonyms* names) {
  AnonymousWriter out;
  out.Begin();
  out.Begin("plan");
  out.Text("jid", IsFlinkId(job_id) ? job_id : "");
  out.Text("name", "");
  out.Text("type", "STREAMING");
  out.BeginList("nodes");
  for (const JobVertex& vertex : graph.vertices) {
    if (!IsFlinkId(vertex.id)) continue;
    out.Begin();
    out.Text("id", vertex.id);
    out.Number("parallelism", vertex.parallelism);
    out.Text("description", ChainTree(vertex.chain, names).Html());
    out.BeginList("inputs");
    std::int64_t number = 0;
    for (const VertexInput& input : vertex.inputs) {
      if (!IsFlinkId(input.vertex_id)) continue;
      out.Begin();
      out.Text("id", input.vertex_id);
      out.Number("num", number++);
      out.Text("ship_strategy", KnownOr(input.ship_strategy, "CUSTOM"));
      out.End();
    }
    out.EndList();
    out.End();
  }
  out.EndList();
  out.End();
  out.End();
  return out.Finish();
}

std::string AnonymousConfigJson(const CheckpointConfig& config) {
  // Checkpointing that is off, as Flink says it.
  constexpr std::int64_t kOff = std::numeric_limits<std::int64_t>::max();
  AnonymousWriter out;
  out.Begin();
  out.Number("interval", config.interval_ms.value_or(kOff));
  out.NumberIfAny("timeout", config.timeout_ms);
  out.Text("state_backend", KnownOr(config.state_backend, "Unknown"));
  out.Text("checkpoint_storage", KnownOr(config.checkpoint_storage, "Unknown"));
  out.FlagIfAny("unaligned_checkpoints", config.unaligned);
  out.FlagIfAny("state_changelog_enabled", config.changelog);
  out.End();
  return out.Finish();
}

std::string AnonymousPlanJson(const CompiledPlan& plan, Pseudonyms* names) {
  AnonymousWriter out;
  out.Begin();
  out.Text("flinkVersion", NumbersOf(plan.flink_version));
  out.BeginList("nodes");
  for (const PlanNode& node : plan.nodes) {
    out.Begin();
    out.Number("id", node.id);
    out.Text("type", TypeOf(node, names));
    out.TextIfAny("description", AnonymousText(node.description, names));
    if (!node.uid.empty()) out.Text("uid", names->Word(node.uid));
    Rowtime(node, names, &out);
    SinkKeysOf(node, names, &out);
    States(node, names, &out);
    out.End();
  }
  out.EndList();
  out.BeginList("edges");
  for (const PlanEdge& edge : plan.edges) {
    out.Begin();
    out.Number("source", edge.source);
    out.Number("target", edge.target);
    out.End();
  }
  out.EndList();
  out.End();
  return out.Finish();
}

}  // namespace fss
