#include "sidecar/analysis/detector_texts.h"

#include <string_view>

#include "sidecar/analysis/bound_advice.h"
#include "sidecar/analysis/plan_text.h"
#include "sidecar/base/flink_duration.h"
#include "sidecar/base/text.h"

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

Finding OperatorFinding(const char* code, Severity severity, const OperatorReport& op,
                        const std::string& state) {
  Finding finding;
  finding.code = code;
  finding.severity = severity;
  finding.vertex_id = op.vertex_id;
  finding.node_id = op.node_id;
  finding.operator_label = op.label;
  finding.state = state;
  return finding;
}

const EntryReport* CulpritOf(const OperatorReport& op) {
  if (op.state.size() == 1) return op.state.data();
  const EntryReport* fastest = nullptr;
  const EntryReport* forever = nullptr;
  bool one_forever = true;
  for (const EntryReport& entry : op.state) {
    const double rate = entry.trend.bytes_per_second.value_or(0);
    const double fastest_rate = fastest != nullptr ? *fastest->trend.bytes_per_second : 0;
    if (rate > fastest_rate) fastest = &entry;
    if (entry.ttl_ms != std::int64_t{0}) continue;
    one_forever = forever == nullptr;
    forever = &entry;
  }
  if (fastest != nullptr) return fastest;
  return one_forever ? forever : nullptr;
}

std::string GrowthClause(const OperatorReport& op, const EntryReport* entry) {
  const bool own = entry != nullptr && entry->trend.bytes_per_second.value_or(0) > 0;
  const Trend& trend = own ? entry->trend : op.trend;
  const std::optional<std::int64_t> bytes = own ? entry->live_bytes : op.size_bytes;
  const std::string who = entry != nullptr && (own || op.state.size() == 1)
                              ? entry->name + " of " + op.label
                              : op.label;
  return who + " grows by " + FormatRate(trend.bytes_per_second.value_or(0)) +
         (bytes ? " (" + FormatBytes(*bytes) + " now)" : std::string());
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
