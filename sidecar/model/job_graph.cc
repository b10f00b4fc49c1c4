#include "sidecar/model/job_graph.h"

namespace fss {

std::string ChainOperator::Label() const {
  if (!node_id) return name;
  const std::string id = "[" + std::to_string(*node_id) + "]";
  // Sinks read "kv_sink[26]: Writer" in Flink: the id stands before the role.
  const auto role = name.find(": ");
  if (role == std::string::npos) return name + id;
  return name.substr(0, role) + id + name.substr(role);
}

std::string MetricNameOf(std::string_view label) {
  constexpr std::size_t kMostBytes = 80;
  std::string name(label.substr(0, kMostBytes));
  for (char& c : name) {
    if (c == ' ' || c == ':' || c == ',') c = '_';
  }
  return name;
}

const JobVertex* JobGraph::FindVertex(const std::string& id) const {
  for (const JobVertex& vertex : vertices) {
    if (vertex.id == id) return &vertex;
  }
  return nullptr;
}

}  // namespace fss
