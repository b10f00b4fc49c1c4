#include "collectors/anonymous_metrics.h"

#include <algorithm>
#include <utility>

#include "collectors/flink_words.h"
#include "collectors/rest/flink_id.h"

namespace fss {
namespace {

// The number of `name` among those seen before.
std::string Numbered(const char* prefix, const std::string& name,
                     std::map<std::string, std::size_t>* seen) {
  const auto number = seen->emplace(name, seen->size()).first->second;
  return prefix + std::to_string(number);
}

}  // namespace

MetricNames MetricNamesOf(const JobGraph& graph, const JobGraph& anonymous) {
  MetricNames names;
  for (const JobVertex& vertex : graph.vertices) {
    const JobVertex* same = anonymous.FindVertex(vertex.id);
    if (same == nullptr || same->chain.size() != vertex.chain.size()) continue;
    for (std::size_t i = 0; i < vertex.chain.size(); ++i) {
      names.emplace(MetricNameOf(vertex.chain[i].Label()), MetricNameOf(same->chain[i].Label()));
    }
  }
  return names;
}

std::map<std::string, LiveSample> AnonymousLive(const std::map<std::string, LiveSample>& live,
                                                const MetricNames& names) {
  std::map<std::string, LiveSample> anonymous;
  for (const auto& [vertex, sample] : live) {
    if (!IsFlinkId(vertex)) continue;
    std::map<std::string, std::size_t> operators;
    std::map<std::string, std::size_t> states;
    LiveSample& renamed = anonymous[vertex] = sample;
    for (LiveState& state : renamed.states) {
      const auto known = names.find(state.operator_name);
      state.operator_name = known != names.end()
                                ? known->second
                                : Numbered("operator_", state.operator_name, &operators);
      if (!IsFlinkState(state.state_name)) {
        state.state_name = Numbered("state_", state.state_name, &states);
      }
    }
  }
  return anonymous;
}

}  // namespace fss
