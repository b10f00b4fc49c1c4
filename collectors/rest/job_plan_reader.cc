#include "collectors/rest/job_plan_reader.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

#include "collectors/rest/chain_description.h"
#include "collectors/rest/flink_id.h"
#include "collectors/rest/json_answer.h"

namespace fss {
namespace {

// A plan is kept as long as its job runs. One of 1,000 vertices has 2 MB.
constexpr std::size_t kMaxPlanBytes = 8U << 20U;
constexpr std::size_t kMaxDescriptionBytes = 1U << 20U;

std::string VertexId(const rapidjson::Value& node) {
  return VertexIdOf(TextMember(node, "id", kMaxWordBytes));
}

std::vector<VertexInput> ReadInputs(const rapidjson::Value& node) {
  std::vector<std::pair<std::int64_t, VertexInput>> numbered;
  if (const rapidjson::Value* inputs = ArrayMember(node, "inputs")) {
    for (const rapidjson::Value& input : inputs->GetArray()) {
      VertexInput read{VertexId(input), TextMember(input, "ship_strategy", kMaxWordBytes)};
      if (read.vertex_id.empty()) continue;
      const auto number = CountMember(input, "num");
      numbered.emplace_back(number.value_or(std::numeric_limits<std::int64_t>::max()),
                            std::move(read));
    }
  }
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<VertexInput> inputs;
  inputs.reserve(numbered.size());
  for (auto& entry : numbered) inputs.push_back(std::move(entry.second));
  return inputs;
}

// The text that names the chain: the description, else (Flink before it had one) the operator.
std::string ChainText(const rapidjson::Value& node) {
  std::string text = TextMember(node, "description", kMaxDescriptionBytes);
  if (text.empty()) text = TextMember(node, "operator", kMaxDescriptionBytes);
  return text.empty() ? VertexId(node) : text;
}

// Whether plan node ids stand in this job's texts at all: it came from SQL or the Table API.
bool HasPlanNodes(const rapidjson::Value& nodes) {
  for (const rapidjson::Value& node : nodes.GetArray()) {
    for (const ChainOperator& op : ParseChainDescription(ChainText(node), false)) {
      if (op.node_id) return true;
    }
  }
  return false;
}

std::vector<JobVertex> ReadVertices(const rapidjson::Value& nodes) {
  const bool plan_nodes = HasPlanNodes(nodes);
  std::vector<JobVertex> vertices;
  std::set<std::string> seen;
  for (const rapidjson::Value& node : nodes.GetArray()) {
    JobVertex vertex;
    vertex.id = VertexId(node);
    if (vertex.id.empty() || !seen.insert(vertex.id).second) continue;
    const auto parallelism = CountMember(node, "parallelism");
    if (parallelism && *parallelism <= std::numeric_limits<int>::max()) {
      vertex.parallelism = static_cast<int>(*parallelism);
    }
    vertex.chain = ParseChainDescription(ChainText(node), plan_nodes);
    vertex.inputs = ReadInputs(node);
    vertices.push_back(std::move(vertex));
  }
  return vertices;
}

// All sources, then each vertex once its inputs are there, in the answer's order. A cycle, which no
// Flink job has, comes last.
std::vector<JobVertex> InDataOrder(std::vector<JobVertex> vertices) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < vertices.size(); ++i) index.emplace(vertices[i].id, i);
  std::vector<std::size_t> waits_for(vertices.size(), 0);
  std::vector<std::vector<std::size_t>> feeds(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    for (const VertexInput& input : vertices[i].inputs) {
      const auto source = index.find(input.vertex_id);
      if (source == index.end()) continue;
      feeds[source->second].push_back(i);
      ++waits_for[i];
    }
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (waits_for[i] == 0) order.push_back(i);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    for (const std::size_t fed : feeds[order[at]]) {
      if (--waits_for[fed] == 0) order.push_back(fed);
    }
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (waits_for[i] != 0) order.push_back(i);
  }
  std::vector<JobVertex> ordered;
  ordered.reserve(vertices.size());
  for (const std::size_t i : order) ordered.push_back(std::move(vertices[i]));
  return ordered;
}

}  // namespace

Result<JobGraph> ReadJobPlan(RestAnswer answer) {
  if (answer.body.size() > kMaxPlanBytes) {
    return Error{ErrorCode::kTooLarge, "a plan above the size limit", ""};
  }
  Result<JsonAnswer> json = JsonAnswer::Parse(std::move(answer));
  if (!json.ok()) return json.error();
  const rapidjson::Value* plan = ObjectMember(json->root(), "plan");
  if (plan == nullptr) return Error{ErrorCode::kMalformed, "not a Flink answer (no plan)", ""};
  JobGraph graph;
  if (const rapidjson::Value* nodes = ArrayMember(*plan, "nodes")) {
    graph.vertices = InDataOrder(ReadVertices(*nodes));
  }
  return graph;
}

}  // namespace fss
