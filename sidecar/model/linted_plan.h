// What `lint` shows of one plan file: plain data, joined by the verb from the plan, the operator
// catalogue and the findings, so that exporters need none of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sidecar/model/finding.h"
#include "sidecar/model/operator_kind.h"

namespace fss {

struct LintedEntry {
  int index = 0;
  std::string name;                    // "leftState"
  std::string ttl;                     // the plan's own text; empty when the plan has none
  std::optional<std::int64_t> ttl_ms;  // 0 is for ever; absent when Flink would refuse the text
  bool suspicious_ttl = false;         // a finding says this TTL is not what was meant
};

struct LintedOperator {
  std::int64_t node_id = 0;
  std::string type;   // "stream-exec-join_1"
  std::string kind;   // "join"
  std::string label;  // "Join[19]"; when empty the kind and the id are shown
  Cleanup cleanup = Cleanup::kUnknown;
  std::vector<LintedEntry> state;  // in the order of the file
};

struct LintedPlan {
  std::string file;
  // Why the file is no plan, one line; when not empty, nothing below is filled.
  std::string error;
  std::string flink_version;              // may be empty
  std::vector<LintedOperator> operators;  // in the order of the file
  std::vector<Finding> findings;          // most severe first
};

}  // namespace fss
