// Feeds bytes to the plan reader: whatever they are, it returns, and what it calls a plan is one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <unordered_set>

#include "collectors/plan_reader.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckPlan(const fss::CompiledPlan& plan) {
  Require(!plan.nodes.empty());
  std::unordered_set<std::int64_t> ids;
  for (const fss::PlanNode& node : plan.nodes) {
    Require(!node.type.empty());
    Require(node.line >= 1);
    Require(node.declares_state || node.state.empty());
    Require(!node.rowtime.empty() || !node.rowtime_ltz);
    Require(ids.insert(node.id).second || plan.edges.empty());
    for (const fss::StateEntry& entry : node.state) {
      Require(entry.index >= 0);
      Require(!entry.ttl_ms || (*entry.ttl_ms >= 0 && !entry.ttl.empty()));
    }
  }
  for (const fss::PlanEdge& edge : plan.edges) {
    Require(ids.count(edge.source) == 1 && ids.count(edge.target) == 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const fss::Result<fss::CompiledPlan> plan = fss::ReadPlan(json, "fuzz");
  if (plan.ok()) {
    CheckPlan(*plan);
  } else {
    Require(!plan.error().message.empty());
    Require(plan.error().ToString().find('\n') == std::string::npos);
  }
  return 0;
}
