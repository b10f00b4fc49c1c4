// A finding: what is wrong, with which operator, and what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/model/text_pool.h"

namespace fss {

enum class Severity { kInfo, kWarning, kCritical };

// "info", "warning", "critical".
const char* SeverityName(Severity severity);

// What to do. A long text, the same for all jobs of a plan: copies share it, and ShareLines lets
// different texts share the lines they have in common, so that 10,000 findings cost no more than
// their differences.
class AdviceText {
 public:
  AdviceText& operator=(std::string text);
  // What one job adds; the shared text stays shared.
  AdviceText& operator+=(std::string_view more);
  // For a text that is kept: its lines are the pool's from now on.
  void ShareLines(TextPool* pool);

  bool empty() const { return text_ == nullptr && added_.empty(); }
  std::string Text() const;

 private:
  using Pieces = std::vector<SharedText>;

  std::shared_ptr<const Pieces> text_;
  std::string added_;
};

struct Finding {
  std::string code;  // "forever-state": a stable word of docs/findings.md
  Severity severity = Severity::kWarning;
  // Where; empty or absent when the finding is not about such a thing.
  std::string job;
  std::string job_id;
  std::string vertex_id;
  std::optional<std::int64_t> node_id;
  std::string operator_label;  // "Join[19]"
  std::string state;           // "leftState"
  std::string plan;            // the plan file, for findings about a plan
  // One sentence: what is wrong, with the numbers it rests on.
  std::string message;
  // What to do, in the order of product.md. May have several lines; SQL and configuration stand
  // on lines of their own, indented by four spaces.
  AdviceText advice;
  std::optional<std::int64_t> first_seen_ms;  // absent at plan time
  bool acknowledged = false;  // by the rules file; then with the reason and the end given there
  std::string acknowledged_reason;
  std::optional<std::int64_t> acknowledged_until_ms;

  // Same code at the same place: what makes two findings one over time.
  bool SamePlace(const Finding& other) const;
};

}  // namespace fss
