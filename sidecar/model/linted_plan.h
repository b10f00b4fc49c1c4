// What `lint` shows of one plan file: plain data, joined by the verb from the plan, the operator
// catalogue and the findings, so that exporters need none of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sidecar/model/finding.h"
#include "sidecar/model/operator_kind.h"

namespace fss {

struct LintedEntry {
  int index = 0;
  std::string name;                      // "leftState"
  std::string ttl;                       // the plan's own text; empty when the plan has none
  std::optional<std::int64_t> ttl_ms;    // 0 is for ever; absent when Flink would refuse the text
  bool suspicious_ttl = false;           // a finding says this TTL is not what was meant
  std::vector<std::string> tables = {};  // that feed it; empty when not known
  std::vector<std::string> keys = {};    // the columns by which it is kept; empty when not known
};

struct LintedOperator {
  std::int64_t node_id = 0;
  std::string type;   // "stream-exec-join_1"
  std::string kind;   // "join"
  std::string label;  // "Join[19]"; when empty the kind and the id are shown
  Cleanup cleanup = Cleanup::kUnknown;
  // What expiry does to the result, a clause of the operator catalogue (which lives for ever):
  // "a match later than that is silently lost". Empty where nothing expires.
  std::string_view expiry;
  std::vector<LintedEntry> state;  // in the order of the file
  int line = 0;                    // 1-based line of the node in the file; 0 unknown
  // 32 hex digits for what the node does (kind and description): the same when its id, its line or
  // a TTL changes. Operators that do the same share it.
  std::string identity;
};

struct LintedPlan {
  std::string file;
  // Why the file is no plan, one line; when not empty, nothing below is filled.
  std::string error;
  std::string flink_version;              // may be empty
  std::vector<LintedOperator> operators;  // in the order of the file
  std::vector<Finding> findings;          // most severe first
};

// Which operator of a plan a finding is about. The plan must outlive it and stay as it is; safe
// from any thread.
class LintedOperators {
 public:
  explicit LintedOperators(const LintedPlan& plan);
  // nullptr where the finding names no node, or where several have its id (Flink's own test plans,
  // whose ids are all 0).
  const LintedOperator* Of(const Finding& finding) const;

 private:
  std::unordered_map<std::int64_t, const LintedOperator*> by_id_;
};

}  // namespace fss
