#include "sidecar/analysis/detector_texts.h"

#include <string_view>

#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/flink_duration.h"

namespace fss {

std::string TtlText(std::int64_t ttl_ms) {
  return ttl_ms == 0 ? "for ever" : FormatFlinkDuration(ttl_ms);
}

bool ShorterTtl(std::int64_t a, std::int64_t b) { return a != 0 && (b == 0 || a < b); }

Finding NodeFinding(const char* code, Severity severity, const PlanNode& node,
                    const std::string& state) {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.node_id = node.id;
  finding.operator_label = NodeLabel(node);
  finding.state = state;
  return finding;
}

const StateEntry* EntryOfInput(const PlanNode& join, std::size_t input) {
  const std::string_view name = input == 0 ? "leftState" : "rightState";
  for (const StateEntry& entry : join.state) {
    if (entry.name == name && entry.ttl_ms) return &entry;
  }
  return nullptr;
}

bool IsOuterJoin(const PlanNode& join) {
  const auto type = Attribute(join.description, "joinType");
  return type && type->find("Outer") != std::string_view::npos;
}

std::string LossOfJoin(const PlanNode& join) {
  const auto type = Attribute(join.description, "joinType");
  if (IsOuterJoin(join)) return "the result keeps NULL where the match was";
  if (type == "LeftAntiJoin") return "the result keeps a row that has a match";
  return "the match is silently lost";
}

}  // namespace fss
