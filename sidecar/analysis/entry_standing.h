// How a state entry stands: its size and trend, as the findings about it tell them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sidecar/model/finding.h"
#include "sidecar/model/report.h"
#include "sidecar/model/rules.h"

namespace fss {

// The entry's own trend where RocksDB tells its live bytes, else its operator's.
struct Standing {
  Verdict verdict = Verdict::kUnknown;
  std::optional<double> rate;
  std::optional<std::int64_t> bytes;
  bool of_entry = false;  // the figures are this entry's alone
  std::optional<std::int64_t> seconds_until_full;
};

Standing StandingOf(const OperatorReport& op, const std::string& entry_name);

// Of what is kept for ever. Flat and small harms nobody; what grows will; what is about to fill its
// place is an emergency. A trend that is not known yet is judged as the plan alone is.
Severity SeverityOfForever(const Standing& standing, const Thresholds& thresholds);

// " It grows by 2.1 KiB/s." and the like; empty while nothing is known.
std::string StandingSentence(const Standing& standing);

}  // namespace fss
