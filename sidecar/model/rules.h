// The rules file (--rules_file): what a team knows better than the sidecar. Acknowledged findings,
// and thresholds and limits per job. A value, safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sidecar/model/finding.h"

namespace fss {

// Patterns are globs over the whole text: "*" any text, "?" any one character. Empty: anything.
struct Acknowledgement {
  std::string code;
  std::string job;             // of Finding::job
  std::string operator_label;  // of Finding::operator_label: "[" and "]" stand for themselves
  std::string state;
  std::string reason;         // never empty
  std::int64_t until_ms = 0;  // from then on it no longer holds; milliseconds since 1970
};

// When a number becomes a finding.
struct Thresholds {
  // capacity: time left until full.
  std::int64_t capacity_warning_ms = 7LL * 24 * 60 * 60 * 1000;
  std::int64_t capacity_critical_ms = 24LL * 60 * 60 * 1000;
  // heap-pressure: the share of a TaskManager's heap that stays in use after collections.
  double heap_warning = 0.70;
  double heap_critical = 0.90;
  // state-skew: the largest subtask, in bytes, and against the mean of all.
  std::int64_t skew_bytes = 16LL << 20;
  double skew_ratio = 3;
  // forever-state: a state that does not grow is of no concern below this.
  std::int64_t large_bytes = 1LL << 30;
};

// What a rule changes for the jobs that its pattern fits; what is absent stays.
struct JobRule {
  std::string job;  // glob over the job's name
  std::optional<std::int64_t> capacity_warning_ms;
  std::optional<std::int64_t> capacity_critical_ms;
  std::optional<double> heap_warning;
  std::optional<double> heap_critical;
  std::optional<std::int64_t> skew_bytes;
  std::optional<double> skew_ratio;
  std::optional<std::int64_t> large_bytes;
  // The most state that the job may have, bytes.
  std::optional<std::int64_t> state_limit_bytes;
};

// What holds for one job.
struct JobRules {
  Thresholds thresholds;
  std::optional<std::int64_t> state_limit_bytes;
};

struct Rules {
  std::vector<Acknowledgement> acknowledgements;
  std::vector<JobRule> jobs;

  // All rules that fit, in the order of the file: a later one wins.
  JobRules For(std::string_view job_name) const;
  // The first acknowledgement of this finding that holds at `now_ms`; nullptr: none.
  const Acknowledgement* AcknowledgementOf(const Finding& finding, std::int64_t now_ms) const;
};

// Whether the glob fits the whole of `text`. An empty glob fits all. Takes at most
// glob size x text size steps.
bool GlobFits(std::string_view glob, std::string_view text);

}  // namespace fss
